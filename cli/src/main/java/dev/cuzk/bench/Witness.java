package dev.cuzk.bench;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.circuit.BuiltInCircuits;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.util.concurrent.ForkJoinPool;

/** Where a measured assignment comes from: a built-in circuit or an input file. */
interface Witness {
  void write(Buffer target) throws InputException, UnsatisfiedException;

  static BuiltInCircuit circuit(String name, CurveId curve) {
    return BuiltInCircuits.byName(name, curve)
        .orElseThrow(
            () ->
                new BenchUsageException(
                    "there is no built-in circuit '" + name + "': " + BuiltInCircuits.known()));
  }

  static Witness of(BuiltInCircuit circuit, ForkJoinPool pool) {
    return target -> circuit.writeWitness(target, pool);
  }

  static Witness of(Synthesizer synthesizer) {
    return synthesizer::synthesize;
  }
}
