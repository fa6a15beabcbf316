package dev.cuzk.synthesis.filecoin;

import dev.cuzk.memory.ScalarTarget;
import java.util.Arrays;

/**
 * Writes a stretch of an assignment, value after value: 32 bytes each, canonical, little-endian.
 *
 * <p>Values gather in a piece that fits the first cache and go to memory together. Most values of
 * these circuits are bits, so the piece holds zeros before it is filled, and a bit costs one store.
 */
final class ValueWriter {
  /** Bytes of a value. */
  static final int VALUE_BYTES = 32;

  /** 64-bit words of a value. */
  static final int WORDS = 4;

  private static final int PIECE_WORDS = 1024 * WORDS;

  private final ScalarTarget target;
  private final long end;
  private final long[] piece = new long[PIECE_WORDS];
  private long next;
  private int filled;

  /**
   * @param first index of the first value
   * @param count how many there is room for
   */
  ValueWriter(ScalarTarget target, long first, long count) {
    this.target = target;
    this.next = first;
    this.end = first + count;
  }

  /** Memory that a writer takes. */
  static long bytes() {
    return PIECE_WORDS * (long) Long.BYTES;
  }

  private void makeRoom(int values) {
    if (filled + values * WORDS > PIECE_WORDS) {
      flush();
    }
  }

  /** Bits 0 … count − 1 of a word, a value each. */
  void bits(long word, int count) {
    makeRoom(count);
    for (int i = 0; i < count; i++) {
      piece[filled + i * WORDS] = word >>> i & 1;
    }
    filled += count * WORDS;
  }

  /** Those bits of a word that a mask has, from bit 0 upwards. */
  void bitsWhere(int word, int mask) {
    if ((mask & mask + 1) == 0) {
      bits(word, Integer.bitCount(mask));
      return;
    }
    for (int rest = mask; rest != 0; rest &= rest - 1) {
      bits(word >>> Integer.numberOfTrailingZeros(rest), 1);
    }
  }

  /** All 32 bits of two words by turns: bit 0 of the first, of the second, bit 1 of the first … */
  void bitPairs(int first, int second) {
    makeRoom(2 * Integer.SIZE);
    for (int i = 0; i < Integer.SIZE; i++) {
      piece[filled + 2 * i * WORDS] = first >>> i & 1;
      piece[filled + (2 * i + 1) * WORDS] = second >>> i & 1;
    }
    filled += 2 * Integer.SIZE * WORDS;
  }

  /** A value of four words. */
  void number(long[] words, int at) {
    makeRoom(1);
    System.arraycopy(words, at, piece, filled, WORDS);
    filled += WORDS;
  }

  /** A value below 2^64. */
  void number(long value) {
    makeRoom(1);
    piece[filled] = value;
    filled += WORDS;
  }

  private void flush() {
    int values = filled / WORDS;
    if (values > end - next) {
      throw new IllegalStateException("more values than the circuit has");
    }
    if (values > 0) {
      target.put(next, piece, values);
    }
    next += values;
    Arrays.fill(piece, 0, filled, 0);
    filled = 0;
  }

  /** Writes what was gathered, and shows that every value is there. */
  void finish() {
    flush();
    if (next != end) {
      throw new IllegalStateException("fewer values than the circuit has");
    }
  }
}
