package dev.cuzk.circuit;

import dev.cuzk.math.Field;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * A sum of variables times coefficients. Mutable and made to be reused: {@link #clear} and fill
 * again costs no allocation. Coefficients are canonical words, least significant first, four a
 * term.
 *
 * <p>Not safe for use by several threads.
 */
public final class LinearCombination {
  private static final int WORDS = 4;

  private final Field field;
  private final long[] one = {1, 0, 0, 0};
  private final long[] minusOne = new long[WORDS];
  private int[] variables = new int[4];
  private long[] coefficients = new long[4 * WORDS];
  private int size;

  /** An empty combination, which is zero. */
  public LinearCombination(Field field) {
    if (field.size() != WORDS) {
      throw new IllegalArgumentException("coefficients have four words");
    }
    this.field = field;
    words(field.modulus().subtract(BigInteger.ONE), minusOne);
  }

  /** Takes all terms out. */
  public LinearCombination clear() {
    size = 0;
    return this;
  }

  /** Adds a variable once. */
  public LinearCombination plus(int variable) {
    return append(variable, one);
  }

  /** Subtracts a variable once. */
  public LinearCombination minus(int variable) {
    return append(variable, minusOne);
  }

  /** Adds a variable times any integer, which is taken modulo the field's prime. */
  public LinearCombination plus(int variable, BigInteger coefficient) {
    long[] canonical = new long[WORDS];
    words(coefficient.mod(field.modulus()), canonical);
    return append(variable, canonical);
  }

  /** Number of terms, as they were added: {@link #normalize} makes them one a variable. */
  public int size() {
    return size;
  }

  /** Code of the variable of term i. */
  public int variable(int i) {
    return variables[i];
  }

  /** Word {@code word} (0 = least significant) of the canonical coefficient of term i. */
  public long coefficient(int i, int word) {
    return coefficients[WORDS * i + word];
  }

  /**
   * Brings the terms into ascending order of their codes (unsigned: inputs before auxiliaries), one
   * a variable, without zero coefficients: the form that r1cs-digest-v1 hashes.
   */
  public LinearCombination normalize() {
    sort();
    int kept = 0;
    for (int i = 0; i < size; ) {
      int target = WORDS * kept;
      int variable = variables[i];
      System.arraycopy(coefficients, WORDS * i, coefficients, target, WORDS);
      for (i++; i < size && variables[i] == variable; i++) {
        field.add(coefficients, target, coefficients, target, coefficients, WORDS * i);
      }
      if (!field.isZero(coefficients, target)) {
        variables[kept++] = variable;
      }
    }
    size = kept;
    return this;
  }

  /** Insertion sort: combinations come nearly sorted, because variables are allocated in order. */
  private void sort() {
    long[] moved = new long[WORDS];
    for (int i = 1; i < size; i++) {
      int variable = variables[i];
      if (Integer.compareUnsigned(variables[i - 1], variable) <= 0) {
        continue;
      }
      System.arraycopy(coefficients, WORDS * i, moved, 0, WORDS);
      int j = i;
      for (; j > 0 && Integer.compareUnsigned(variables[j - 1], variable) > 0; j--) {
        variables[j] = variables[j - 1];
        System.arraycopy(coefficients, WORDS * (j - 1), coefficients, WORDS * j, WORDS);
      }
      variables[j] = variable;
      System.arraycopy(moved, 0, coefficients, WORDS * j, WORDS);
    }
  }

  private LinearCombination append(int variable, long[] coefficient) {
    if (size == variables.length) {
      variables = Arrays.copyOf(variables, 2 * size);
      coefficients = Arrays.copyOf(coefficients, 2 * WORDS * size);
    }
    variables[size] = variable;
    System.arraycopy(coefficient, 0, coefficients, WORDS * size, WORDS);
    size++;
    return this;
  }

  private static void words(BigInteger canonical, long[] target) {
    for (int i = 0; i < WORDS; i++) {
      target[i] = canonical.shiftRight(64 * i).longValue();
    }
  }
}
