package dev.cuzk.math;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PairingTest {
  private static void power(Fp12 fp12, long[] z, long[] x, BigInteger exponent) {
    long[] result = new long[fp12.size()];
    fp12.setOne(result, 0);
    for (int bit = exponent.bitLength() - 1; bit >= 0; bit--) {
      fp12.square(result, 0, result, 0);
      if (exponent.testBit(bit)) {
        fp12.multiply(result, 0, result, 0, x, 0);
      }
    }
    fp12.copy(z, 0, result, 0);
  }

  @Property(tries = 12)
  void shouldBeBilinear(@ForAll CurveId id, @ForAll long seed) {
    Random random = new Random(seed);
    Curve curve = Curve.of(id);
    Pairing pairing = new Pairing(curve);
    Fp12 fp12 = pairing.target();
    BigInteger a = new BigInteger(64, random);
    BigInteger b = new BigInteger(250, random);
    long[] left = new long[fp12.size()];
    long[] right = new long[fp12.size()];
    long[] p = CurvePoints.multiple(curve, false, a);
    long[] q = CurvePoints.multiple(curve, true, b);
    pairing.pair(left, 0, p, 0, q, 0);
    pairing.pair(right, 0, curve.generator1(), 0, curve.generator2(), 0);
    power(fp12, right, right, a.multiply(b).mod(id.scalarModulus()));
    assertTrue(fp12.isEqual(left, 0, right, 0));
  }

  @Test
  void shouldNotDegenerate() {
    for (CurveId id : CurveId.values()) {
      Curve curve = Curve.of(id);
      Pairing pairing = new Pairing(curve);
      Fp12 fp12 = pairing.target();
      long[] z = new long[fp12.size()];
      long[] one = new long[fp12.size()];
      fp12.setOne(one, 0);
      pairing.pair(z, 0, curve.generator1(), 0, curve.generator2(), 0);
      assertFalse(fp12.isEqual(z, 0, one, 0));
      power(fp12, z, z, id.scalarModulus());
      assertTrue(fp12.isEqual(z, 0, one, 0));
    }
  }

  @Test
  void shouldGiveOneForInfinity() {
    for (CurveId id : CurveId.values()) {
      Curve curve = Curve.of(id);
      Pairing pairing = new Pairing(curve);
      Fp12 fp12 = pairing.target();
      long[] z = new long[fp12.size()];
      long[] one = new long[fp12.size()];
      fp12.setOne(one, 0);
      int n = curve.base().size();
      pairing.pair(z, 0, new long[2 * n], 0, curve.generator2(), 0);
      assertTrue(fp12.isEqual(z, 0, one, 0));
      pairing.pair(z, 0, curve.generator1(), 0, new long[4 * n], 0);
      assertTrue(fp12.isEqual(z, 0, one, 0));
    }
  }

  /** Many pairs in one loop, an infinity among them, give the product of the single pairings. */
  @Test
  void shouldMultiplyPairsInOneLoop() {
    Random random = new Random(3);
    for (CurveId id : CurveId.values()) {
      Curve curve = Curve.of(id);
      Pairing pairing = new Pairing(curve);
      Fp12 fp12 = pairing.target();
      int n = curve.base().size();
      int count = 4;
      long[] points = new long[count * 2 * n];
      PreparedG2[] lines = new PreparedG2[count];
      long[] product = new long[fp12.size()];
      long[] z = new long[fp12.size()];
      fp12.setOne(product, 0);
      for (int i = 0; i < count; i++) {
        if (i != 2) {
          long[] p = CurvePoints.subgroupPoint(curve, false, random);
          System.arraycopy(p, 0, points, i * 2 * n, 2 * n);
        }
        long[] q = CurvePoints.subgroupPoint(curve, true, random);
        lines[i] = pairing.prepare(q, 0);
        pairing.pair(z, 0, points, i * 2 * n, q, 0);
        fp12.multiply(product, 0, product, 0, z, 0);
      }
      pairing.millerLoop(z, 0, points, lines, count);
      pairing.finalExponentiation(z, 0, z, 0);
      assertTrue(fp12.isEqual(z, 0, product, 0));
    }
  }

  /** The fast final exponentiation against plain exponentiation by k (p^12 − 1) / r. */
  @Test
  void shouldRaiseToTheStatedPower() {
    Random random = new Random(5);
    for (CurveId id : CurveId.values()) {
      Curve curve = Curve.of(id);
      Pairing pairing = new Pairing(curve);
      Fp12 fp12 = pairing.target();
      int n = curve.base().size();
      long[] x = new long[fp12.size()];
      for (int i = 0; i < 12; i++) {
        curve.base().set(x, i * n, new BigInteger(400, random));
      }
      BigInteger u = new BigInteger("44e992b44a6909f1", 16);
      BigInteger k =
          id == CurveId.BLS12_381
              ? BigInteger.valueOf(3)
              : u.multiply(BigInteger.valueOf(6))
                  .add(BigInteger.valueOf(3))
                  .multiply(u)
                  .add(BigInteger.ONE)
                  .multiply(u)
                  .shiftLeft(1);
      BigInteger exponent =
          id.baseModulus().pow(12).subtract(BigInteger.ONE).divide(id.scalarModulus()).multiply(k);
      long[] expected = new long[fp12.size()];
      power(fp12, expected, x, exponent);
      pairing.finalExponentiation(x, 0, x, 0);
      assertTrue(fp12.isEqual(x, 0, expected, 0));
    }
  }
}
