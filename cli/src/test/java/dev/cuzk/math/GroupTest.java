package dev.cuzk.math;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class GroupTest {
  /** k · generator as a Jacobian point whose Z is not one, for small k ≥ 0. */
  private static long[] smallMultiple(Group group, int k) {
    long[] z = new long[group.jacobianSize()];
    group.setInfinity(z, 0);
    long[] generator = group.generator();
    for (int i = 0; i < k; i++) {
      group.addAffine(z, 0, z, 0, generator, 0);
    }
    return z;
  }

  @Property(tries = 40)
  void shouldObeyTheGroupLaws(@ForAll CurveId id, @ForAll boolean g2, @ForAll long seed) {
    Random random = new Random(seed);
    Curve curve = Curve.of(id);
    Group group = Group.of(curve, g2);
    int size = group.jacobianSize();
    long[] v = new long[6 * size];
    long[] affine = CurvePoints.anyPoint(curve, g2, random);
    assertTrue(group.isOnCurve(affine, 0));
    group.toJacobian(v, 0, affine, 0);
    group.twice(v, 0, v, 0);
    group.toJacobian(v, size, CurvePoints.anyPoint(curve, g2, random), 0);
    group.toJacobian(v, 2 * size, CurvePoints.anyPoint(curve, g2, random), 0);

    // (a + b) + c = a + (b + c), a + b = b + a
    group.add(v, 3 * size, v, 0, v, size);
    group.add(v, 4 * size, v, size, v, 0);
    assertTrue(group.isEqual(v, 3 * size, v, 4 * size));
    group.add(v, 3 * size, v, 3 * size, v, 2 * size);
    group.add(v, 4 * size, v, size, v, 2 * size);
    group.add(v, 4 * size, v, 0, v, 4 * size);
    assertTrue(group.isEqual(v, 3 * size, v, 4 * size));
    // mixed = full
    long[] o = new long[group.affineSize()];
    group.toAffine(o, 0, v, 2 * size);
    assertTrue(group.isOnCurve(o, 0));
    group.addAffine(v, 3 * size, v, 0, o, 0);
    group.add(v, 4 * size, v, 0, v, 2 * size);
    assertTrue(group.isEqual(v, 3 * size, v, 4 * size));
    // a + a = 2a by both additions, a − a = 0, a + 0 = a = 0 + a
    group.twice(v, 3 * size, v, 0);
    group.add(v, 4 * size, v, 0, v, 0);
    assertTrue(group.isEqual(v, 3 * size, v, 4 * size));
    group.toAffine(o, 0, v, 0);
    group.addAffine(v, 4 * size, v, 0, o, 0);
    assertTrue(group.isEqual(v, 3 * size, v, 4 * size));
    group.negateAffine(o, 0, o, 0);
    group.addAffine(v, 4 * size, v, 0, o, 0);
    assertTrue(group.isInfinity(v, 4 * size));
    group.negate(v, 3 * size, v, 0);
    group.add(v, 3 * size, v, 0, v, 3 * size);
    assertTrue(group.isInfinity(v, 3 * size));
    group.add(v, 3 * size, v, 0, v, 4 * size);
    assertTrue(group.isEqual(v, 3 * size, v, 0));
    group.add(v, 3 * size, v, 4 * size, v, 0);
    assertTrue(group.isEqual(v, 3 * size, v, 0));
    group.twice(v, 4 * size, v, 4 * size);
    assertTrue(group.isInfinity(v, 4 * size));
  }

  @Property(tries = 20)
  void shouldMultiplyAsRepeatedAddition(
      @ForAll CurveId id, @ForAll boolean g2, @ForAll byte factor) {
    Group group = Group.of(id, g2);
    int k = factor & 0xff;
    long[] z = new long[group.jacobianSize()];
    group.multiply(z, 0, group.generator(), 0, new long[] {k}, 0, 1);
    assertTrue(group.isEqual(z, 0, smallMultiple(group, k), 0));
  }

  @Test
  void shouldHaveGeneratorsOfOrderR() {
    for (CurveId id : CurveId.values()) {
      for (boolean g2 : new boolean[] {false, true}) {
        Group group = Group.of(id, g2);
        assertTrue(group.isOnCurve(group.generator(), 0));
        assertTrue(CurvePoints.hasOrderR(Curve.of(id), g2, group.generator()));
      }
    }
  }

  @Test
  void shouldRefusePointsOffTheCurve() {
    for (CurveId id : CurveId.values()) {
      for (boolean g2 : new boolean[] {false, true}) {
        Group group = Group.of(id, g2);
        Field base = group.curve().base();
        for (int i = 0; i < group.affineSize(); i += base.size()) {
          long[] point = group.generator();
          long[] one = new long[base.size()];
          base.setOne(one, 0);
          base.add(point, i, point, i, one, 0);
          assertFalse(group.isOnCurve(point, 0), id + " coordinate " + i);
        }
        assertTrue(group.isOnCurve(new long[group.affineSize()], 0));
      }
    }
  }

  @Test
  void shouldWrapAroundAtTheOrder() {
    for (CurveId id : CurveId.values()) {
      Curve curve = Curve.of(id);
      BigInteger r = id.scalarModulus();
      long[] minus = CurvePoints.multiple(curve, true, r.subtract(BigInteger.TEN));
      long[] plus = CurvePoints.multiple(curve, true, BigInteger.TEN);
      Group group = Group.of(curve, true);
      group.negateAffine(minus, 0, minus, 0);
      assertTrue(java.util.Arrays.equals(minus, plus));
    }
  }
}
