package dev.cuzk.circuit;

import java.util.Arrays;

/** A set of variables, by their indices: one bit each. Not safe for use while it is changed. */
public final class VariableSet {
  private static final int WORD_BITS = Long.SIZE;

  private long[] words;

  /** An empty set with room for indices below {@code size}; more room is made when needed. */
  VariableSet(long size) {
    this.words = new long[Math.toIntExact((size + WORD_BITS - 1) / WORD_BITS)];
  }

  /** Whether a variable is in the set. */
  public boolean contains(long variable) {
    int word = (int) (variable / WORD_BITS);
    return word < words.length && (words[word] >>> variable & 1) == 1;
  }

  /** How many variables first … end − 1 are in the set. */
  public long count(long first, long end) {
    long count = 0;
    for (long at = first; at < end; ) {
      long wordEnd = Math.min(end, (at / WORD_BITS + 1) * WORD_BITS);
      int word = (int) (at / WORD_BITS);
      if (word >= words.length) {
        return count;
      }
      long below = wordEnd % WORD_BITS == 0 ? -1L : (1L << wordEnd) - 1;
      count += Long.bitCount(words[word] & below & -1L << at);
      at = wordEnd;
    }
    return count;
  }

  /**
   * The set as words, 64 variables each, the lowest in the least significant bit; not to be
   * changed.
   */
  public long[] words() {
    return words;
  }

  void add(long variable) {
    int word = (int) (variable / WORD_BITS);
    if (word >= words.length) {
      words = Arrays.copyOf(words, Math.max(word + 1, 2 * words.length));
    }
    words[word] |= 1L << variable;
  }

  /** Adds all of another set, moved up by {@code distance}; there must be room. */
  void add(VariableSet other, long distance) {
    int word = (int) (distance / WORD_BITS);
    int shift = (int) (distance % WORD_BITS);
    for (int i = 0; i < other.words.length; i++) {
      long bits = other.words[i];
      if (bits == 0) {
        continue;
      }
      words[word + i] |= bits << shift;
      long carried = shift == 0 ? 0 : bits >>> WORD_BITS - shift;
      if (carried != 0) {
        words[word + i + 1] |= carried;
      }
    }
  }
}
