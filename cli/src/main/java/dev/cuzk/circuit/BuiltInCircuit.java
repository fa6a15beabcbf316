package dev.cuzk.circuit;

import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import java.util.concurrent.ForkJoinPool;

/** A circuit that this program contains, together with the maker of its one witness. */
public interface BuiltInCircuit extends Constraints {
  /** The curve whose scalar field it is over. */
  CurveId curve();

  /** One line for people. */
  String description();

  /**
   * Writes the assignment: {@link #variables()} scalars of 32 bytes, canonical, little-endian, ONE
   * first. Every call writes the same bytes.
   *
   * @param target holds exactly that many bytes
   * @param pool where the work is spread; may be the caller's own
   */
  void writeWitness(Buffer target, ForkJoinPool pool);

  /** As {@link Constraints#forEach}; a built-in circuit reads no file, so that nothing can fail. */
  @Override
  void forEach(long first, long count, Sink sink);

  /** Refuses a buffer of another size than the witness has. */
  default void requireSize(Buffer target) {
    long expected = variables() * CurveId.SCALAR_BYTES;
    if (target.byteSize() != expected) {
      throw new IllegalArgumentException(
          name() + ": a witness has " + expected + " bytes, the buffer " + target.byteSize());
    }
  }

  /** {@link ParallelRanges#run} for work that reads no file. */
  static void inParallel(ForkJoinPool pool, long total, long grain, Work work) {
    try {
      ParallelRanges.run(pool, total, grain, work::run);
    } catch (InputException e) {
      throw new IllegalStateException("no file is read", e);
    }
  }

  /** Work over indices first … first + count − 1 that cannot fail. */
  @FunctionalInterface
  interface Work {
    void run(long first, long count);
  }
}
