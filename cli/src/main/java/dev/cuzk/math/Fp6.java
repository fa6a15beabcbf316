package dev.cuzk.math;

/**
 * Fp6 = Fp2[v]/(v³ − ξ): an element is c0, c1, c2.
 *
 * <p>Holds room for intermediate values: one instance serves one thread at a time.
 */
final class Fp6 implements AlgebraicField {
  private final Fp2 fp2;
  private final int n;
  private final long[] t;

  Fp6(Fp2 fp2) {
    this.fp2 = fp2;
    this.n = fp2.size();
    this.t = new long[7 * n];
  }

  /** The field of its coefficients; it shares this workspace's thread. */
  Fp2 below() {
    return fp2;
  }

  @Override
  public int size() {
    return 3 * n;
  }

  @Override
  public void add(long[] z, int zOffset, long[] x, int xOffset, long[] y, int yOffset) {
    for (int i = 0; i < 3 * n; i += n) {
      fp2.add(z, zOffset + i, x, xOffset + i, y, yOffset + i);
    }
  }

  @Override
  public void subtract(long[] z, int zOffset, long[] x, int xOffset, long[] y, int yOffset) {
    for (int i = 0; i < 3 * n; i += n) {
      fp2.subtract(z, zOffset + i, x, xOffset + i, y, yOffset + i);
    }
  }

  @Override
  public void negate(long[] z, int zOffset, long[] x, int xOffset) {
    for (int i = 0; i < 3 * n; i += n) {
      fp2.negate(z, zOffset + i, x, xOffset + i);
    }
  }

  /** Six products in Fp2 (Devegili, Ó hÉigeartaigh, Scott, Dahab 2006, Karatsuba for cubics). */
  @Override
  public void multiply(long[] z, int zOffset, long[] x, int xOffset, long[] y, int yOffset) {
    fp2.multiply(t, 0, x, xOffset, y, yOffset);
    fp2.multiply(t, n, x, xOffset + n, y, yOffset + n);
    fp2.multiply(t, 2 * n, x, xOffset + 2 * n, y, yOffset + 2 * n);

    fp2.add(t, 3 * n, x, xOffset + n, x, xOffset + 2 * n);
    fp2.add(t, 4 * n, y, yOffset + n, y, yOffset + 2 * n);
    fp2.multiply(t, 3 * n, t, 3 * n, t, 4 * n);
    fp2.subtract(t, 3 * n, t, 3 * n, t, n);
    fp2.subtract(t, 3 * n, t, 3 * n, t, 2 * n);
    fp2.multiplyByNonResidue(t, 3 * n, t, 3 * n);

    fp2.add(t, 4 * n, x, xOffset, x, xOffset + n);
    fp2.add(t, 5 * n, y, yOffset, y, yOffset + n);
    fp2.multiply(t, 4 * n, t, 4 * n, t, 5 * n);
    fp2.subtract(t, 4 * n, t, 4 * n, t, 0);
    fp2.subtract(t, 4 * n, t, 4 * n, t, n);

    fp2.add(t, 5 * n, x, xOffset, x, xOffset + 2 * n);
    fp2.add(t, 6 * n, y, yOffset, y, yOffset + 2 * n);
    fp2.multiply(t, 5 * n, t, 5 * n, t, 6 * n);
    fp2.subtract(t, 5 * n, t, 5 * n, t, 0);
    fp2.subtract(t, 5 * n, t, 5 * n, t, 2 * n);
    fp2.add(z, zOffset + 2 * n, t, 5 * n, t, n);

    fp2.add(z, zOffset, t, 0, t, 3 * n);
    fp2.multiplyByNonResidue(t, 2 * n, t, 2 * n);
    fp2.add(z, zOffset + n, t, 4 * n, t, 2 * n);
  }

  @Override
  public void square(long[] z, int zOffset, long[] x, int xOffset) {
    multiply(z, zOffset, x, xOffset, x, xOffset);
  }

  /** z = x · (b0 + b1 v): five products in Fp2. */
  void multiplyBy01(
      long[] z, int zOffset, long[] x, int xOffset, long[] b0, int b0At, long[] b1, int b1At) {
    fp2.multiply(t, 0, x, xOffset, b0, b0At);
    fp2.multiply(t, n, x, xOffset + n, b1, b1At);

    fp2.add(t, 2 * n, x, xOffset + n, x, xOffset + 2 * n);
    fp2.multiply(t, 2 * n, t, 2 * n, b1, b1At);
    fp2.subtract(t, 2 * n, t, 2 * n, t, n);
    fp2.multiplyByNonResidue(t, 2 * n, t, 2 * n);

    fp2.add(t, 3 * n, x, xOffset, x, xOffset + n);
    fp2.add(t, 4 * n, b0, b0At, b1, b1At);
    fp2.multiply(t, 3 * n, t, 3 * n, t, 4 * n);
    fp2.subtract(t, 3 * n, t, 3 * n, t, 0);

    fp2.add(t, 4 * n, x, xOffset, x, xOffset + 2 * n);
    fp2.multiply(t, 4 * n, t, 4 * n, b0, b0At);
    fp2.subtract(t, 4 * n, t, 4 * n, t, 0);

    fp2.add(z, zOffset, t, 2 * n, t, 0);
    fp2.subtract(z, zOffset + n, t, 3 * n, t, n);
    fp2.add(z, zOffset + 2 * n, t, 4 * n, t, n);
  }

  /** z = x · b1 v. */
  void multiplyBy1(long[] z, int zOffset, long[] x, int xOffset, long[] b1, int b1At) {
    fp2.multiply(t, 0, x, xOffset + 2 * n, b1, b1At);
    fp2.multiply(t, n, x, xOffset + n, b1, b1At);
    fp2.multiply(z, zOffset + n, x, xOffset, b1, b1At);
    fp2.copy(z, zOffset + 2 * n, t, n);
    fp2.multiplyByNonResidue(z, zOffset, t, 0);
  }

  /** z = x · k for k in Fp2. */
  void multiplyByFp2(long[] z, int zOffset, long[] x, int xOffset, long[] k, int kAt) {
    fp2.copy(t, 0, k, kAt);
    for (int i = 0; i < 3 * n; i += n) {
      fp2.multiply(z, zOffset + i, x, xOffset + i, t, 0);
    }
  }

  /** z = v · x. */
  void multiplyByV(long[] z, int zOffset, long[] x, int xOffset) {
    fp2.copy(t, 0, x, xOffset + 2 * n);
    fp2.copy(t, n, x, xOffset + n);
    fp2.copy(z, zOffset + n, x, xOffset);
    fp2.copy(z, zOffset + 2 * n, t, n);
    fp2.multiplyByNonResidue(z, zOffset, t, 0);
  }

  /**
   * With A = c0² − ξ c1 c2, B = ξ c2² − c0 c1, C = c1² − c0 c2: (A + B v + C v²) / (c0 A + ξ c2 B +
   * ξ c1 C).
   */
  @Override
  public void inverse(long[] z, int zOffset, long[] x, int xOffset) {
    int x1 = xOffset + n;
    int x2 = xOffset + 2 * n;
    fp2.square(t, 0, x, xOffset);
    fp2.multiply(t, n, x, x1, x, x2);
    fp2.multiplyByNonResidue(t, n, t, n);
    fp2.subtract(t, 0, t, 0, t, n);

    fp2.square(t, n, x, x2);
    fp2.multiplyByNonResidue(t, n, t, n);
    fp2.multiply(t, 2 * n, x, xOffset, x, x1);
    fp2.subtract(t, n, t, n, t, 2 * n);

    fp2.square(t, 2 * n, x, x1);
    fp2.multiply(t, 3 * n, x, xOffset, x, x2);
    fp2.subtract(t, 2 * n, t, 2 * n, t, 3 * n);

    fp2.multiply(t, 3 * n, x, x2, t, n);
    fp2.multiply(t, 4 * n, x, x1, t, 2 * n);
    fp2.add(t, 3 * n, t, 3 * n, t, 4 * n);
    fp2.multiplyByNonResidue(t, 3 * n, t, 3 * n);
    fp2.multiply(t, 4 * n, x, xOffset, t, 0);
    fp2.add(t, 3 * n, t, 3 * n, t, 4 * n);
    fp2.inverse(t, 3 * n, t, 3 * n);
    for (int i = 0; i < 3 * n; i += n) {
      fp2.multiply(z, zOffset + i, t, i, t, 3 * n);
    }
  }

  @Override
  public void setOne(long[] z, int zOffset) {
    setZero(z, zOffset);
    fp2.setOne(z, zOffset);
  }
}
