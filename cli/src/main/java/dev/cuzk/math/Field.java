package dev.cuzk.math;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * A prime field in Montgomery form. An element x stands as x · R mod p, R = 2^(64 · limbs), in
 * {@link #size()} longs (least significant first) of a {@code long[]} at an offset, always reduced
 * to [0, p). These are the very words that .zkey files hold, so a file's Montgomery values are
 * loaded and stored unchanged ({@link #load}, {@link #store}).
 *
 * <p>Four limbs hold primes of up to 255 bits, tiny ones included (exact algebra tests use those),
 * six hold primes of up to 383 bits. One source serves both: the last two limbs stand behind a
 * branch that the compiler sees as constant.
 *
 * <p>Instances are immutable and safe for use by several threads; no operation allocates unless it
 * takes or gives a {@link BigInteger} or an array. A result may be the same element as an operand.
 */
public final class Field implements AlgebraicField {
  private static final int NARROW_LIMBS = 4;
  private static final int WIDE_LIMBS = 6;
  private static final long MASK = (1L << 55) - 1;

  private final BigInteger modulus;
  private final boolean wide;
  private final int limbs;
  private final long p0;
  private final long p1;
  private final long p2;
  private final long p3;
  private final long p4;
  private final long p5;

  /** p in digits of 55 bits. */
  private final long q0;

  private final long q1;
  private final long q2;
  private final long q3;
  private final long q4;
  private final long q5;
  private final long q6;

  /** How far 2^(55 · digits) is above R = 2^(64 · limbs), in bits. */
  private final int yShift;

  /** −1/p mod 2^64. */
  private final long negativeInverse;

  private final long[] one;
  private final long[] rSquared;
  private final long[] rawOne;
  private final long[] modulusMinusTwo;

  /** (p + 1) / 4 if p = 3 mod 4, as the base fields of both curves have it; null if not. */
  private final long[] rootExponent;

  /** Both fields of a curve are made when first asked for: a run uses one curve, mostly. */
  private static final class Scalars {
    private static final Field BN254 = new Field(CurveId.BN254.scalarModulus());
    private static final Field BLS12_381 = new Field(CurveId.BLS12_381.scalarModulus());
  }

  private static final class Bases {
    private static final Field BN254 = new Field(CurveId.BN254.baseModulus());
    private static final Field BLS12_381 = new Field(CurveId.BLS12_381.baseModulus());
  }

  /** The field that scalars (witness values, public signals) lie in: modulus r, 4 limbs. */
  public static Field scalar(CurveId curve) {
    return curve == CurveId.BN254 ? Scalars.BN254 : Scalars.BLS12_381;
  }

  /** The field that coordinates lie in: modulus p, 4 limbs (BN254) or 6 (BLS12-381). */
  public static Field base(CurveId curve) {
    return curve == CurveId.BN254 ? Bases.BN254 : Bases.BLS12_381;
  }

  /**
   * The field of a given odd prime, which is not tested for being one.
   *
   * @throws IllegalArgumentException if the modulus is even, below 3, or above 383 bits
   */
  public Field(BigInteger modulus) {
    if (modulus.signum() <= 0 || !modulus.testBit(0) || modulus.equals(BigInteger.ONE)) {
      throw new IllegalArgumentException("the modulus must be an odd prime");
    }
    this.modulus = modulus;
    // A clear top bit lets a sum of two elements stay within the limbs.
    this.wide = modulus.bitLength() >= 64 * NARROW_LIMBS;
    this.limbs = wide ? WIDE_LIMBS : NARROW_LIMBS;
    if (modulus.bitLength() >= 64 * limbs) {
      throw new IllegalArgumentException("the modulus is too large");
    }
    long[] p = toLimbs(modulus);
    this.p0 = p[0];
    this.p1 = p[1];
    this.p2 = p[2];
    this.p3 = p[3];
    this.p4 = wide ? p[4] : 0;
    this.p5 = wide ? p[5] : 0;
    this.q0 = p[0] & MASK;
    this.q1 = (p[0] >>> 55 | p[1] << 9) & MASK;
    this.q2 = (p[1] >>> 46 | p[2] << 18) & MASK;
    this.q3 = (p[2] >>> 37 | p[3] << 27) & MASK;
    this.q4 = (p[3] >>> 28 | p4 << 36) & MASK;
    this.q5 = (p4 >>> 19 | p5 << 45) & MASK;
    this.q6 = p5 >>> 10;
    this.yShift = 55 * (limbs + 1) - 64 * limbs;
    long inverse = p0;
    for (int i = 0; i < 5; i++) {
      inverse *= 2 - p0 * inverse;
    }
    this.negativeInverse = -inverse;
    BigInteger r = BigInteger.ONE.shiftLeft(64 * limbs).mod(modulus);
    this.one = toLimbs(r);
    this.rSquared = toLimbs(r.multiply(r).mod(modulus));
    this.rawOne = toLimbs(BigInteger.ONE);
    this.modulusMinusTwo = toLimbs(modulus.subtract(BigInteger.TWO));
    this.rootExponent =
        modulus.testBit(1) ? toLimbs(modulus.add(BigInteger.ONE).shiftRight(2)) : null;
  }

  /** The prime p. */
  public BigInteger modulus() {
    return modulus;
  }

  @Override
  public int size() {
    return limbs;
  }

  /** Bytes of an element in a file: 8 · {@link #size()}. */
  public int bytes() {
    return 8 * limbs;
  }

  // ---- arithmetic

  @Override
  public void add(long[] z, int zOffset, long[] x, int xOffset, long[] y, int yOffset) {
    long a = x[xOffset];
    long b = y[yOffset];
    long s0 = a + b;
    long c = carry(a, b, s0);
    a = x[xOffset + 1];
    b = y[yOffset + 1];
    long s1 = a + b + c;
    c = carry(a, b, s1);
    a = x[xOffset + 2];
    b = y[yOffset + 2];
    long s2 = a + b + c;
    c = carry(a, b, s2);
    a = x[xOffset + 3];
    b = y[yOffset + 3];
    long s3 = a + b + c;
    long s4 = 0;
    long s5 = 0;
    if (wide) {
      c = carry(a, b, s3);
      a = x[xOffset + 4];
      b = y[yOffset + 4];
      s4 = a + b + c;
      c = carry(a, b, s4);
      s5 = x[xOffset + 5] + y[yOffset + 5] + c;
    }
    reduce(z, zOffset, s0, s1, s2, s3, s4, s5);
  }

  /** Stores s, or s − p if s ≥ p, for s < 2p. */
  private void reduce(long[] z, int zOffset, long s0, long s1, long s2, long s3, long s4, long s5) {
    long d0 = s0 - p0;
    long b = borrow(s0, p0, d0);
    long d1 = s1 - p1 - b;
    b = borrow(s1, p1, d1);
    long d2 = s2 - p2 - b;
    b = borrow(s2, p2, d2);
    long d3 = s3 - p3 - b;
    b = borrow(s3, p3, d3);
    if (wide) {
      long d4 = s4 - p4 - b;
      b = borrow(s4, p4, d4);
      long d5 = s5 - p5 - b;
      b = borrow(s5, p5, d5);
      z[zOffset + 4] = d4 ^ ((s4 ^ d4) & -b);
      z[zOffset + 5] = d5 ^ ((s5 ^ d5) & -b);
    }
    long keep = -b;
    z[zOffset] = d0 ^ ((s0 ^ d0) & keep);
    z[zOffset + 1] = d1 ^ ((s1 ^ d1) & keep);
    z[zOffset + 2] = d2 ^ ((s2 ^ d2) & keep);
    z[zOffset + 3] = d3 ^ ((s3 ^ d3) & keep);
  }

  @Override
  public void subtract(long[] z, int zOffset, long[] x, int xOffset, long[] y, int yOffset) {
    long a = x[xOffset];
    long b = y[yOffset];
    long d0 = a - b;
    long c = borrow(a, b, d0);
    a = x[xOffset + 1];
    b = y[yOffset + 1];
    long d1 = a - b - c;
    c = borrow(a, b, d1);
    a = x[xOffset + 2];
    b = y[yOffset + 2];
    long d2 = a - b - c;
    c = borrow(a, b, d2);
    a = x[xOffset + 3];
    b = y[yOffset + 3];
    long d3 = a - b - c;
    c = borrow(a, b, d3);
    long d4 = 0;
    long d5 = 0;
    if (wide) {
      a = x[xOffset + 4];
      b = y[yOffset + 4];
      d4 = a - b - c;
      c = borrow(a, b, d4);
      a = x[xOffset + 5];
      b = y[yOffset + 5];
      d5 = a - b - c;
      c = borrow(a, b, d5);
    }
    addModulusUnder(-c, z, zOffset, d0, d1, d2, d3, d4, d5);
  }

  /** Stores d + (p & mask), for a mask of all ones or all zeros. */
  private void addModulusUnder(
      long mask, long[] z, int zOffset, long d0, long d1, long d2, long d3, long d4, long d5) {
    long b = p0 & mask;
    long s = d0 + b;
    long c = carry(d0, b, s);
    z[zOffset] = s;
    b = p1 & mask;
    s = d1 + b + c;
    c = carry(d1, b, s);
    z[zOffset + 1] = s;
    b = p2 & mask;
    s = d2 + b + c;
    c = carry(d2, b, s);
    z[zOffset + 2] = s;
    b = p3 & mask;
    s = d3 + b + c;
    z[zOffset + 3] = s;
    if (wide) {
      c = carry(d3, b, s);
      b = p4 & mask;
      s = d4 + b + c;
      c = carry(d4, b, s);
      z[zOffset + 4] = s;
      z[zOffset + 5] = d5 + (p5 & mask) + c;
    }
  }

  @Override
  public void negate(long[] z, int zOffset, long[] x, int xOffset) {
    if (isZero(x, xOffset)) {
      setZero(z, zOffset);
      return;
    }
    long a = x[xOffset];
    long d = p0 - a;
    long c = borrow(p0, a, d);
    z[zOffset] = d;
    a = x[xOffset + 1];
    d = p1 - a - c;
    c = borrow(p1, a, d);
    z[zOffset + 1] = d;
    a = x[xOffset + 2];
    d = p2 - a - c;
    c = borrow(p2, a, d);
    z[zOffset + 2] = d;
    a = x[xOffset + 3];
    d = p3 - a - c;
    z[zOffset + 3] = d;
    if (wide) {
      c = borrow(p3, a, d);
      a = x[xOffset + 4];
      d = p4 - a - c;
      c = borrow(p4, a, d);
      z[zOffset + 4] = d;
      z[zOffset + 5] = p5 - x[xOffset + 5] - c;
    }
  }

  /**
   * z = x · y. Interleaved Montgomery multiplication (CIOS; Koç, Acar, Kaliski 1996), inside on
   * digits of 55 bits: both words of a product of digits come out of signed multiplications, and
   * sums of them need no carries until the end, where words of 64 bits cost ten instructions each
   * for lack of a carry flag. With n digits the rows divide by 2^(55 n), which is R · 2^s; y is
   * taken as y · 2^s, so that the outcome is x · y / R all the same.
   *
   * <p>Row i: t = (t + x · y[i] + m · p) / 2^55 with m such that the lowest digit vanishes. Bounds:
   * a digit of t gathers at most 4 · 7 summands below 2^55; t ends below 2p.
   */
  @Override
  public void multiply(long[] z, int zOffset, long[] x, int xOffset, long[] y, int yOffset) {
    final long w1 = x[xOffset + 1];
    final long w2 = x[xOffset + 2];
    final long w3 = x[xOffset + 3];
    final long x0 = x[xOffset] & MASK;
    final long x1 = (x[xOffset] >>> 55 | w1 << 9) & MASK;
    final long x2 = (w1 >>> 46 | w2 << 18) & MASK;
    final long x3 = (w2 >>> 37 | w3 << 27) & MASK;
    final long w4 = wide ? x[xOffset + 4] : 0;
    final long w5 = wide ? x[xOffset + 5] : 0;
    final long x4 = (w3 >>> 28 | w4 << 36) & MASK;
    final long x5 = (w4 >>> 19 | w5 << 45) & MASK;
    final long x6 = w5 >>> 10;
    long t0 = 0;
    long t1 = 0;
    long t2 = 0;
    long t3 = 0;
    long t4 = 0;
    long t5 = 0;
    long t6 = 0;
    int last = limbs - 1;
    for (int i = 0, position = -yShift; i <= limbs; i++, position += 55) {
      long b = digit(y, yOffset, position, last);
      long c = b << 5;
      t0 += x0 * b & MASK;
      long m = t0 * negativeInverse & MASK;
      long k = m << 5;
      t1 += (t0 + (m * q0 & MASK)) >> 55;
      t0 = t1 + (x1 * b & MASK) + (m * q1 & MASK) + high(x0, c) + high(q0, k);
      t1 = t2 + (x2 * b & MASK) + (m * q2 & MASK) + high(x1, c) + high(q1, k);
      t2 = t3 + (x3 * b & MASK) + (m * q3 & MASK) + high(x2, c) + high(q2, k);
      t3 = t4 + (x4 * b & MASK) + (m * q4 & MASK) + high(x3, c) + high(q3, k);
      t4 = high(x4, c) + high(q4, k);
      if (wide) {
        t4 += t5 + (x5 * b & MASK) + (m * q5 & MASK);
        t5 = t6 + (x6 * b & MASK) + (m * q6 & MASK) + high(x5, c) + high(q5, k);
        t6 = high(x6, c) + high(q6, k);
      }
    }
    t1 += t0 >> 55;
    t2 += t1 >> 55;
    t3 += t2 >> 55;
    t4 += t3 >> 55;
    t0 = t0 & MASK | t1 << 55;
    t1 = (t1 & MASK) >> 9 | t2 << 46;
    t2 = (t2 & MASK) >> 18 | t3 << 37;
    t3 = (t3 & MASK) >> 27 | t4 << 28;
    if (wide) {
      t5 += t4 >> 55;
      t6 += t5 >> 55;
      t4 = (t4 & MASK) >> 36 | t5 << 19;
      t5 = (t5 & MASK) >> 45 | t6 << 10;
    }
    reduce(z, zOffset, t0, t1, t2, t3, t4, t5);
  }

  /** Bits position … position + 54 of y; a position below 0 shifts zeros in from below. */
  private static long digit(long[] y, int yOffset, int position, int last) {
    if (position < 0) {
      return y[yOffset] << -position & MASK;
    }
    int word = position >> 6;
    int shift = position & 63;
    // At the last word the second summand lies wholly above the mask.
    int next = Math.min(word + 1, last);
    return (y[yOffset + word] >>> shift | y[yOffset + next] << 1 << 63 - shift) & MASK;
  }

  /** Floor(a · b / 2^55) for digits a and b, given b · 2^5. */
  private static long high(long a, long bShifted) {
    return Math.multiplyHigh(a << 4, bShifted);
  }

  @Override
  public void square(long[] z, int zOffset, long[] x, int xOffset) {
    multiply(z, zOffset, x, xOffset, x, xOffset);
  }

  @Override
  public void inverse(long[] z, int zOffset, long[] x, int xOffset) {
    power(z, zOffset, x, xOffset, modulusMinusTwo);
  }

  /**
   * z = a square root of x; which of the two is not said. Times depend on the value: for public
   * values only.
   *
   * @return whether x has one; if not, z is undefined
   * @throws UnsupportedOperationException unless p = 3 mod 4
   */
  public boolean squareRoot(long[] z, int zOffset, long[] x, int xOffset) {
    if (rootExponent == null) {
      throw new UnsupportedOperationException("no square roots in " + this);
    }
    long[] root = new long[limbs];
    long[] square = new long[limbs];
    power(root, 0, x, xOffset, rootExponent);
    square(square, 0, root, 0);
    boolean found = isEqual(square, 0, x, xOffset);
    copy(z, zOffset, root, 0);
    return found;
  }

  /**
   * Inverts {@code count} elements that stand one behind the other, in place, with one inversion
   * and 3 · count multiplications; zeros stay zeros.
   *
   * @param scratch room for {@code count} elements from offset 0; its content is lost
   */
  public void batchInverse(long[] values, int offset, int count, long[] scratch) {
    long[] running = one.clone();
    for (int i = 0; i < count; i++) {
      int at = offset + i * limbs;
      copy(scratch, i * limbs, running, 0);
      if (!isZero(values, at)) {
        multiply(running, 0, running, 0, values, at);
      }
    }
    inverse(running, 0, running, 0);
    long[] product = new long[limbs];
    for (int i = count - 1; i >= 0; i--) {
      int at = offset + i * limbs;
      if (!isZero(values, at)) {
        multiply(product, 0, running, 0, values, at);
        multiply(values, at, running, 0, scratch, i * limbs);
        copy(running, 0, product, 0);
      }
    }
  }

  /** z = x^exponent, the exponent unsigned, least significant word first. */
  public void power(long[] z, int zOffset, long[] x, int xOffset, long[] exponent) {
    int top = exponent.length * 64 - 1;
    while (top >= 0 && (exponent[top >> 6] >>> top & 1) == 0) {
      top--;
    }
    long[] result = one.clone();
    long[] table = new long[16 * limbs];
    setOne(table, 0);
    for (int i = 1; i < 16; i++) {
      multiply(table, i * limbs, table, (i - 1) * limbs, x, xOffset);
    }
    for (int bit = top | 3; bit >= 0; bit -= 4) {
      for (int i = 0; i < 4 && bit != (top | 3); i++) {
        square(result, 0, result, 0);
      }
      int digit = (int) (exponent[bit >> 6] >>> (bit - 3) & 15);
      if (digit != 0) {
        multiply(result, 0, result, 0, table, digit * limbs);
      }
    }
    copy(z, zOffset, result, 0);
  }

  /** z = x^exponent for a small exponent ≥ 0. */
  public void power(long[] z, int zOffset, long[] x, int xOffset, long exponent) {
    power(z, zOffset, x, xOffset, new long[] {exponent});
  }

  // ---- values in and out

  @Override
  public void setOne(long[] z, int zOffset) {
    System.arraycopy(one, 0, z, zOffset, limbs);
  }

  /** Whether x = 1. */
  public boolean isOne(long[] x, int xOffset) {
    return isEqual(x, xOffset, one, 0);
  }

  /** z = the canonical value v ≥ 0 mod p, taken into Montgomery form. */
  public void set(long[] z, int zOffset, long v) {
    if (v < 0) {
      throw new IllegalArgumentException("negative value");
    }
    set(z, zOffset, BigInteger.valueOf(v));
  }

  /** z = v mod p, taken into Montgomery form; v may be negative. */
  public void set(long[] z, int zOffset, BigInteger v) {
    BigInteger reduced = v.signum() < 0 || v.compareTo(modulus) >= 0 ? v.mod(modulus) : v;
    for (int i = 0; i < limbs; i++) {
      z[zOffset + i] = word(reduced, i);
    }
    toMontgomery(z, zOffset, z, zOffset);
  }

  /** The canonical value of x. */
  public BigInteger get(long[] x, int xOffset) {
    long[] canonical = new long[limbs];
    fromMontgomery(canonical, 0, x, xOffset);
    ByteBuffer bigEndian = ByteBuffer.allocate(bytes());
    for (int i = limbs - 1; i >= 0; i--) {
      bigEndian.putLong(canonical[i]);
    }
    return new BigInteger(1, bigEndian.array());
  }

  /** z = x · R: canonical words to Montgomery form. */
  public void toMontgomery(long[] z, int zOffset, long[] x, int xOffset) {
    multiply(z, zOffset, x, xOffset, rSquared, 0);
  }

  /** z = x / R: Montgomery form to canonical words. */
  public void fromMontgomery(long[] z, int zOffset, long[] x, int xOffset) {
    multiply(z, zOffset, x, xOffset, rawOne, 0);
  }

  /** Whether the words at x, read as an unsigned number, are below the modulus. */
  public boolean isReduced(long[] x, int xOffset) {
    for (int i = limbs - 1; i >= 0; i--) {
      int order = Long.compareUnsigned(x[xOffset + i], modulusWord(i));
      if (order != 0) {
        return order < 0;
      }
    }
    return false;
  }

  /**
   * Reads {@link #bytes()} little-endian bytes as they stand: the source's form (canonical or
   * Montgomery) is kept.
   *
   * @return whether the number read is below the modulus; if not, the words must not be used
   */
  public boolean load(long[] z, int zOffset, byte[] source, int sourceOffset) {
    for (int i = 0; i < limbs; i++) {
      int at = sourceOffset + 8 * i;
      long word = 0;
      for (int j = 7; j >= 0; j--) {
        word = word << 8 | source[at + j] & 0xff;
      }
      z[zOffset + i] = word;
    }
    return isReduced(z, zOffset);
  }

  /** Writes the words at x as they stand, little-endian, {@link #bytes()} bytes. */
  public void store(byte[] target, int targetOffset, long[] x, int xOffset) {
    for (int i = 0; i < limbs; i++) {
      long word = x[xOffset + i];
      int at = targetOffset + 8 * i;
      for (int j = 0; j < 8; j++) {
        target[at + j] = (byte) (word >>> 8 * j);
      }
    }
  }

  // ---- words

  /** The carry out of s = a + b + (0 or 1). */
  private static long carry(long a, long b, long s) {
    return ((a & b) | ((a | b) & ~s)) >>> 63;
  }

  /** The borrow out of d = a − b − (0 or 1). */
  private static long borrow(long a, long b, long d) {
    return ((~a & b) | ((~a | b) & d)) >>> 63;
  }

  private long modulusWord(int i) {
    return switch (i) {
      case 0 -> p0;
      case 1 -> p1;
      case 2 -> p2;
      case 3 -> p3;
      case 4 -> p4;
      default -> p5;
    };
  }

  private long[] toLimbs(BigInteger v) {
    long[] words = new long[limbs];
    for (int i = 0; i < limbs; i++) {
      words[i] = word(v, i);
    }
    return words;
  }

  private static long word(BigInteger v, int i) {
    return v.shiftRight(64 * i).longValue();
  }

  @Override
  public String toString() {
    return "the field of " + modulus;
  }
}
