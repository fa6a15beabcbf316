package dev.cuzk.circuit;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The distinct coefficients of a constraint system, numbered in the order of their first use:
 * circuits have a few thousand, most of them in millions of terms. Grows while templates are
 * recorded; reading is safe for several threads afterwards.
 */
final class CoefficientTable {
  /** A term keeps the number of its coefficient in 16 bits. */
  static final int CAPACITY = 1 << 16;

  private static final int WORDS = 4;

  private final Map<Element, Integer> numbers = new HashMap<>();
  private long[] words = new long[64 * WORDS];

  private record Element(long c0, long c1, long c2, long c3) {
    /** Powers of two, which most are, must spread: the usual hash folds them onto 32 values. */
    @Override
    public int hashCode() {
      long mixed = c0 * 0x9E3779B97F4A7C15L + c1;
      mixed = Long.rotateLeft(mixed, 29) * 0xBF58476D1CE4E5B9L + c2;
      mixed = Long.rotateLeft(mixed, 29) * 0x94D049BB133111EBL + c3;
      return (int) (mixed * 0x9E3779B97F4A7C15L >>> 32);
    }
  }

  /** Number of the coefficient of term i of a combination. */
  char number(LinearCombination combination, int i) {
    return number(
        combination.coefficient(i, 0),
        combination.coefficient(i, 1),
        combination.coefficient(i, 2),
        combination.coefficient(i, 3));
  }

  /** Number of a coefficient: canonical words, least significant first. */
  char number(long c0, long c1, long c2, long c3) {
    Element element = new Element(c0, c1, c2, c3);
    Integer known = numbers.get(element);
    if (known != null) {
      return (char) known.intValue();
    }
    int number = numbers.size();
    if (number == CAPACITY) {
      throw new IllegalStateException("more than 65,536 distinct coefficients");
    }
    if (WORDS * number == words.length) {
      words = Arrays.copyOf(words, 2 * words.length);
    }
    words[WORDS * number] = c0;
    words[WORDS * number + 1] = c1;
    words[WORDS * number + 2] = c2;
    words[WORDS * number + 3] = c3;
    numbers.put(element, number);
    return (char) number;
  }

  int size() {
    return numbers.size();
  }

  /** The words of all coefficients, four each; more room may follow. */
  long[] words() {
    return words;
  }
}
