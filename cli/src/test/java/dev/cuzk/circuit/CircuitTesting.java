package dev.cuzk.circuit;

import dev.cuzk.math.Field;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PlainBuffer;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinPool;

/** What tests of circuits share. */
public final class CircuitTesting {
  /** A pool that tests hand in; the common pool is never used. */
  public static final ForkJoinPool POOL = new ForkJoinPool(2);

  private CircuitTesting() {}

  public static Buffer witnessOf(BuiltInCircuit circuit) {
    Buffer witness = PlainBuffer.allocate(32 * circuit.variables());
    circuit.writeWitness(witness, POOL);
    return witness;
  }

  public static BigInteger value(Buffer witness, long index) {
    ByteBuffer view = witness.view(32 * index, 32);
    byte[] bigEndian = new byte[32];
    for (int i = 0; i < 32; i++) {
      bigEndian[31 - i] = view.get(i);
    }
    return new BigInteger(1, bigEndian);
  }

  public static void set(Buffer witness, long index, BigInteger value) {
    ByteBuffer view = witness.view(32 * index, 32);
    for (int word = 0; word < 4; word++) {
      view.putLong(8 * word, value.shiftRight(64 * word).longValue());
    }
  }

  /** Constraints held in memory: one row is its A, B and C, variable to coefficient. */
  public record Listed(
      Field field, long variables, int publicInputs, List<List<TreeMap<Long, BigInteger>>> rows)
      implements Constraints {
    @Override
    public String name() {
      return "listed";
    }

    @Override
    public long constraints() {
      return rows.size();
    }

    @Override
    public void forEach(long first, long count, Sink sink) {
      for (long i = first; i < first + count; i++) {
        for (int matrix = 0; matrix < 3; matrix++) {
          int m = matrix;
          rows.get((int) i)
              .get(matrix)
              .forEach(
                  (variable, c) ->
                      sink.term(
                          m,
                          variable,
                          c.longValue(),
                          c.shiftRight(64).longValue(),
                          c.shiftRight(128).longValue(),
                          c.shiftRight(192).longValue()));
        }
        sink.end(i);
      }
    }
  }

  /** Replays constraints into memory, coefficients of one variable summed. */
  public static Listed list(Constraints constraints, long first, long count) throws Exception {
    List<List<TreeMap<Long, BigInteger>>> rows = new ArrayList<>();
    BigInteger p = constraints.field().modulus();
    constraints.forEach(
        first,
        count,
        new Constraints.Sink() {
          private List<TreeMap<Long, BigInteger>> row = empty();

          @Override
          public void term(int matrix, long variable, long c0, long c1, long c2, long c3) {
            BigInteger c = BigInteger.ZERO;
            for (long word : new long[] {c3, c2, c1, c0}) {
              c = c.shiftLeft(64).add(new BigInteger(Long.toUnsignedString(word)));
            }
            row.get(matrix).merge(variable, c, (x, y) -> x.add(y).mod(p));
          }

          @Override
          public void end(long constraint) {
            if (constraint != first + rows.size()) {
              throw new AssertionError("constraint " + constraint + " out of order");
            }
            rows.add(row);
            row = empty();
          }
        });
    return new Listed(
        constraints.field(), constraints.variables(), constraints.publicInputs(), rows);
  }

  private static List<TreeMap<Long, BigInteger>> empty() {
    return List.of(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
  }
}
