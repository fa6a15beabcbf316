package dev.cuzk.memory;

import java.nio.LongBuffer;

/** Where the scalars of an assignment go: any range at a time, from several threads at once. */
public interface ScalarTarget {
  /** 64-bit words of a scalar. */
  int WORDS = 4;

  /**
   * Puts scalars first … first + count − 1.
   *
   * @param words canonical, four words each, the least significant first, from index 0 on
   */
  void put(long first, long[] words, int count);

  /** As they are, 32 bytes each, little-endian. */
  static ScalarTarget of(Buffer buffer) {
    return (first, words, count) -> {
      LongBuffer view =
          buffer.view(first * WORDS * Long.BYTES, count * WORDS * Long.BYTES).asLongBuffer();
      view.put(words, 0, count * WORDS);
    };
  }
}
