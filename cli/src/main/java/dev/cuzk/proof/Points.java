package dev.cuzk.proof;

import dev.cuzk.math.Curve;
import dev.cuzk.math.Field;
import java.math.BigInteger;
import java.util.List;

/** Coordinates as numbers to and from points as words. */
final class Points {
  private Points() {}

  /** Whether all coordinates lie in [0, p). */
  static boolean areInRange(Curve curve, List<BigInteger> coordinates) {
    BigInteger p = curve.id().baseModulus();
    for (BigInteger coordinate : coordinates) {
      if (coordinate.signum() < 0 || coordinate.compareTo(p) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether all coordinates are zero, which stands for the point at infinity. */
  static boolean isInfinity(List<BigInteger> coordinates) {
    return coordinates.stream().allMatch(coordinate -> coordinate.signum() == 0);
  }

  /** An affine point from coordinates in [0, p). */
  static void set(Curve curve, long[] z, int at, List<BigInteger> coordinates) {
    if (!areInRange(curve, coordinates)) {
      throw new IllegalArgumentException("a coordinate is not below the base field's modulus");
    }
    Field base = curve.base();
    int offset = at;
    for (BigInteger coordinate : coordinates) {
      base.set(z, offset, coordinate);
      offset += base.size();
    }
  }

  /** An affine point from coordinates in [0, p). */
  static long[] words(Curve curve, List<BigInteger> coordinates) {
    long[] point = new long[coordinates.size() * curve.base().size()];
    set(curve, point, 0, coordinates);
    return point;
  }

  /** Puts v &lt; 2^(64 words) at an offset, least significant word first. */
  static void putScalar(long[] z, int at, int words, BigInteger v) {
    BigInteger rest = v;
    for (int i = 0; i < words; i++) {
      z[at + i] = rest.longValue();
      rest = rest.shiftRight(64);
    }
  }
}
