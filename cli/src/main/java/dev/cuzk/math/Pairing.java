package dev.cuzk.math;

/**
 * The optimal ate pairing of G1 and G2 into the subgroup of order r of Fp12.
 *
 * <p>A Miller loop runs over any number of pairs at once and shares its squarings; points of G2 are
 * prepared into line coefficients first. Lines are in homogeneous coordinates (Costello, Lange,
 * Naehrig, ePrint 2009/615; Aranha, Karabina, Longa, Gebotys, López, ePrint 2010/526).
 *
 * <p>Holds room for intermediate values: one instance serves one thread at a time.
 */
public final class Pairing {
  private final Curve curve;
  private final Field base;
  private final Fp2 fp2;
  private final Fp12 fp12;
  private final int m;
  private final int size;
  private final long[] t;
  private final long[] r;
  private final long[] f;

  public Pairing(Curve curve) {
    this.curve = curve;
    this.base = curve.base();
    this.fp2 = curve.newFp2();
    this.fp12 = new Fp12(curve);
    this.m = fp2.size();
    this.size = fp12.size();
    this.t = new long[12 * m];
    this.r = new long[3 * m];
    this.f = new long[9 * size];
  }

  /** The arithmetic of values of the pairing. */
  public Fp12 target() {
    return fp12;
  }

  // ---- lines

  /** The lines at an affine point of G2. */
  public PreparedG2 prepare(long[] q, int at) {
    if (fp2.isZero(q, at) && fp2.isZero(q, at + m)) {
      return new PreparedG2(new long[0]);
    }
    byte[] digits = curve.loopDigits();
    int steps = curve.isDivisorTwist() ? 2 : 0;
    for (int i = 1; i < digits.length; i++) {
      steps += digits[i] == 0 ? 1 : 2;
    }
    long[] lines = new long[steps * 3 * m];
    long[] negative = new long[2 * m];
    fp2.copy(negative, 0, q, at);
    fp2.negate(negative, m, q, at + m);
    fp2.copy(r, 0, q, at);
    fp2.copy(r, m, q, at + m);
    fp2.setOne(r, 2 * m);
    int line = 0;
    for (int i = 1; i < digits.length; i++) {
      doublingLine(lines, line);
      line += 3 * m;
      if (digits[i] != 0) {
        additionLine(lines, line, digits[i] > 0 ? q : negative, digits[i] > 0 ? at : 0);
        line += 3 * m;
      }
    }
    if (curve.isDivisorTwist()) {
      // BN curves end with the lines through ψ(Q) and −ψ²(Q).
      long[] image = new long[2 * m];
      psi(image, q, at);
      additionLine(lines, line, image, 0);
      psi(image, image, 0);
      fp2.negate(image, m, image, m);
      additionLine(lines, line + 3 * m, image, 0);
    }
    return new PreparedG2(lines);
  }

  private void psi(long[] z, long[] q, int at) {
    fp2.conjugate(z, 0, q, at);
    fp2.conjugate(z, m, q, at + m);
    fp2.multiply(z, 0, z, 0, curve.psi(), 0);
    fp2.multiply(z, m, z, m, curve.psi(), m);
  }

  /**
   * r = 2r and the tangent at r. With B = Y², E = 3 b' Z², F = 3E, H = 2YZ, all of the usual
   * formulas' coordinates times four: X = 2XY (B − F), Y = (B + F)² − 12 E², Z = 4BH; the line is E
   * − B, 3X², −H.
   */
  private void doublingLine(long[] lines, int at) {
    int b = m;
    int e = 2 * m;
    int f3 = 3 * m;
    int h = 4 * m;
    int s = 5 * m;
    fp2.multiply(t, 0, r, 0, r, m);
    fp2.twice(t, 0, t, 0);
    fp2.square(t, b, r, m);
    fp2.square(t, e, r, 2 * m);
    fp2.multiply(t, e, t, e, curve.b(true), 0);
    fp2.twice(t, s, t, e);
    fp2.add(t, e, t, e, t, s);
    fp2.twice(t, f3, t, e);
    fp2.add(t, f3, t, f3, t, e);
    fp2.multiply(t, h, r, m, r, 2 * m);
    fp2.twice(t, h, t, h);
    fp2.subtract(t, s, t, e, t, b);
    fp2.negate(t, 6 * m, t, h);
    fp2.square(t, 7 * m, r, 0);
    fp2.twice(t, 8 * m, t, 7 * m);
    fp2.add(t, 7 * m, t, 7 * m, t, 8 * m);
    putLine(lines, at, s, 7 * m, 6 * m);

    fp2.subtract(t, s, t, b, t, f3);
    fp2.multiply(r, 0, t, 0, t, s);
    fp2.add(t, s, t, b, t, f3);
    fp2.square(r, m, t, s);
    fp2.square(t, e, t, e);
    fp2.twice(t, e, t, e);
    fp2.twice(t, e, t, e);
    fp2.subtract(r, m, r, m, t, e);
    fp2.subtract(r, m, r, m, t, e);
    fp2.subtract(r, m, r, m, t, e);
    fp2.multiply(t, h, t, h, t, b);
    fp2.twice(t, h, t, h);
    fp2.twice(r, 2 * m, t, h);
  }

  /**
   * r = r + q and the line through both, with θ = Y − y Z and λ = X − x Z: the line is θ x − λ y,
   * −θ, λ.
   */
  private void additionLine(long[] lines, int at, long[] q, int qAt) {
    int theta = 0;
    int lambda = m;
    int d = 2 * m;
    int e = 3 * m;
    int s = 4 * m;
    int g = 5 * m;
    fp2.multiply(t, s, q, qAt + m, r, 2 * m);
    fp2.subtract(t, theta, r, m, t, s);
    fp2.multiply(t, s, q, qAt, r, 2 * m);
    fp2.subtract(t, lambda, r, 0, t, s);
    fp2.multiply(t, s, t, theta, q, qAt);
    fp2.multiply(t, g, t, lambda, q, qAt + m);
    fp2.subtract(t, s, t, s, t, g);
    fp2.negate(t, 6 * m, t, theta);
    putLine(lines, at, s, 6 * m, lambda);

    fp2.square(t, d, t, lambda);
    fp2.multiply(t, e, t, d, t, lambda);
    fp2.multiply(t, g, r, 0, t, d);
    fp2.square(t, s, t, theta);
    fp2.multiply(t, s, t, s, r, 2 * m);
    fp2.add(t, s, t, s, t, e);
    fp2.subtract(t, s, t, s, t, g);
    fp2.subtract(t, s, t, s, t, g);
    fp2.multiply(r, 0, t, lambda, t, s);
    fp2.subtract(t, g, t, g, t, s);
    fp2.multiply(t, g, t, g, t, theta);
    fp2.multiply(t, s, r, m, t, e);
    fp2.subtract(r, m, t, g, t, s);
    fp2.multiply(r, 2 * m, r, 2 * m, t, e);
  }

  /**
   * Stores a line constant + slope · x_P + vertical · y_P. On a divisor twist the factor of y_P
   * comes first, on the other the constant does.
   */
  private void putLine(long[] lines, int at, int constant, int slope, int vertical) {
    boolean divisor = curve.isDivisorTwist();
    fp2.copy(lines, at, t, divisor ? vertical : constant);
    fp2.copy(lines, at + m, t, slope);
    fp2.copy(lines, at + 2 * m, t, divisor ? constant : vertical);
  }

  // ---- Miller loop

  /**
   * z = the product of the Miller loops of {@code count} pairs: the i-th affine point of G1 in
   * {@code points} with {@code lines[i]}. A pair with a point at infinity counts as one.
   */
  public void millerLoop(long[] z, int zAt, long[] points, PreparedG2[] lines, int count) {
    byte[] digits = curve.loopDigits();
    fp12.setOne(z, zAt);
    int line = 0;
    for (int i = 1; i < digits.length; i++) {
      if (i > 1) {
        fp12.square(z, zAt, z, zAt);
      }
      multiplyByLines(z, zAt, points, lines, count, line);
      line += 3 * m;
      if (digits[i] != 0) {
        multiplyByLines(z, zAt, points, lines, count, line);
        line += 3 * m;
      }
    }
    if (curve.isDivisorTwist()) {
      multiplyByLines(z, zAt, points, lines, count, line);
      multiplyByLines(z, zAt, points, lines, count, line + 3 * m);
    }
    if (curve.isParameterNegative()) {
      fp12.conjugate(z, zAt, z, zAt);
    }
  }

  private void multiplyByLines(
      long[] z, int zAt, long[] points, PreparedG2[] lines, int count, int line) {
    for (int i = 0; i < count; i++) {
      int x = i * m;
      int y = x + base.size();
      if (lines[i].isInfinity() || base.isZero(points, x) && base.isZero(points, y)) {
        continue;
      }
      long[] l = lines[i].lines();
      fp2.multiplyByBase(t, m, l, line + m, points, x);
      if (curve.isDivisorTwist()) {
        fp2.multiplyByBase(t, 0, l, line, points, y);
        fp2.copy(t, 2 * m, l, line + 2 * m);
        fp12.multiplyBy034(z, zAt, t, 0, m, 2 * m);
      } else {
        fp2.copy(t, 0, l, line);
        fp2.multiplyByBase(t, 2 * m, l, line + 2 * m, points, y);
        fp12.multiplyBy014(z, zAt, t, 0, m, 2 * m);
      }
    }
  }

  // ---- final exponentiation

  /**
   * z = x^(k (p^12 − 1) / r), x ≠ 0, for a fixed k that r does not divide: 2u (6u² + 3u + 1) for
   * BN254 of parameter u, 3 for BLS12-381. These are the powers that snarkjs' vk_alphabeta_12 and
   * other libraries hold.
   */
  public void finalExponentiation(long[] z, int zAt, long[] x, int xAt) {
    int a = 0;
    int b = size;
    // Easy part: x^((p^6 − 1)(p² + 1)).
    fp12.conjugate(f, a, x, xAt);
    fp12.inverse(f, b, x, xAt);
    fp12.multiply(f, a, f, a, f, b);
    fp12.frobenius(f, b, f, a, 2);
    fp12.multiply(f, a, f, a, f, b);
    if (curve.id() == CurveId.BN254) {
      hardPartBn();
    } else {
      hardPartBls();
    }
    fp12.copy(z, zAt, f, 0);
  }

  /** Fuentes-Castañeda, Knapp, Rodríguez-Henríquez, SAC 2011, section 4.3. In and out: f[0]. */
  private void hardPartBn() {
    int s = size;
    powerOfNegativeParameter(s, 0);
    fp12.cyclotomicSquare(f, s, f, s);
    fp12.cyclotomicSquare(f, 2 * s, f, s);
    fp12.multiply(f, 2 * s, f, 2 * s, f, s);
    // f: 1 x^(−2u), 2 x^(−6u)
    powerOfNegativeParameter(3 * s, 2 * s);
    fp12.cyclotomicSquare(f, 4 * s, f, 3 * s);
    powerOfNegativeParameter(5 * s, 4 * s);
    fp12.conjugate(f, 2 * s, f, 2 * s);
    fp12.conjugate(f, 5 * s, f, 5 * s);
    // f: 2 x^(6u), 3 x^(6u²), 5 x^(12u³)
    fp12.multiply(f, 4 * s, f, 5 * s, f, 3 * s);
    fp12.multiply(f, 4 * s, f, 4 * s, f, 2 * s);
    // f: 4 x^(6u + 6u² + 12u³)
    fp12.multiply(f, s, f, s, f, 4 * s);
    fp12.multiply(f, 3 * s, f, 3 * s, f, 4 * s);
    fp12.multiply(f, 3 * s, f, 3 * s, f, 0);
    fp12.frobenius(f, 2 * s, f, s, 1);
    fp12.multiply(f, 2 * s, f, 2 * s, f, 3 * s);
    fp12.frobenius(f, 4 * s, f, 4 * s, 2);
    fp12.multiply(f, 4 * s, f, 4 * s, f, 2 * s);
    fp12.conjugate(f, 0, f, 0);
    fp12.multiply(f, s, f, s, f, 0);
    fp12.frobenius(f, s, f, s, 3);
    fp12.multiply(f, 0, f, s, f, 4 * s);
  }

  /**
   * x^((u − 1)² (u + p) (u² + p² − 1) + 3) with u = −|u| (Hayashida, Hayasaka, Teruya, ePrint
   * 2020/875). In and out: f[0].
   */
  private void hardPartBls() {
    int s = size;
    // f: 1 x^(u − 1), 2 x^((u − 1)²)
    fp12.conjugate(f, 6 * s, f, 0);
    powerOfNegativeParameter(s, 0);
    fp12.multiply(f, s, f, s, f, 6 * s);
    fp12.conjugate(f, 6 * s, f, s);
    powerOfNegativeParameter(2 * s, s);
    fp12.multiply(f, 2 * s, f, 2 * s, f, 6 * s);
    // f: 3 x^((u − 1)² (u + p))
    powerOfNegativeParameter(3 * s, 2 * s);
    fp12.frobenius(f, 2 * s, f, 2 * s, 1);
    fp12.multiply(f, 3 * s, f, 3 * s, f, 2 * s);
    powerOfNegativeParameter(4 * s, 3 * s);
    powerOfNegativeParameter(5 * s, 4 * s);
    fp12.frobenius(f, 4 * s, f, 3 * s, 2);
    fp12.conjugate(f, 3 * s, f, 3 * s);
    fp12.multiply(f, 3 * s, f, 3 * s, f, 4 * s);
    fp12.multiply(f, 3 * s, f, 3 * s, f, 5 * s);
    fp12.cyclotomicSquare(f, 4 * s, f, 0);
    fp12.multiply(f, 0, f, 0, f, 4 * s);
    fp12.multiply(f, 0, f, 0, f, 3 * s);
  }

  /** f[z] = f[x]^(−|u|) in the cyclotomic subgroup; uses f[7] and f[8], and z ≠ x. */
  private void powerOfNegativeParameter(int z, int x) {
    int positive = 7 * size;
    int negative = 8 * size;
    fp12.copy(f, positive, f, x);
    fp12.conjugate(f, negative, f, x);
    byte[] digits = curve.parameterDigits();
    fp12.copy(f, z, f, negative);
    for (int i = 1; i < digits.length; i++) {
      fp12.cyclotomicSquare(f, z, f, z);
      if (digits[i] != 0) {
        fp12.multiply(f, z, f, z, f, digits[i] > 0 ? negative : positive);
      }
    }
  }

  /** z = the pairing of one affine pair, with the power that {@link #finalExponentiation} has. */
  public void pair(long[] z, int zAt, long[] p, int pAt, long[] q, int qAt) {
    long[] point = new long[m];
    System.arraycopy(p, pAt, point, 0, m);
    millerLoop(z, zAt, point, new PreparedG2[] {prepare(q, qAt)}, 1);
    finalExponentiation(z, zAt, z, zAt);
  }
}
