package dev.cuzk.math;

/**
 * Fp12 = Fp6[w]/(w² − v), the field that pairings map to: an element is c0, c1 in Fp6. In the basis
 * of powers of w, the coefficient of w^(2j + k) is that of v^j in c_k.
 *
 * <p>Holds room for intermediate values: one instance serves one thread at a time.
 */
public final class Fp12 extends QuadraticExtension {
  private final Fp2 fp2;
  private final Fp6 fp6;
  private final int m;
  private final int n;

  /** [k − 1][i]: ξ^(i (p^k − 1) / 6), which w^i picks up in x^(p^k). */
  private final long[][] frobenius;

  private final long[] t;

  Fp12(Curve curve) {
    this(curve, new Fp6(curve.newFp2()));
  }

  private Fp12(Curve curve, Fp6 fp6) {
    super(fp6);
    this.fp2 = fp6.below();
    this.fp6 = fp6;
    this.m = fp2.size();
    this.n = fp6.size();
    this.frobenius = curve.frobenius();
    this.t = new long[4 * n];
  }

  @Override
  public void multiply(long[] z, int zOffset, long[] x, int xOffset, long[] y, int yOffset) {
    fp6.multiply(t, 0, x, xOffset, y, yOffset);
    fp6.multiply(t, n, x, xOffset + n, y, yOffset + n);
    fp6.add(t, 2 * n, x, xOffset, x, xOffset + n);
    fp6.add(t, 3 * n, y, yOffset, y, yOffset + n);
    fp6.multiply(t, 2 * n, t, 2 * n, t, 3 * n);
    combine(z, zOffset);
  }

  /** From t = (x0 y0, x1 y1, (x0 + x1)(y0 + y1)). */
  private void combine(long[] z, int zOffset) {
    fp6.subtract(t, 2 * n, t, 2 * n, t, 0);
    fp6.subtract(z, zOffset + n, t, 2 * n, t, n);
    fp6.multiplyByV(t, n, t, n);
    fp6.add(z, zOffset, t, 0, t, n);
  }

  /** c0² + v c1² = (c0 + c1)(c0 + v c1) − (1 + v) c0 c1: two products in Fp6. */
  @Override
  public void square(long[] z, int zOffset, long[] x, int xOffset) {
    fp6.multiply(t, 0, x, xOffset, x, xOffset + n);
    fp6.add(t, n, x, xOffset, x, xOffset + n);
    fp6.multiplyByV(t, 2 * n, x, xOffset + n);
    fp6.add(t, 2 * n, t, 2 * n, x, xOffset);
    fp6.multiply(t, n, t, n, t, 2 * n);
    fp6.subtract(t, n, t, n, t, 0);
    fp6.multiplyByV(t, 2 * n, t, 0);
    fp6.subtract(z, zOffset, t, n, t, 2 * n);
    fp6.twice(z, zOffset + n, t, 0);
  }

  /** x = x · (l0 + l1 w + l2 v w): a line on a D-type twist. */
  void multiplyBy034(long[] x, int at, long[] l, int l0, int l1, int l2) {
    fp6.multiplyByFp2(t, 0, x, at, l, l0);
    fp6.multiplyBy01(t, n, x, at + n, l, l1, l, l2);
    fp6.add(t, 2 * n, x, at, x, at + n);
    fp2.add(t, 3 * n, l, l0, l, l1);
    fp6.multiplyBy01(t, 2 * n, t, 2 * n, t, 3 * n, l, l2);
    combine(x, at);
  }

  /** x = x · (l0 + l1 v + l2 v w): a line on an M-type twist. */
  void multiplyBy014(long[] x, int at, long[] l, int l0, int l1, int l2) {
    fp6.multiplyBy01(t, 0, x, at, l, l0, l, l1);
    fp6.multiplyBy1(t, n, x, at + n, l, l2);
    fp6.add(t, 2 * n, x, at, x, at + n);
    fp2.add(t, 3 * n, l, l1, l, l2);
    fp6.multiplyBy01(t, 2 * n, t, 2 * n, l, l0, t, 3 * n);
    combine(x, at);
  }

  /**
   * z = x² for x in the cyclotomic subgroup (Granger, Scott 2010, "Faster squaring in the
   * cyclotomic subgroup of sixth degree extensions", section 3.2): nine squarings in Fp2.
   */
  void cyclotomicSquare(long[] z, int zOffset, long[] x, int xOffset) {
    squareFp4(0, x, xOffset, xOffset + n + m);
    squareFp4(2 * m, x, xOffset + n, xOffset + 2 * m);
    squareFp4(4 * m, x, xOffset + m, xOffset + n + 2 * m);
    fp2.multiplyByNonResidue(t, 5 * m, t, 5 * m);
    thriceMinusTwice(z, zOffset, t, 0, x, xOffset);
    thriceMinusTwice(z, zOffset + m, t, 2 * m, x, xOffset + m);
    thriceMinusTwice(z, zOffset + 2 * m, t, 4 * m, x, xOffset + 2 * m);
    thricePlusTwice(z, zOffset + n, t, 5 * m, x, xOffset + n);
    thricePlusTwice(z, zOffset + n + m, t, m, x, xOffset + n + m);
    thricePlusTwice(z, zOffset + n + 2 * m, t, 3 * m, x, xOffset + n + 2 * m);
  }

  /** t[at], t[at + m] = a² + ξ b², 2ab. */
  private void squareFp4(int at, long[] x, int a, int b) {
    fp2.square(t, 6 * m, x, a);
    fp2.square(t, 7 * m, x, b);
    fp2.add(t, at + m, x, a, x, b);
    fp2.square(t, at + m, t, at + m);
    fp2.subtract(t, at + m, t, at + m, t, 6 * m);
    fp2.subtract(t, at + m, t, at + m, t, 7 * m);
    fp2.multiplyByNonResidue(t, 7 * m, t, 7 * m);
    fp2.add(t, at, t, 6 * m, t, 7 * m);
  }

  /** z = 3s − 2x. */
  private void thriceMinusTwice(long[] z, int zAt, long[] s, int sAt, long[] x, int xAt) {
    fp2.subtract(z, zAt, s, sAt, x, xAt);
    fp2.twice(z, zAt, z, zAt);
    fp2.add(z, zAt, z, zAt, s, sAt);
  }

  /** z = 3s + 2x. */
  private void thricePlusTwice(long[] z, int zAt, long[] s, int sAt, long[] x, int xAt) {
    fp2.add(z, zAt, s, sAt, x, xAt);
    fp2.twice(z, zAt, z, zAt);
    fp2.add(z, zAt, z, zAt, s, sAt);
  }

  /** z = x^(p^power) for a power of 1, 2 or 3. */
  public void frobenius(long[] z, int zOffset, long[] x, int xOffset, int power) {
    long[] factors = frobenius[power - 1];
    for (int k = 0; k < 2; k++) {
      for (int j = 0; j < 3; j++) {
        int at = k * n + j * m;
        if ((power & 1) == 1) {
          fp2.conjugate(t, 0, x, xOffset + at);
        } else {
          fp2.copy(t, 0, x, xOffset + at);
        }
        fp2.multiply(z, zOffset + at, t, 0, factors, (2 * j + k) * m);
      }
    }
  }

  /** (c0 − c1 w) / (c0² − v c1²). */
  @Override
  public void inverse(long[] z, int zOffset, long[] x, int xOffset) {
    fp6.square(t, 0, x, xOffset);
    fp6.square(t, n, x, xOffset + n);
    fp6.multiplyByV(t, n, t, n);
    fp6.subtract(t, 0, t, 0, t, n);
    fp6.inverse(t, 0, t, 0);
    fp6.multiply(z, zOffset, x, xOffset, t, 0);
    fp6.negate(t, 0, t, 0);
    fp6.multiply(z, zOffset + n, x, xOffset + n, t, 0);
  }
}
