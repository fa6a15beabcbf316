package dev.cuzk.math;

import java.math.BigInteger;

/**
 * The constants of a curve and its twist, in Montgomery form: y² = x³ + b over Fp (G1) and y² = x³
 * + b' over Fp2 (G2), both of order r, with a pairing into Fp12.
 *
 * <p>BN254: EIP-197 and ffjavascript; BLS12-381: the IETF draft "Pairing-Friendly Curves", section
 * 4.2.1. Immutable; arithmetic comes from workspaces ({@link Group}, {@link Pairing}) made from it.
 */
public final class Curve {
  private final CurveId id;
  private final Field base;
  private final int nonResidueReal;
  private final long parameter;
  private final boolean parameterNegative;
  private final byte[] loopDigits;
  private final byte[] parameterDigits;
  private final long[] b1;
  private final long[] b2;
  private final long[] generator1;
  private final long[] generator2;
  private final long[][] frobenius;
  private final long[] psi;
  private final long[] beta;

  private static final class Bn254 {
    private static final Curve CURVE = new Curve(CurveId.BN254);
  }

  private static final class Bls12381 {
    private static final Curve CURVE = new Curve(CurveId.BLS12_381);
  }

  /** The constants of a curve, made when first asked for. */
  public static Curve of(CurveId id) {
    return id == CurveId.BN254 ? Bn254.CURVE : Bls12381.CURVE;
  }

  private Curve(CurveId id) {
    this.id = id;
    this.base = Field.base(id);
    boolean bn = id == CurveId.BN254;
    this.nonResidueReal = bn ? 9 : 1;
    this.parameter = bn ? 0x44e992b44a6909f1L : 0xd201000000010000L;
    this.parameterNegative = !bn;
    BigInteger x = new BigInteger(Long.toUnsignedString(parameter));
    this.parameterDigits = signedDigits(x);
    this.loopDigits =
        bn ? signedDigits(x.multiply(BigInteger.valueOf(6)).add(BigInteger.TWO)) : parameterDigits;
    String[] constants = bn ? CurveConstants.BN254 : CurveConstants.BLS12_381;
    this.b1 = elements(bn ? "3" : "4");
    this.generator1 = elements(constants[0], constants[1]);
    this.generator2 = elements(constants[2], constants[3], constants[4], constants[5]);
    this.frobenius = frobeniusFactors(elements(constants[6], constants[7]));
    this.beta = elements(constants[8]);
    this.b2 = twistB();
    this.psi = psiFactors();
  }

  public CurveId id() {
    return id;
  }

  /** The field of G1's coordinates. */
  public Field base() {
    return base;
  }

  /** The field of scalars. */
  public Field scalar() {
    return Field.scalar(id);
  }

  /** Arithmetic of the field of G2's coordinates; one instance serves one thread. */
  public Fp2 newFp2() {
    return new Fp2(base, nonResidueReal);
  }

  /** The generator of G1: x, y. */
  public long[] generator1() {
    return generator1.clone();
  }

  /** The generator of G2: x.c0, x.c1, y.c0, y.c1. */
  public long[] generator2() {
    return generator2.clone();
  }

  /** b of G1's or G2's equation. */
  long[] b(boolean g2) {
    return g2 ? b2 : b1;
  }

  /** The twist divides by ξ (BN254) rather than multiplying (BLS12-381). */
  boolean isDivisorTwist() {
    return id == CurveId.BN254;
  }

  boolean isParameterNegative() {
    return parameterNegative;
  }

  /** |x| in non-adjacent form, most significant first. */
  byte[] parameterDigits() {
    return parameterDigits;
  }

  /** The Miller loop's length, 6x + 2 (BN254) or |x|, in non-adjacent form, top first. */
  byte[] loopDigits() {
    return loopDigits;
  }

  /** [k − 1][i]: ξ^(i (p^k − 1) / 6) in Fp2, k = 1, 2, 3, i = 0 … 5 one behind the other. */
  long[][] frobenius() {
    return frobenius;
  }

  /** ψ(x, y) = (psi[0] · conj(x), psi[1] · conj(y)): untwist, Frobenius, twist. */
  long[] psi() {
    return psi;
  }

  /** The cube root of unity with (beta · x, y) = [−x²](x, y) on BLS12-381's G1. */
  long[] beta() {
    return beta;
  }

  private long[] elements(String... hexadecimal) {
    int n = base.size();
    long[] result = new long[hexadecimal.length * n];
    for (int i = 0; i < hexadecimal.length; i++) {
      base.set(result, i * n, new BigInteger(hexadecimal[i], 16));
    }
    return result;
  }

  private long[] twistB() {
    Fp2 fp2 = newFp2();
    int n = fp2.size();
    long[] result = new long[n];
    long[] xi = new long[n];
    base.copy(result, 0, b1, 0);
    fp2.setOne(xi, 0);
    fp2.multiplyByNonResidue(xi, 0, xi, 0);
    if (isDivisorTwist()) {
      fp2.inverse(xi, 0, xi, 0);
    }
    fp2.multiply(result, 0, result, 0, xi, 0);
    return result;
  }

  private long[][] frobeniusFactors(long[] gamma) {
    Fp2 fp2 = newFp2();
    int n = fp2.size();
    long[][] factors = new long[3][6 * n];
    for (int i = 0; i < 6; i++) {
      if (i == 0) {
        fp2.setOne(factors[0], 0);
      } else {
        fp2.multiply(factors[0], i * n, factors[0], (i - 1) * n, gamma, 0);
      }
      fp2.conjugate(factors[1], i * n, factors[0], i * n);
      fp2.multiply(factors[1], i * n, factors[1], i * n, factors[0], i * n);
      fp2.multiply(factors[2], i * n, factors[1], i * n, factors[0], i * n);
    }
    return factors;
  }

  /**
   * With g = ξ^((p − 1) / 6): g², g³ for a divisor twist, else g^−2, g^−3. In BLS12-381 g^6 = (1 −
   * u) / (1 + u) = −u, whose inverse is u, so these are g^4 · u and g³ · u.
   */
  private long[] psiFactors() {
    Fp2 fp2 = newFp2();
    int n = fp2.size();
    long[] result = new long[2 * n];
    fp2.copy(result, 0, frobenius[0], (isDivisorTwist() ? 2 : 4) * n);
    fp2.copy(result, n, frobenius[0], 3 * n);
    if (!isDivisorTwist()) {
      long[] u = new long[n];
      base.setOne(u, base.size());
      fp2.multiply(result, 0, result, 0, u, 0);
      fp2.multiply(result, n, result, n, u, 0);
    }
    return result;
  }

  /** Digits −1, 0, 1 of which no two neighbours are non-zero, most significant first. */
  private static byte[] signedDigits(BigInteger v) {
    BigInteger thrice = v.add(v.shiftLeft(1));
    int length = thrice.bitLength() - 1;
    byte[] digits = new byte[length];
    for (int i = 0; i < length; i++) {
      int digit = (thrice.testBit(i + 1) ? 1 : 0) - (v.testBit(i + 1) ? 1 : 0);
      digits[length - 1 - i] = (byte) digit;
    }
    return digits;
  }

  @Override
  public String toString() {
    return id.toString();
  }
}
