package dev.cuzk.setup;

import java.util.Arrays;

/**
 * Four words for each index, on the heap in pieces, so that 2^27 scalars are no single array.
 *
 * <p>Several threads may use different indices at a time.
 */
final class ScalarTable {
  private static final int LOG2_PER_PIECE = 16;
  private static final int WORDS = 4;
  private static final int MASK = (1 << LOG2_PER_PIECE) - 1;

  private final long[][] pieces;
  private final long size;

  /** All zero. */
  ScalarTable(long size) {
    this.size = size;
    int count = (int) ((size + MASK) >> LOG2_PER_PIECE);
    pieces = new long[count][];
    for (int i = 0; i < count; i++) {
      long entries = Math.min(1L << LOG2_PER_PIECE, size - ((long) i << LOG2_PER_PIECE));
      pieces[i] = new long[(int) entries * WORDS];
    }
  }

  long size() {
    return size;
  }

  /** The array that holds the entry of this index, from {@link #offset} on. */
  long[] array(long index) {
    return pieces[(int) (index >> LOG2_PER_PIECE)];
  }

  int offset(long index) {
    return (int) (index & MASK) * WORDS;
  }

  /** Overwrites everything with zeros. */
  void clear() {
    for (long[] piece : pieces) {
      Arrays.fill(piece, 0);
    }
  }
}
