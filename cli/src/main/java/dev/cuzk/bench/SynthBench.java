package dev.cuzk.bench;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PlainBuffer;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;

/** Making witnesses: of built-in circuits, of circom inputs, or reading them from .wtns files. */
final class SynthBench {
  private final BenchOptions options;
  private final BenchInputs inputs;
  private final ForkJoinPool pool;
  private final BenchListener listener;

  SynthBench(BenchOptions options, BenchInputs inputs, ForkJoinPool pool, BenchListener listener) {
    this.options = options;
    this.inputs = inputs;
    this.pool = pool;
    this.listener = listener;
  }

  void measure(List<BenchCase> cases) throws InputException, UnsatisfiedException {
    if (options.input().isPresent()) {
      Path path = options.input().get();
      Synthesizer synthesizer = inputs.synthesizer(path, options.wasm());
      long variables = synthesizer.variables();
      if (variables < 0) {
        throw new BenchUsageException(
            "how many values " + path + " makes is told by the program alone only once it ran");
      }
      String name = path.getFileName().toString();
      cases.add(measure(name, synthesizer.curve(), variables, Witness.of(synthesizer, pool)));
      return;
    }
    for (String name : options.circuits()) {
      for (CurveId curve : options.curves()) {
        BuiltInCircuit circuit = Witness.circuit(name, curve);
        cases.add(measure(name, curve, circuit.variables(), Witness.of(circuit, pool)));
      }
    }
  }

  private BenchCase measure(String name, CurveId curve, long variables, Witness witness)
      throws InputException, UnsatisfiedException {
    String id = BenchRunner.caseId("synth", curve, name);
    listener.step(id);
    double[] samples = new double[options.runs()];
    try (Buffer target = PlainBuffer.allocate(variables * CurveId.SCALAR_BYTES)) {
      for (int i = 0; i < options.warmup(); i++) {
        witness.write(target);
      }
      for (int i = 0; i < samples.length; i++) {
        long start = System.nanoTime();
        witness.write(target);
        samples[i] = (System.nanoTime() - start) / 1e6;
      }
    }
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("source", name);
    facts.put("variables", variables);
    return new BenchCase(
        id,
        BenchKind.SYNTH.printedName(),
        curve.printedName(),
        facts,
        samples,
        Statistics.of(samples),
        Map.of());
  }
}
