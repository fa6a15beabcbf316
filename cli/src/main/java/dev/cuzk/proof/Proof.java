package dev.cuzk.proof;

import dev.cuzk.format.LittleEndian;
import dev.cuzk.math.CurveId;
import java.math.BigInteger;
import java.util.List;

/**
 * A Groth16 proof: A and C in G1, B in G2, affine coordinates in [0, p). Immutable. A point at
 * infinity has all its coordinates zero (the representation never says whether a point is on the
 * curve: the verifier does).
 *
 * @param a x, y
 * @param b x.c0, x.c1, y.c0, y.c1
 * @param c x, y
 */
public record Proof(CurveId curve, List<BigInteger> a, List<BigInteger> b, List<BigInteger> c) {
  public Proof {
    a = List.copyOf(a);
    b = List.copyOf(b);
    c = List.copyOf(c);
    if (a.size() != 2 || b.size() != 4 || c.size() != 2) {
      throw new IllegalArgumentException("a proof has 2 + 4 + 2 coordinates");
    }
  }

  /**
   * From affine canonical little-endian coordinates back to back (A, B, C), as the proving
   * libraries give them.
   */
  public static Proof fromLittleEndian(CurveId curve, byte[] bytes) {
    int width = curve.baseFieldBytes();
    if (bytes.length != 8 * width) {
      throw new IllegalArgumentException("expected " + 8 * width + " bytes, found " + bytes.length);
    }
    BigInteger[] coordinates = new BigInteger[8];
    for (int i = 0; i < 8; i++) {
      coordinates[i] = LittleEndian.toInteger(bytes, i * width, width);
    }
    return new Proof(
        curve,
        List.of(coordinates[0], coordinates[1]),
        List.of(coordinates[2], coordinates[3], coordinates[4], coordinates[5]),
        List.of(coordinates[6], coordinates[7]));
  }
}
