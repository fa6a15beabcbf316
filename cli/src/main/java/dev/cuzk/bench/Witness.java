package dev.cuzk.bench;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.circuit.BuiltInCircuits;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;

/** Where a measured assignment comes from: a built-in circuit or an input file. */
interface Witness {
  void write(Buffer target) throws InputException, UnsatisfiedException;

  static BuiltInCircuit circuit(String name, CurveId curve) {
    return BuiltInCircuits.byName(name, curve)
        .orElseThrow(
            () ->
                new BenchUsageException(
                    "there is no built-in circuit '"
                        + name
                        + "': "
                        + BuiltInCircuits.known()
                        + ", and Filecoin's (cuzk circuit list)"));
  }

  static Witness of(BuiltInCircuit circuit, ForkJoinPool pool) {
    return target -> circuit.writeWitness(target, pool);
  }

  /** On the pool, which a synthesizer finds by the thread that it runs on. */
  static Witness of(Synthesizer synthesizer, ForkJoinPool pool) {
    return target -> {
      ForkJoinTask<Void> task =
          pool.submit(
              () -> {
                synthesizer.synthesize(target);
                return null;
              });
      try {
        task.get();
      } catch (ExecutionException e) {
        rethrow(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancellationException("interrupted");
      }
    };
  }

  /** What was thrown on the pool, which may wrap it more than once. */
  private static void rethrow(Throwable wrapper) throws InputException, UnsatisfiedException {
    for (Throwable link = wrapper; link != null; link = link.getCause()) {
      if (link instanceof InputException e) {
        throw e;
      }
      if (link instanceof UnsatisfiedException e) {
        throw e;
      }
    }
    throw new IllegalStateException(wrapper.getCause());
  }
}
