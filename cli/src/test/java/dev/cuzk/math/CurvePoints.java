package dev.cuzk.math;

import java.math.BigInteger;
import java.util.Random;

/** Points for tests: from random abscissas, so almost never in the subgroup if there is another. */
public final class CurvePoints {
  private CurvePoints() {}

  /** A random affine point of the curve (G1) or its twist (G2), from the whole curve. */
  public static long[] anyPoint(Curve curve, boolean g2, Random random) {
    Group group = Group.of(curve, g2);
    AlgebraicField field = group.field();
    Field base = curve.base();
    long[] point = new long[group.affineSize()];
    long[] square = new long[field.size()];
    while (true) {
      for (int i = 0; i < field.size(); i += base.size()) {
        base.set(point, i, new BigInteger(base.modulus().bitLength() + 64, random));
      }
      field.square(square, 0, point, 0);
      field.multiply(square, 0, square, 0, point, 0);
      field.add(square, 0, square, 0, curve.b(g2), 0);
      if (squareRoot(curve, field, point, field.size(), square)) {
        return point;
      }
    }
  }

  /** A random affine point of the subgroup: a multiple of the generator. */
  public static long[] subgroupPoint(Curve curve, boolean g2, Random random) {
    return multiple(curve, g2, new BigInteger(250, random));
  }

  /** [k] generator, affine. */
  public static long[] multiple(Curve curve, boolean g2, BigInteger k) {
    Group group = Group.of(curve, g2);
    long[] jacobian = new long[group.jacobianSize()];
    long[] affine = new long[group.affineSize()];
    group.multiply(jacobian, 0, group.generator(), 0, words(k), 0, 4);
    group.toAffine(affine, 0, jacobian, 0);
    return affine;
  }

  /** Four words, least significant first. */
  public static long[] words(BigInteger k) {
    long[] words = new long[4];
    for (int i = 0; i < 4; i++) {
      words[i] = k.shiftRight(64 * i).longValue();
    }
    return words;
  }

  /** Whether [r] p is infinity, by the definition. */
  public static boolean hasOrderR(Curve curve, boolean g2, long[] p) {
    Group group = Group.of(curve, g2);
    long[] jacobian = new long[group.jacobianSize()];
    group.multiply(jacobian, 0, p, 0, words(curve.id().scalarModulus()), 0, 4);
    return group.isInfinity(jacobian, 0);
  }

  private static boolean squareRoot(
      Curve curve, AlgebraicField field, long[] z, int zAt, long[] v) {
    Field base = curve.base();
    BigInteger p = base.modulus();
    if (field == base) {
      BigInteger value = base.get(v, 0);
      BigInteger root = value.modPow(p.add(BigInteger.ONE).shiftRight(2), p);
      base.set(z, zAt, root);
      return root.multiply(root).mod(p).equals(value);
    }
    // (x + y u)² = a + b u with x² = (a ± |v|) / 2 and y = b / 2x.
    BigInteger a = base.get(v, 0);
    BigInteger b = base.get(v, base.size());
    BigInteger exponent = p.add(BigInteger.ONE).shiftRight(2);
    BigInteger norm = a.multiply(a).add(b.multiply(b)).mod(p);
    BigInteger normRoot = norm.modPow(exponent, p);
    BigInteger half = BigInteger.TWO.modInverse(p);
    for (BigInteger sign : new BigInteger[] {normRoot, normRoot.negate()}) {
      BigInteger xx = a.add(sign).multiply(half).mod(p);
      BigInteger x = xx.modPow(exponent, p);
      if (x.signum() == 0) {
        continue;
      }
      BigInteger y = b.multiply(half).multiply(x.modInverse(p)).mod(p);
      base.set(z, zAt, x);
      base.set(z, zAt + base.size(), y);
      long[] check = new long[field.size()];
      field.square(check, 0, z, zAt);
      if (field.isEqual(check, 0, v, 0)) {
        return true;
      }
    }
    return false;
  }
}
