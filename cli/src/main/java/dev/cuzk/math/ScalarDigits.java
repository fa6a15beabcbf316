package dev.cuzk.math;

import java.math.BigInteger;

/**
 * Sums of products in BLS12-381's scalar field, on canonical numbers instead of Montgomery form.
 *
 * <p>A number stands in five digits of 51 bits, least significant first (so five hold a number
 * below 2^255 exactly), and in an <em>expanded</em> number the ten sums of two of these digits
 * follow. A product of expanded numbers takes 15 products of words in place of 25 (a_i b_j + a_j
 * b_i = (a_i + a_j)(b_i + b_j) − a_i b_i − a_j b_j), and a sum of products is reduced once.
 *
 * <p>A product of words is kept as x · y = low + 2^53 · high, where {@code low} is only known
 * modulo 2^64: sums of many need no mask and no carry, because sum(low) − 2^53 · sum(high), again
 * modulo 2^64, is the sum of the remainders below 2^53 and fits a word.
 *
 * <p>Holds room for the work: one instance serves one thread at a time.
 */
final class ScalarDigits {
  /** Words of a number. */
  static final int DIGITS = 5;

  /** Words of an expanded number. */
  static final int EXPANDED = 15;

  private static final int BITS = 51;
  private static final long MASK = (1L << BITS) - 1;

  /** Where a product of two words is cut, and how far one of them is shifted for it. */
  private static final int CUT = 53;

  private static final int SHIFT = Long.SIZE - CUT;

  /** A column is 2^51 times the one below, and what is cut off counts 2^53. */
  private static final int UP = CUT - BITS;

  private static final int COLUMNS = 9;

  /** Columns 6 to 9 of a sum of products are multiplied by 2^(51 · column) mod r. */
  private static final int FIRST_FOLDED = 6;

  private static final Field FIELD = Field.scalar(CurveId.BLS12_381);
  private static final BigInteger MODULUS = FIELD.modulus();

  /** r. */
  private static final long[] R = digits(MODULUS);

  /** The factors of columns 6 to 9, and the same shifted for the upper halves of products. */
  private static final long[] FOLD = new long[4 * DIGITS];

  private static final long[] FOLD_SHIFTED = new long[4 * DIGITS];

  /** 2^252 · 2^63 / r, rounded down: turns a number's bits from 252 on into its quotient by r. */
  private static final long QUOTIENT =
      BigInteger.ONE.shiftLeft(252 + 63).divide(MODULUS).longValueExact();

  static {
    for (int i = 0; i < 4; i++) {
      BigInteger factor = BigInteger.ONE.shiftLeft(BITS * (FIRST_FOLDED + i)).mod(MODULUS);
      System.arraycopy(digits(factor), 0, FOLD, i * DIGITS, DIGITS);
    }
    for (int i = 0; i < FOLD.length; i++) {
      FOLD_SHIFTED[i] = FOLD[i] << SHIFT;
    }
  }

  /** Sums of low and of high parts, by column. */
  private final long[] low = new long[COLUMNS];

  private final long[] high = new long[COLUMNS];

  /** The same of digits' and of sums' products, in an expanded number's order. */
  private final long[] lows = new long[EXPANDED];

  private final long[] highs = new long[EXPANDED];

  private static long[] digits(BigInteger number) {
    long[] digits = new long[DIGITS];
    for (int i = 0; i < DIGITS; i++) {
      digits[i] = number.shiftRight(i * BITS).longValue() & MASK;
    }
    return digits;
  }

  /** The digits of a number of four canonical words, not expanded. */
  static void load(long[] z, int zAt, long[] words, int at) {
    long w0 = words[at];
    long w1 = words[at + 1];
    long w2 = words[at + 2];
    long w3 = words[at + 3];
    z[zAt] = w0 & MASK;
    z[zAt + 1] = (w0 >>> 51 | w1 << 13) & MASK;
    z[zAt + 2] = (w1 >>> 38 | w2 << 26) & MASK;
    z[zAt + 3] = (w2 >>> 25 | w3 << 39) & MASK;
    z[zAt + 4] = w3 >>> 12;
  }

  /** The four canonical words of a number. */
  static void store(long[] words, int at, long[] x, int xAt) {
    long d1 = x[xAt + 1];
    long d2 = x[xAt + 2];
    long d3 = x[xAt + 3];
    words[at] = x[xAt] | d1 << 51;
    words[at + 1] = d1 >>> 13 | d2 << 38;
    words[at + 2] = d2 >>> 26 | d3 << 25;
    words[at + 3] = d3 >>> 39 | x[xAt + 4] << 12;
  }

  /** Fills in the sums behind a number's digits. */
  static void expand(long[] x, int at) {
    long d0 = x[at];
    long d1 = x[at + 1];
    long d2 = x[at + 2];
    long d3 = x[at + 3];
    long d4 = x[at + 4];
    x[at + 5] = d0 + d1;
    x[at + 6] = d0 + d2;
    x[at + 7] = d0 + d3;
    x[at + 8] = d0 + d4;
    x[at + 9] = d1 + d2;
    x[at + 10] = d1 + d3;
    x[at + 11] = d1 + d4;
    x[at + 12] = d2 + d3;
    x[at + 13] = d2 + d4;
    x[at + 14] = d3 + d4;
  }

  /**
   * z = x + y without carries: digits below 2^52, which products still take as their first factor.
   */
  static void addDigits(long[] z, int zAt, long[] x, int xAt, long[] y, int yAt) {
    for (int i = 0; i < DIGITS; i++) {
      z[zAt + i] = x[xAt + i] + y[yAt + i];
    }
  }

  /**
   * z = Σ x_i · y_i for so many (at most 12) expanded numbers that stand one behind the other,
   * expanded. z may be one of them.
   *
   * @param plus a number to add, or null
   */
  void dot(
      long[] z, int zAt, long[] x, int xAt, long[] y, int yAt, int count, long[] plus, int plusAt) {
    for (int pair = 0; pair < EXPANDED; pair += 3) {
      sumPairs(pair, x, xAt + pair, y, yAt + pair, count);
    }
    combine();
    if (plus != null) {
      plus(plus, plusAt);
    }
    reduce(z, zAt);
    expand(z, zAt);
  }

  /** Three of the fifteen sums; these loops are where the time goes. */
  private void sumPairs(int pair, long[] x, int xAt, long[] y, int yAt, int count) {
    long l0 = 0;
    long l1 = 0;
    long l2 = 0;
    long h0 = 0;
    long h1 = 0;
    long h2 = 0;
    for (int i = 0; i < count; i++) {
      int a = xAt + i * EXPANDED;
      int b = yAt + i * EXPANDED;
      long x0 = x[a];
      long y0 = y[b];
      l0 += x0 * y0;
      h0 += high(x0, y0);
      long x1 = x[a + 1];
      long y1 = y[b + 1];
      l1 += x1 * y1;
      h1 += high(x1, y1);
      long x2 = x[a + 2];
      long y2 = y[b + 2];
      l2 += x2 * y2;
      h2 += high(x2, y2);
    }
    lows[pair] = l0;
    lows[pair + 1] = l1;
    lows[pair + 2] = l2;
    highs[pair] = h0;
    highs[pair + 1] = h1;
    highs[pair + 2] = h2;
  }

  private void combine() {
    combine(low, lows);
    combine(high, highs);
  }

  /** Columns from the products of digits and of their sums. */
  private static void combine(long[] columns, long[] s) {
    long d0 = s[0];
    long d1 = s[1];
    long d2 = s[2];
    long d3 = s[3];
    long d4 = s[4];
    long d01 = d0 + d1;
    long d23 = d2 + d3;
    columns[0] = d0;
    columns[1] = s[5] - d01;
    columns[2] = s[6] - d0 - d2 + d1;
    columns[3] = s[7] + s[9] - d01 - d23;
    columns[4] = s[8] + s[10] + d2 - d0 - d4 - d1 - d3;
    columns[5] = s[11] + s[12] - d1 - d4 - d23;
    columns[6] = s[13] - d2 - d4 + d3;
    columns[7] = s[14] - d3 - d4;
    columns[8] = d4;
  }

  private void plus(long[] x, int at) {
    for (int i = 0; i < DIGITS; i++) {
      low[i] += x[at + i];
    }
  }

  /** z = x², not expanded; x may have digits below 2^52. */
  void square(long[] z, int zAt, long[] x, int at) {
    long a0 = x[at];
    long a1 = x[at + 1];
    long a2 = x[at + 2];
    long a3 = x[at + 3];
    long a4 = x[at + 4];
    long t0 = a0 << 1;
    long t1 = a1 << 1;
    long t2 = a2 << 1;
    long t3 = a3 << 1;
    low[0] = a0 * a0;
    low[1] = t0 * a1;
    low[2] = t0 * a2 + a1 * a1;
    low[3] = t0 * a3 + t1 * a2;
    low[4] = t0 * a4 + t1 * a3 + a2 * a2;
    low[5] = t1 * a4 + t2 * a3;
    low[6] = t2 * a4 + a3 * a3;
    low[7] = t3 * a4;
    low[8] = a4 * a4;
    high[0] = high(a0, a0);
    high[1] = high(t0, a1);
    high[2] = high(t0, a2) + high(a1, a1);
    high[3] = high(t0, a3) + high(t1, a2);
    high[4] = high(t0, a4) + high(t1, a3) + high(a2, a2);
    high[5] = high(t1, a4) + high(t2, a3);
    high[6] = high(t2, a4) + high(a3, a3);
    high[7] = high(t3, a4);
    high[8] = high(a4, a4);
    reduce(z, zAt);
  }

  private static long high(long a, long b) {
    return Math.multiplyHigh(a, b << SHIFT);
  }

  /**
   * z = x · y + plus, expanded, of numbers that need not be; x may have digits below 2^52.
   *
   * @param plus a number to add, or null
   */
  void multiply(long[] z, int zAt, long[] x, int xAt, long[] y, int yAt, long[] plus, int plusAt) {
    for (int i = 0; i < DIGITS; i++) {
      lows[i] = x[xAt + i] * y[yAt + i];
      highs[i] = high(x[xAt + i], y[yAt + i]);
    }
    int pair = DIGITS;
    for (int i = 0; i < DIGITS; i++) {
      for (int j = i + 1; j < DIGITS; j++, pair++) {
        long a = x[xAt + i] + x[xAt + j];
        long b = y[yAt + i] + y[yAt + j];
        lows[pair] = a * b;
        highs[pair] = high(a, b);
      }
    }
    combine();
    if (plus != null) {
      plus(plus, plusAt);
    }
    reduce(z, zAt);
    expand(z, zAt);
  }

  /**
   * z = the sum in the columns, which is below 2^516, modulo r. Columns 6 to 9 are folded to below
   * column 5 first; what is then above bit 252 gives the quotient to within 1.
   */
  private void reduce(long[] z, int zAt) {
    long t = low[0] - (high[0] << CUT);
    final long c0 = t & MASK;
    t = low[1] - (high[1] << CUT) + (high[0] << UP) + (t >> BITS);
    final long c1 = t & MASK;
    t = low[2] - (high[2] << CUT) + (high[1] << UP) + (t >> BITS);
    final long c2 = t & MASK;
    t = low[3] - (high[3] << CUT) + (high[2] << UP) + (t >> BITS);
    final long c3 = t & MASK;
    t = low[4] - (high[4] << CUT) + (high[3] << UP) + (t >> BITS);
    final long c4 = t & MASK;
    t = low[5] - (high[5] << CUT) + (high[4] << UP) + (t >> BITS);
    final long c5 = t & MASK;
    t = low[6] - (high[6] << CUT) + (high[5] << UP) + (t >> BITS);
    final long c6 = t & MASK;
    t = low[7] - (high[7] << CUT) + (high[6] << UP) + (t >> BITS);
    final long c7 = t & MASK;
    t = low[8] - (high[8] << CUT) + (high[7] << UP) + (t >> BITS);
    final long c8 = t & MASK;
    final long c9 = (high[8] << UP) + (t >> BITS);
    long h = foldHigh(0, c6, c7, c8, c9);
    t = c0 + foldLow(0, c6, c7, c8, c9) - (h << CUT);
    final long u0 = t & MASK;
    long below = h << UP;
    h = foldHigh(1, c6, c7, c8, c9);
    t = c1 + foldLow(1, c6, c7, c8, c9) - (h << CUT) + below + (t >> BITS);
    final long u1 = t & MASK;
    below = h << UP;
    h = foldHigh(2, c6, c7, c8, c9);
    t = c2 + foldLow(2, c6, c7, c8, c9) - (h << CUT) + below + (t >> BITS);
    final long u2 = t & MASK;
    below = h << UP;
    h = foldHigh(3, c6, c7, c8, c9);
    t = c3 + foldLow(3, c6, c7, c8, c9) - (h << CUT) + below + (t >> BITS);
    final long u3 = t & MASK;
    below = h << UP;
    h = foldHigh(4, c6, c7, c8, c9);
    t = c4 + foldLow(4, c6, c7, c8, c9) - (h << CUT) + below + (t >> BITS);
    final long u4 = t & MASK;
    final long u5 = c5 + (h << UP) + (t >> BITS);
    takeMultiple(z, zAt, u0, u1, u2, u3, u4, u5);
  }

  private static long foldLow(int digit, long c6, long c7, long c8, long c9) {
    return c6 * FOLD[digit]
        + c7 * FOLD[DIGITS + digit]
        + c8 * FOLD[2 * DIGITS + digit]
        + c9 * FOLD[3 * DIGITS + digit];
  }

  private static long foldHigh(int digit, long c6, long c7, long c8, long c9) {
    return Math.multiplyHigh(c6, FOLD_SHIFTED[digit])
        + Math.multiplyHigh(c7, FOLD_SHIFTED[DIGITS + digit])
        + Math.multiplyHigh(c8, FOLD_SHIFTED[2 * DIGITS + digit])
        + Math.multiplyHigh(c9, FOLD_SHIFTED[3 * DIGITS + digit]);
  }

  /** z = u mod r, for u below 2^315. */
  private static void takeMultiple(
      long[] z, int zAt, long u0, long u1, long u2, long u3, long u4, long u5) {
    // The quotient, or one less: 48 = 252 − 4 · 51.
    final long q = Math.multiplyHigh((u5 << 3 | u4 >>> 48) << 1, QUOTIENT);
    final long h0 = high(q, R[0]);
    final long h1 = high(q, R[1]);
    final long h2 = high(q, R[2]);
    final long h3 = high(q, R[3]);
    long t = u0 - q * R[0] + (h0 << CUT);
    final long v0 = t & MASK;
    t = u1 - q * R[1] + (h1 << CUT) - (h0 << UP) + (t >> BITS);
    final long v1 = t & MASK;
    t = u2 - q * R[2] + (h2 << CUT) - (h1 << UP) + (t >> BITS);
    final long v2 = t & MASK;
    t = u3 - q * R[3] + (h3 << CUT) - (h2 << UP) + (t >> BITS);
    final long v3 = t & MASK;
    // The rest is below 2r: modulo 2^64 its top digit is right.
    final long v4 = u4 + (u5 << BITS) - q * R[4] - (h3 << UP) + (t >> BITS);
    t = v0 - R[0];
    final long d0 = t & MASK;
    t = v1 - R[1] + (t >> BITS);
    final long d1 = t & MASK;
    t = v2 - R[2] + (t >> BITS);
    final long d2 = t & MASK;
    t = v3 - R[3] + (t >> BITS);
    final long d3 = t & MASK;
    final long d4 = v4 - R[4] + (t >> BITS);
    final long keep = d4 >> 63;
    z[zAt] = d0 ^ (v0 ^ d0) & keep;
    z[zAt + 1] = d1 ^ (v1 ^ d1) & keep;
    z[zAt + 2] = d2 ^ (v2 ^ d2) & keep;
    z[zAt + 3] = d3 ^ (v3 ^ d3) & keep;
    z[zAt + 4] = d4 ^ (v4 ^ d4) & keep;
  }
}
