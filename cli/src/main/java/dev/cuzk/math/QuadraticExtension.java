package dev.cuzk.math;

/**
 * What all extensions of degree two share: an element is a pair c0, c1 of elements of the field
 * below, and whatever works part by part is alike.
 */
abstract class QuadraticExtension implements AlgebraicField {
  private final AlgebraicField below;
  private final int n;

  QuadraticExtension(AlgebraicField below) {
    this.below = below;
    this.n = below.size();
  }

  @Override
  public final int size() {
    return 2 * n;
  }

  @Override
  public final void add(long[] z, int zOffset, long[] x, int xOffset, long[] y, int yOffset) {
    below.add(z, zOffset, x, xOffset, y, yOffset);
    below.add(z, zOffset + n, x, xOffset + n, y, yOffset + n);
  }

  @Override
  public final void subtract(long[] z, int zOffset, long[] x, int xOffset, long[] y, int yOffset) {
    below.subtract(z, zOffset, x, xOffset, y, yOffset);
    below.subtract(z, zOffset + n, x, xOffset + n, y, yOffset + n);
  }

  @Override
  public final void negate(long[] z, int zOffset, long[] x, int xOffset) {
    below.negate(z, zOffset, x, xOffset);
    below.negate(z, zOffset + n, x, xOffset + n);
  }

  /** z = c0 − c1 times the adjoined root: x^p in Fp2, x^(p^6) in Fp12. */
  public final void conjugate(long[] z, int zOffset, long[] x, int xOffset) {
    below.copy(z, zOffset, x, xOffset);
    below.negate(z, zOffset + n, x, xOffset + n);
  }

  @Override
  public final void setOne(long[] z, int zOffset) {
    below.setOne(z, zOffset);
    below.setZero(z, zOffset + n);
  }
}
