package dev.cuzk.cli;

import dev.cuzk.bench.BenchInputs;
import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.setup.TestKey;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.WtnsSynthesizer;
import dev.cuzk.synthesis.circom.CircomProgram;
import dev.cuzk.synthesis.circom.CircomSynthesizer;
import dev.cuzk.synthesis.circom.ProgramCache;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ForkJoinPool;

/** Test keys and witnesses for benchmarks. */
final class TestInputs implements BenchInputs {
  private static final long SEED = 1;

  private final Session session;
  private final Backend backend;
  private final ForkJoinPool pool;

  TestInputs(Session session, Backend backend, ForkJoinPool pool) {
    this.session = session;
    this.backend = backend;
    this.pool = pool;
  }

  @Override
  public ProvingKey keyFor(BuiltInCircuit circuit) throws InputException, DeviceException {
    return TestKey.make(circuit, backend, pool, OptionalLong.of(SEED));
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
