package dev.cuzk.math;

/**
 * A field whose elements are runs of {@link #size()} longs at an offset of a {@code long[]}: what
 * curve arithmetic needs of the field its coordinates lie in, so that G1 (over Fp) and G2 (over
 * Fp2) are one implementation.
 *
 * <p>Results may overlap operands only by being the same element (same array, same offset).
 */
public interface AlgebraicField {
  /** Longs of an element. */
  int size();

  /** z = x + y. */
  void add(long[] z, int zOffset, long[] x, int xOffset, long[] y, int yOffset);

  /** z = x − y. */
  void subtract(long[] z, int zOffset, long[] x, int xOffset, long[] y, int yOffset);

  /** z = −x. */
  void negate(long[] z, int zOffset, long[] x, int xOffset);

  /** z = x · y. */
  void multiply(long[] z, int zOffset, long[] x, int xOffset, long[] y, int yOffset);

  /** z = x². */
  void square(long[] z, int zOffset, long[] x, int xOffset);

  /** z = 1/x, or 0 if x = 0. */
  void inverse(long[] z, int zOffset, long[] x, int xOffset);

  /** z = 1. */
  void setOne(long[] z, int zOffset);

  /** z = 2x. */
  default void twice(long[] z, int zOffset, long[] x, int xOffset) {
    add(z, zOffset, x, xOffset, x, xOffset);
  }

  /** z = 0. */
  default void setZero(long[] z, int zOffset) {
    int end = zOffset + size();
    for (int i = zOffset; i < end; i++) {
      z[i] = 0;
    }
  }

  /** z = x. */
  default void copy(long[] z, int zOffset, long[] x, int xOffset) {
    System.arraycopy(x, xOffset, z, zOffset, size());
  }

  /** Whether x = 0. */
  default boolean isZero(long[] x, int xOffset) {
    int end = xOffset + size();
    long bits = 0;
    for (int i = xOffset; i < end; i++) {
      bits |= x[i];
    }
    return bits == 0;
  }

  /** Whether x = y. */
  default boolean isEqual(long[] x, int xOffset, long[] y, int yOffset) {
    int size = size();
    long bits = 0;
    for (int i = 0; i < size; i++) {
      bits |= x[xOffset + i] ^ y[yOffset + i];
    }
    return bits == 0;
  }
}
