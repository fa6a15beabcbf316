package dev.cuzk.bench;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.circuit.BuiltInCircuits;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.ScalarTarget;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;

/** Where a measured assignment comes from: a built-in circuit or an input file. */
interface Witness {
  void write(Buffer target) throws InputException, UnsatisfiedException;

  /** As {@link Synthesizer#packedBytes}. */
  default long packedBytes() {
    return 0;
  }

  /** As {@link Synthesizer#synthesize(ScalarTarget)}. */
  default void write(ScalarTarget target) throws InputException, UnsatisfiedException {
    throw new UnsupportedOperationException("this witness is made plain alone");
  }

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

  static Witness of(Synthesizer synthesizer, ForkJoinPool pool) {
    return new Witness() {
      @Override
      public void write(Buffer target) throws InputException, UnsatisfiedException {
        onPool(pool, () -> synthesizer.synthesize(target));
      }

      @Override
      public long packedBytes() {
        return synthesizer.packedBytes();
      }

      @Override
      public void write(ScalarTarget target) throws InputException, UnsatisfiedException {
        onPool(pool, () -> synthesizer.synthesize(target));
      }
    };
  }

  /** What a synthesizer does. */
  interface Work {
    void run() throws InputException, UnsatisfiedException;
  }

  /** On the pool, which a synthesizer finds by the thread that it runs on. */
  private static void onPool(ForkJoinPool pool, Work work)
      throws InputException, UnsatisfiedException {
    ForkJoinTask<Void> task =
        pool.submit(
            () -> {
              work.run();
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
