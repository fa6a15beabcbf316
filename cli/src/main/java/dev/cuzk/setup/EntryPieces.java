package dev.cuzk.setup;

import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.UnitCoefficients;
import dev.cuzk.format.ZkeyFile;
import dev.cuzk.format.ZkeyWriter;
import dev.cuzk.math.Field;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Turns terms of A and B into entries of .zkey section 4 (matrix, row, variable, value · R²) and
 * drops those of C, as snarkjs does. Rows come in order, from 0 on.
 */
final class EntryPieces implements Constraints.Sink {
  private final Field field;
  private final ZkeyWriter writer;
  private final ByteBuffer piece;
  private final long[] value = new long[4];
  private final long[] rSquared = new long[4];
  private long row;
  private long entries;

  EntryPieces(Field field, ZkeyWriter writer, int entriesPerPiece) {
    this.field = field;
    this.writer = writer;
    this.piece =
        ByteBuffer.allocate(entriesPerPiece * ZkeyFile.ENTRY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    // The coefficient 1, by far the most frequent: R² is the Montgomery form of R, which is that
    // of 1.
    field.setOne(rSquared, 0);
    field.toMontgomery(rSquared, 0, rSquared, 0);
  }

  @Override
  public void term(int matrix, long variable, long c0, long c1, long c2, long c3) {
    if (matrix == Constraints.C) {
      return;
    }
    if (!piece.hasRemaining()) {
      flush();
    }
    long[] stored = rSquared;
    if (!UnitCoefficients.isOne(c0, c1, c2, c3)) {
      value[0] = c0;
      value[1] = c1;
      value[2] = c2;
      value[3] = c3;
      field.toMontgomery(value, 0, value, 0);
      field.toMontgomery(value, 0, value, 0);
      stored = value;
    }
    piece.putInt(matrix).putInt((int) row).putInt((int) variable);
    piece.putLong(stored[0]).putLong(stored[1]).putLong(stored[2]).putLong(stored[3]);
    entries++;
  }

  @Override
  public void end(long constraint) {
    row = constraint + 1;
  }

  /** Writes what is left and gives the number of entries. */
  long finish() throws IOException {
    flush();
    return entries;
  }

  private void flush() {
    try {
      writer.append(piece.flip());
      piece.clear();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
