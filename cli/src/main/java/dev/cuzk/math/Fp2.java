package dev.cuzk.math;

/**
 * Fp2 = Fp[u]/(u² + 1): an element is c0 then c1.
 *
 * <p>Holds room for intermediate values: one instance serves one thread at a time.
 */
public final class Fp2 extends QuadraticExtension {
  private final Field base;
  private final int n;

  /** The real part of the non-residue ξ = a + u that Fp6 is built on. */
  private final int nonResidueReal;

  private final long[] t;

  /**
   * Arithmetic for a curve's second extension.
   *
   * @param nonResidueReal a in ξ = a + u: 9 for BN254, 1 for BLS12-381
   */
  Fp2(Field base, int nonResidueReal) {
    super(base);
    this.base = base;
    this.n = base.size();
    this.nonResidueReal = nonResidueReal;
    this.t = new long[4 * n];
  }

  /** Karatsuba: three products in Fp. */
  @Override
  public void multiply(long[] z, int zOffset, long[] x, int xOffset, long[] y, int yOffset) {
    base.multiply(t, 0, x, xOffset, y, yOffset);
    base.multiply(t, n, x, xOffset + n, y, yOffset + n);
    base.add(t, 2 * n, x, xOffset, x, xOffset + n);
    base.add(t, 3 * n, y, yOffset, y, yOffset + n);
    base.multiply(t, 2 * n, t, 2 * n, t, 3 * n);
    base.subtract(z, zOffset, t, 0, t, n);
    base.subtract(t, 2 * n, t, 2 * n, t, 0);
    base.subtract(z, zOffset + n, t, 2 * n, t, n);
  }

  /** (c0 + c1)(c0 − c1) + 2 c0 c1 u: two products in Fp. */
  @Override
  public void square(long[] z, int zOffset, long[] x, int xOffset) {
    base.add(t, 0, x, xOffset, x, xOffset + n);
    base.subtract(t, n, x, xOffset, x, xOffset + n);
    base.multiply(t, 2 * n, x, xOffset, x, xOffset + n);
    base.multiply(z, zOffset, t, 0, t, n);
    base.twice(z, zOffset + n, t, 2 * n);
  }

  /** z = x · k for k in Fp. */
  public void multiplyByBase(long[] z, int zOffset, long[] x, int xOffset, long[] k, int kOffset) {
    base.copy(t, 0, k, kOffset);
    base.multiply(z, zOffset, x, xOffset, t, 0);
    base.multiply(z, zOffset + n, x, xOffset + n, t, 0);
  }

  /** z = ξ · x = (a c0 − c1) + (c0 + a c1) u. */
  void multiplyByNonResidue(long[] z, int zOffset, long[] x, int xOffset) {
    long[] real = x;
    long[] imaginary = x;
    int realOffset = xOffset;
    int imaginaryOffset = xOffset + n;
    if (nonResidueReal == 9) {
      timesNine(t, 0, x, xOffset);
      timesNine(t, n, x, xOffset + n);
      real = t;
      imaginary = t;
      realOffset = 0;
      imaginaryOffset = n;
    }
    base.subtract(t, 2 * n, real, realOffset, x, xOffset + n);
    base.add(z, zOffset + n, x, xOffset, imaginary, imaginaryOffset);
    base.copy(z, zOffset, t, 2 * n);
  }

  private void timesNine(long[] z, int zOffset, long[] x, int xOffset) {
    base.twice(z, zOffset, x, xOffset);
    base.twice(z, zOffset, z, zOffset);
    base.twice(z, zOffset, z, zOffset);
    base.add(z, zOffset, z, zOffset, x, xOffset);
  }

  /** The conjugate over the norm c0² + c1². */
  @Override
  public void inverse(long[] z, int zOffset, long[] x, int xOffset) {
    base.square(t, 0, x, xOffset);
    base.square(t, n, x, xOffset + n);
    base.add(t, 0, t, 0, t, n);
    base.inverse(t, 0, t, 0);
    base.multiply(z, zOffset, x, xOffset, t, 0);
    base.negate(t, 0, t, 0);
    base.multiply(z, zOffset + n, x, xOffset + n, t, 0);
  }

  /**
   * z = a square root of x, as {@link Field#squareRoot}. By the complex method: with the root of
   * the norm, c0 = √((x0 ± √norm)/2) and c1 = x1/(2 c0); −1 is no square in Fp.
   */
  public boolean squareRoot(long[] z, int zOffset, long[] x, int xOffset) {
    long[] root = new long[2 * n];
    long[] s = new long[3 * n];
    if (base.isZero(x, xOffset + n)) {
      // √x0, or √(−x0) · u.
      if (!base.squareRoot(root, 0, x, xOffset)) {
        base.negate(s, 0, x, xOffset);
        base.setZero(root, 0);
        base.squareRoot(root, n, s, 0);
      }
      copy(z, zOffset, root, 0);
      return true;
    }
    base.square(s, 0, x, xOffset);
    base.square(s, n, x, xOffset + n);
    base.add(s, 0, s, 0, s, n);
    if (!base.squareRoot(s, 0, s, 0)) {
      return false;
    }
    base.set(s, 2 * n, 2);
    base.inverse(s, 2 * n, s, 2 * n);
    base.add(s, n, x, xOffset, s, 0);
    base.multiply(s, n, s, n, s, 2 * n);
    if (!base.squareRoot(root, 0, s, n)) {
      base.subtract(s, n, s, n, s, 0);
      base.squareRoot(root, 0, s, n);
    }
    base.twice(s, n, root, 0);
    base.inverse(s, n, s, n);
    base.multiply(root, n, x, xOffset + n, s, n);
    copy(z, zOffset, root, 0);
    return true;
  }
}
