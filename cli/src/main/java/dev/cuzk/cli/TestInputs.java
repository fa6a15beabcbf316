package dev.cuzk.cli;

import dev.cuzk.batch.FilecoinInputs;
import dev.cuzk.batch.UsageException;
import dev.cuzk.bench.BenchInputs;
import dev.cuzk.bench.BenchUsageException;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.filecoin.FilecoinCircuit;
import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.setup.TestKey;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.WtnsSynthesizer;
import dev.cuzk.synthesis.circom.CircomProgram;
import dev.cuzk.synthesis.circom.CircomSynthesizer;
import dev.cuzk.synthesis.circom.ProgramCache;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ForkJoinPool;

/** Test keys and witnesses for benchmarks. */
final class TestInputs implements BenchInputs {
  private static final long SEED = 1;

  private final Session session;
  private final Backend backend;
  private final ForkJoinPool pool;
  private final Map<String, String> facts;

  /**
   * @param facts about Filecoin inputs, by option name without dashes
   */
  TestInputs(Session session, Backend backend, ForkJoinPool pool, Map<String, String> facts) {
    this.facts = facts;
    this.session = session;
    this.backend = backend;
    this.pool = pool;
  }

  @Override
  public ProvingKey keyFor(Constraints circuit, QuotientForm form)
      throws InputException, DeviceException {
    return TestKey.make(circuit, form, backend, pool, OptionalLong.of(SEED));
  }

  @Override
  public Synthesizer synthesizer(FilecoinCircuit circuit, Path input) throws InputException {
    String name = circuit.name();
    String kind =
        switch (name.substring(0, name.indexOf('-'))) {
          case "porep" -> "porep";
          case "update" -> "snap";
          case "window" -> "window-post";
          default -> "winning-post";
        };
    try {
      return new FilecoinInputs(facts, session.console()::warning)
          .open(List.of(input), kind)
          .partitions()
          .get(0);
    } catch (UsageException e) {
      throw new BenchUsageException(e.getMessage());
    }
  }

  @Override
  public Synthesizer synthesizer(Path input, Optional<Path> wasm) throws InputException {
    InputKind kind = InputKind.of(input);
    if (kind == InputKind.WITNESS) {
      return WtnsSynthesizer.open(FileRange.whole(input)::open);
    }
    if (wasm.isEmpty()) {
      throw new InputException(
          input.toString(), "is a " + kind.description() + "; its program is named by --wasm");
    }
    ProgramCache cache =
        session
            .environment()
            .cacheFolder()
            .map(folder -> ProgramCache.in(folder, session.console()::warning))
            .orElseGet(ProgramCache::none);
    CircomProgram program = CircomProgram.open(FileRange.whole(wasm.get()), cache);
    return new CircomSynthesizer(program, () -> FileRange.whole(input).open());
  }
}
