package dev.cuzk.math;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import supranational.blst.P1;
import supranational.blst.P1_Affine;
import supranational.blst.P2;
import supranational.blst.P2_Affine;
import supranational.blst.PT;
import supranational.blst.Scalar;

/** BLS12-381 against blst, an independent implementation. */
class BlstAgreementTest {
  private final Curve curve = Curve.of(CurveId.BLS12_381);
  private final Field base = curve.base();

  /** blst's serialized form: big-endian coordinates, c1 before c0. */
  private byte[] serialize(boolean g2, long[] affine) {
    int width = base.bytes();
    int degree = g2 ? 2 : 1;
    byte[] bytes = new byte[2 * degree * width];
    for (int i = 0; i < 2 * degree; i++) {
      int coordinate = i / degree * degree + (degree - 1 - i % degree);
      byte[] number = base.get(affine, coordinate * base.size()).toByteArray();
      int length = Math.min(number.length, width);
      System.arraycopy(number, number.length - length, bytes, (i + 1) * width - length, length);
    }
    return bytes;
  }

  @Test
  void shouldAddAndMultiplyInG1() {
    Random random = new Random(1);
    Group group = Group.of(curve, false);
    for (int i = 0; i < 20; i++) {
      long[] p = CurvePoints.anyPoint(curve, false, random);
      long[] q = CurvePoints.anyPoint(curve, false, random);
      BigInteger k = new BigInteger(253, random).add(BigInteger.ONE);
      long[] jacobian = new long[group.jacobianSize()];
      group.multiply(jacobian, 0, p, 0, CurvePoints.words(k), 0, 4);
      group.addAffine(jacobian, 0, jacobian, 0, q, 0);
      long[] sum = new long[group.affineSize()];
      group.toAffine(sum, 0, jacobian, 0);

      P1 point = new P1(serialize(false, p));
      assertTrue(point.on_curve());
      assertFalse(point.in_group());
      // blst's own multiplication splits scalars by the endomorphism: for the subgroup alone.
      P1 expected = doubleAndAdd(point, k);
      expected.add(new P1_Affine(serialize(false, q)));
      assertArrayEquals(expected.serialize(), serialize(false, sum));
    }
  }

  private static P1 doubleAndAdd(P1 p, BigInteger k) {
    P1 result = new P1();
    for (int bit = k.bitLength() - 1; bit >= 0; bit--) {
      result.dbl();
      if (k.testBit(bit)) {
        result.add(p);
      }
    }
    return result;
  }

  private static Scalar scalar(BigInteger k) {
    byte[] bytes = new byte[32];
    byte[] number = k.toByteArray();
    int length = Math.min(32, number.length);
    System.arraycopy(number, number.length - length, bytes, 32 - length, length);
    return new Scalar().from_bendian(bytes);
  }

  @Test
  void shouldMultiplyInBothSubgroups() {
    Random random = new Random(2);
    for (int i = 0; i < 20; i++) {
      BigInteger k = new BigInteger(254, random);
      assertArrayEquals(
          P1.generator().mult(scalar(k)).serialize(),
          serialize(false, CurvePoints.multiple(curve, false, k)));
      assertArrayEquals(
          P2.generator().mult(scalar(k)).serialize(),
          serialize(true, CurvePoints.multiple(curve, true, k)));
    }
  }

  @Test
  void shouldAgreeOnMembership() {
    Random random = new Random(3);
    SubgroupCheck check = new SubgroupCheck(curve);
    for (int i = 0; i < 20; i++) {
      long[] p = CurvePoints.anyPoint(curve, false, random);
      long[] q = CurvePoints.anyPoint(curve, true, random);
      assertEquals(new P1_Affine(serialize(false, p)).in_group(), check.isInG1(p, 0));
      assertEquals(new P2_Affine(serialize(true, q)).in_group(), check.isInG2(q, 0));
      p = CurvePoints.subgroupPoint(curve, false, random);
      q = CurvePoints.subgroupPoint(curve, true, random);
      assertEquals(new P1_Affine(serialize(false, p)).in_group(), check.isInG1(p, 0));
      assertEquals(new P2_Affine(serialize(true, q)).in_group(), check.isInG2(q, 0));
    }
  }

  /** Values of the pairing, compared as sets of coordinates: towers order them differently. */
  @Test
  void shouldGiveTheSamePairing() {
    Random random = new Random(4);
    Pairing pairing = new Pairing(curve);
    for (int i = 0; i < 5; i++) {
      long[] p = CurvePoints.subgroupPoint(curve, false, random);
      long[] q = CurvePoints.subgroupPoint(curve, true, random);
      long[] z = new long[pairing.target().size()];
      pairing.pair(z, 0, p, 0, q, 0);
      PT expected =
          new PT(new P1_Affine(serialize(false, p)), new P2_Affine(serialize(true, q))).final_exp();
      byte[] bytes = expected.to_bendian();
      BigInteger[] theirs = new BigInteger[12];
      BigInteger[] ours = new BigInteger[12];
      for (int j = 0; j < 12; j++) {
        theirs[j] = new BigInteger(1, Arrays.copyOfRange(bytes, 48 * j, 48 * j + 48));
        ours[j] = base.get(z, j * base.size());
      }
      Arrays.sort(theirs);
      Arrays.sort(ours);
      assertArrayEquals(theirs, ours);
    }
  }
}
