package dev.cuzk.circuit;

import dev.cuzk.math.Field;
import java.math.BigInteger;
import java.nio.ByteBuffer;
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
  private static final BigInteger MINUS_ONE = BigInteger.ONE.negate();

  /** Terms that insertion sort may pass before it gives up. */
  private static final int MOST_MOVES = 200;

  private final Field field;
  private int[] variables = new int[4];
  private long[] coefficients = new long[4 * WORDS];
  private int size;

  /** An empty combination, which is zero. */
  public LinearCombination(Field field) {
    if (field.size() != WORDS) {
      throw new IllegalArgumentException("coefficients have four words");
    }
    this.field = field;
  }

  /** Takes all terms out. */
  public LinearCombination clear() {
    size = 0;
    return this;
  }

  /** Adds a variable once. */
  public LinearCombination plus(int variable) {
    return plus(variable, 1, 0, 0, 0);
  }

  /** Subtracts a variable once. */
  public LinearCombination minus(int variable) {
    plus(variable, 1, 0, 0, 0);
    field.negate(coefficients, WORDS * (size - 1), coefficients, WORDS * (size - 1));
    return this;
  }

  /** Adds a variable times any integer, which is taken modulo the field's prime. */
  public LinearCombination plus(int variable, BigInteger coefficient) {
    if (coefficient.equals(MINUS_ONE)) {
      return minus(variable);
    }
    if (coefficient.signum() >= 0 && coefficient.bitLength() < Long.SIZE) {
      return plus(variable, coefficient.longValue(), 0, 0, 0);
    }
    BigInteger canonical = coefficient.mod(field.modulus());
    return plus(
        variable,
        canonical.longValue(),
        canonical.shiftRight(64).longValue(),
        canonical.shiftRight(128).longValue(),
        canonical.shiftRight(192).longValue());
  }

  /** Adds a variable times a canonical coefficient, given by its words, least significant first. */
  LinearCombination plus(int variable, long c0, long c1, long c2, long c3) {
    if (size == variables.length) {
      variables = Arrays.copyOf(variables, 2 * size);
      coefficients = Arrays.copyOf(coefficients, 2 * WORDS * size);
    }
    int at = WORDS * size;
    variables[size++] = variable;
    coefficients[at] = c0;
    coefficients[at + 1] = c1;
    coefficients[at + 2] = c2;
    coefficients[at + 3] = c3;
    return this;
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

  /**
   * Insertion sort for the short and the nearly sorted, as most are, because variables are
   * allocated in order; any other combination by its codes and places.
   */
  private void sort() {
    long moves = 0;
    for (int i = 1; i < size && moves <= MOST_MOVES; i++) {
      moves += insert(i);
    }
    if (moves > MOST_MOVES) {
      sortByKeys();
    }
  }

  /** Brings term i into its place among the terms before it; gives how many it passed. */
  private int insert(int i) {
    int variable = variables[i];
    int j = i;
    while (j > 0 && Integer.compareUnsigned(variables[j - 1], variable) > 0) {
      j--;
    }
    if (j < i) {
      long[] moved = Arrays.copyOfRange(coefficients, WORDS * i, WORDS * (i + 1));
      System.arraycopy(variables, j, variables, j + 1, i - j);
      System.arraycopy(coefficients, WORDS * j, coefficients, WORDS * (j + 1), WORDS * (i - j));
      variables[j] = variable;
      System.arraycopy(moved, 0, coefficients, WORDS * j, WORDS);
    }
    return i - j;
  }

  private void sortByKeys() {
    long[] keys = new long[size];
    for (int i = 0; i < size; i++) {
      keys[i] = (long) (variables[i] ^ Integer.MIN_VALUE) << 32 | i;
    }
    Arrays.sort(keys);
    long[] unsorted = coefficients.clone();
    for (int i = 0; i < size; i++) {
      variables[i] = (int) (keys[i] >> 32) ^ Integer.MIN_VALUE;
      System.arraycopy(unsorted, WORDS * (int) keys[i], coefficients, WORDS * i, WORDS);
    }
  }

  /** Adds another combination times a factor, four words in Montgomery form. */
  public LinearCombination plus(LinearCombination other, long[] factor, int at) {
    for (int i = 0; i < other.size; i++) {
      plus(other.variables[i]);
      // A canonical value times one in Montgomery form is canonical.
      field.multiply(coefficients, WORDS * (size - 1), other.coefficients, WORDS * i, factor, at);
    }
    return this;
  }

  /** The canonical coefficient of term i. */
  public BigInteger coefficient(int i) {
    int at = WORDS * i;
    boolean small = (coefficients[at + 1] | coefficients[at + 2] | coefficients[at + 3]) == 0;
    if (small && coefficients[at] >= 0) {
      return BigInteger.valueOf(coefficients[at]);
    }
    ByteBuffer bigEndian = ByteBuffer.allocate(WORDS * Long.BYTES);
    for (int word = WORDS - 1; word >= 0; word--) {
      bigEndian.putLong(coefficients[at + word]);
    }
    return new BigInteger(1, bigEndian.array());
  }

  /** The canonical value of the combination. */
  public BigInteger evaluate(Assignment assignment) {
    BigInteger sum = BigInteger.ZERO;
    for (int i = 0; i < size; i++) {
      BigInteger value = assignment.value(variables[i]);
      if (value.signum() != 0) {
        BigInteger coefficient = coefficient(i);
        sum = sum.add(value.equals(BigInteger.ONE) ? coefficient : coefficient.multiply(value));
      }
    }
    return sum.mod(field.modulus());
  }
}
