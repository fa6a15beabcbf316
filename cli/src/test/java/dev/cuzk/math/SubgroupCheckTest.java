package dev.cuzk.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SubgroupCheckTest {
  private static boolean check(Curve curve, boolean g2, long[] p) {
    SubgroupCheck check = new SubgroupCheck(curve);
    return g2 ? check.isInG2(p, 0) : check.isInG1(p, 0);
  }

  @Test
  void shouldAgreeWithMultiplicationByTheOrder() {
    Random random = new Random(7);
    for (CurveId id : CurveId.values()) {
      Curve curve = Curve.of(id);
      for (boolean g2 : new boolean[] {false, true}) {
        int outside = 0;
        for (int i = 0; i < 12; i++) {
          long[] any = CurvePoints.anyPoint(curve, g2, random);
          boolean inside = CurvePoints.hasOrderR(curve, g2, any);
          assertEquals(inside, check(curve, g2, any), id + " " + g2);
          outside += inside ? 0 : 1;
          assertTrue(check(curve, g2, CurvePoints.subgroupPoint(curve, g2, random)));
        }
        assertEquals(id == CurveId.BN254 && !g2 ? 0 : 12, outside);
        assertTrue(check(curve, g2, new long[Group.of(curve, g2).affineSize()]));
      }
    }
  }

  /** Points of the cofactor's order, alone and added to a point of the subgroup. */
  @Test
  void shouldRefusePointsOfSmallOrder() {
    Random random = new Random(11);
    for (CurveId id : CurveId.values()) {
      Curve curve = Curve.of(id);
      for (boolean g2 : new boolean[] {false, true}) {
        if (id == CurveId.BN254 && !g2) {
          continue;
        }
        Group group = Group.of(curve, g2);
        long[] any = CurvePoints.anyPoint(curve, g2, random);
        long[] jacobian = new long[group.jacobianSize()];
        long[] r = CurvePoints.words(id.scalarModulus());
        group.multiply(jacobian, 0, any, 0, r, 0, 4);
        long[] small = new long[group.affineSize()];
        group.toAffine(small, 0, jacobian, 0);
        assertFalse(group.isAffineInfinity(small, 0));
        assertFalse(check(curve, g2, small));
        group.addAffine(jacobian, 0, jacobian, 0, group.generator(), 0);
        group.toAffine(small, 0, jacobian, 0);
        assertFalse(check(curve, g2, small));
      }
    }
  }

  /** The curve of BLS12-381 has points of order 3: (0, ±2). */
  @Test
  void shouldRefuseThePointOfOrderThree() {
    Curve curve = Curve.of(CurveId.BLS12_381);
    long[] point = new long[12];
    curve.base().set(point, 6, BigInteger.TWO);
    assertTrue(Group.of(curve, false).isOnCurve(point, 0));
    assertFalse(check(curve, false, point));
  }
}
