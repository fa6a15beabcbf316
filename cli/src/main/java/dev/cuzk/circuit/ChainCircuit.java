package dev.cuzk.circuit;

import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;

/**
 * {@code chain-K}: n = 2^K − 8 steps of x_{i+1} = x_i² + c_i with c_i = splitmix64(i + 1) and x_0 =
 * splitmix64(0), x_n public. The circuit that other provers are timed on: all values but a few are
 * full-width, so none gains from small ones.
 *
 * <p>Variables: 0 is ONE, 1 is x_n, 2 + i is x_i for i &lt; n. Constraint i: x_i · x_i = x_{i+1} −
 * c_i · ONE. Eight rows stay free, so that every prover's extra rows fit the domain 2^K.
 */
final class ChainCircuit extends SizedCircuit {
  static final int MINIMUM_LOG2 = 4;
  private static final int FREE_ROWS = 8;

  /** 16 KiB of values: a piece stays in the processor's first cache. */
  private static final int VALUES_PER_PIECE = 512;

  private final long steps = constraints();

  ChainCircuit(CurveId curve, int log2) {
    super("chain-" + log2, curve, steps(log2) + 2, steps(log2));
  }

  private static long steps(int log2) {
    return (1L << log2) - FREE_ROWS;
  }

  @Override
  public String description() {
    return "x -> x^2 + c, " + steps + " times; dense values; the last x is public";
  }

  @Override
  public void forEach(long first, long count, Sink sink) {
    Objects.checkFromIndexSize(first, count, steps);
    long[] negated = new long[4];
    for (long i = first; i < first + count; i++) {
      sink.term(A, i + 2, 1, 0, 0, 0);
      sink.term(B, i + 2, 1, 0, 0, 0);
      negated[0] = SplitMix64.at(i + 1);
      negated[1] = 0;
      negated[2] = 0;
      negated[3] = 0;
      field.negate(negated, 0, negated, 0);
      sink.term(C, 0, negated[0], negated[1], negated[2], negated[3]);
      sink.term(C, i + 1 == steps ? 1 : i + 3, 1, 0, 0, 0);
      sink.end(i);
    }
  }

  /**
   * The chain itself can only be walked from its start, in Montgomery form; taking the values out
   * of that form, which is as much work, is done by all threads afterwards.
   */
  @Override
  public void writeWitness(Buffer target, ForkJoinPool pool) {
    requireSize(target);
    walk(target);
    BuiltInCircuit.inParallel(
        pool,
        steps + 1,
        VALUES_PER_PIECE,
        (first, count) -> {
          for (long done = 0; done < count; done += VALUES_PER_PIECE) {
            int values = (int) Math.min(VALUES_PER_PIECE, count - done);
            fromMontgomery(target.view(32 * (1 + first + done), 32 * values), values);
          }
        });
    ByteBuffer one = target.view(0, 32);
    put(one, 0, new long[] {1, 0, 0, 0});
  }

  private void walk(Buffer target) {
    long[] x = {SplitMix64.at(0), 0, 0, 0};
    long[] c = new long[4];
    field.toMontgomery(x, 0, x, 0);
    for (long first = 0; first < steps; first += VALUES_PER_PIECE) {
      int values = (int) Math.min(VALUES_PER_PIECE, steps - first);
      ByteBuffer piece = target.view(32 * (first + 2), 32 * values);
      for (int i = 0; i < values; i++) {
        put(piece, 32 * i, x);
        field.square(x, 0, x, 0);
        c[0] = SplitMix64.at(first + i + 1);
        c[1] = 0;
        c[2] = 0;
        c[3] = 0;
        field.toMontgomery(c, 0, c, 0);
        field.add(x, 0, x, 0, c, 0);
      }
    }
    put(target.view(32, 32), 0, x);
  }

  private void fromMontgomery(ByteBuffer piece, int values) {
    long[] x = new long[4];
    for (int i = 0; i < values; i++) {
      for (int word = 0; word < 4; word++) {
        x[word] = piece.getLong(32 * i + 8 * word);
      }
      field.fromMontgomery(x, 0, x, 0);
      put(piece, 32 * i, x);
    }
  }

  private static void put(ByteBuffer target, int offset, long[] words) {
    for (int word = 0; word < 4; word++) {
      target.putLong(offset + 8 * word, words[word]);
    }
  }
}
