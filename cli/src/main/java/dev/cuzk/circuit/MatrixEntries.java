package dev.cuzk.circuit;

import dev.cuzk.format.InputException;
import dev.cuzk.math.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The terms of A and B as entries of 44 bytes, as .zkey section 4 and {@code cuzk_entry} have them:
 * matrix, row and variable (u32 each), the coefficient times R². Rows {@code constraints + i} say
 * {@code input_i · 0 = 0} for ONE and each public input, which every Groth16 key appends.
 *
 * <p>Entries are made by replaying the constraints, from the first on. Not thread-safe.
 */
public final class MatrixEntries {
  /** Bytes of an entry. */
  public static final int BYTES = 44;

  private static final int CONSTRAINTS_AT_ONCE = 1 << 10;

  private final Constraints constraints;
  private final Field field;
  private final long[] rSquared;
  private final long[] value;
  private ByteBuffer ready = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN).limit(0);
  private long nextRow;
  private long taken;

  public MatrixEntries(Constraints constraints) {
    this.constraints = constraints;
    this.field = constraints.field();
    this.value = new long[field.size()];
    // The coefficient 1, by far the most frequent: R² is the Montgomery form of R, which is that
    // of 1.
    this.rSquared = new long[field.size()];
    field.setOne(rSquared, 0);
    field.toMontgomery(rSquared, 0, rSquared, 0);
  }

  /** How many entries there are; by one replay, unless the matrices are known as gadgets. */
  public static long count(Constraints constraints) throws InputException {
    long[] count = {constraints.publicInputs() + 1L};
    Optional<CompactMatrices> compact = constraints.compact();
    if (compact.isPresent()) {
      return count[0] + compact.get().terms(Constraints.A) + compact.get().terms(Constraints.B);
    }
    constraints.forEach(
        0,
        constraints.constraints(),
        new Constraints.Sink() {
          @Override
          public void term(int matrix, long variable, long c0, long c1, long c2, long c3) {
            count[0] += matrix == Constraints.C ? 0 : 1;
          }

          @Override
          public void end(long constraint) {}
        });
    return count[0];
  }

  /** Index of the next entry. */
  public long position() {
    return taken;
  }

  /** Starts again with the first entry. */
  public void rewind() {
    ready.limit(0);
    nextRow = 0;
    taken = 0;
  }

  /**
   * Puts the next entries into {@code target} until it is full or there are no more.
   *
   * @param target has room for whole entries
   * @return the number of entries, 0 at the end
   */
  public int read(ByteBuffer target) throws InputException {
    int entries = 0;
    while (target.remaining() >= BYTES && (ready.hasRemaining() || make())) {
      int bytes = Math.min(target.remaining() / BYTES * BYTES, ready.remaining());
      target.put(ready.slice().limit(bytes));
      ready.position(ready.position() + bytes);
      entries += bytes / BYTES;
    }
    taken += entries;
    return entries;
  }

  /** Makes the entries of some more rows. */
  private boolean make() throws InputException {
    long rows = constraints.constraints() + constraints.publicInputs() + 1;
    while (nextRow < rows) {
      ready.clear();
      if (nextRow < constraints.constraints()) {
        long count = Math.min(CONSTRAINTS_AT_ONCE, constraints.constraints() - nextRow);
        constraints.forEach(nextRow, count, new Encoder(nextRow));
        nextRow += count;
      } else {
        put(Constraints.A, nextRow, nextRow - constraints.constraints(), rSquared);
        nextRow++;
      }
      ready.flip();
      if (ready.hasRemaining()) {
        return true;
      }
    }
    return false;
  }

  private void put(int matrix, long row, long variable, long[] coefficient) {
    if (ready.remaining() < BYTES) {
      ready =
          ByteBuffer.allocate(2 * ready.capacity())
              .order(ByteOrder.LITTLE_ENDIAN)
              .put(ready.flip());
    }
    ready.putInt(matrix).putInt((int) row).putInt((int) variable);
    for (long word : coefficient) {
      ready.putLong(word);
    }
  }

  private final class Encoder implements Constraints.Sink {
    private long row;

    Encoder(long row) {
      this.row = row;
    }

    @Override
    public void term(int matrix, long variable, long c0, long c1, long c2, long c3) {
      if (matrix == Constraints.C) {
        return;
      }
      if (UnitCoefficients.isOne(c0, c1, c2, c3)) {
        put(matrix, row, variable, rSquared);
        return;
      }
      value[0] = c0;
      value[1] = c1;
      value[2] = c2;
      value[3] = c3;
      field.toMontgomery(value, 0, value, 0);
      field.toMontgomery(value, 0, value, 0);
      put(matrix, row, variable, value);
    }

    @Override
    public void end(long constraint) {
      row = constraint + 1;
    }
  }
}
