package dev.cuzk.math;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

class MultiScalarMultiplicationTest {
  private static final ForkJoinPool POOL = new ForkJoinPool(2);

  /** Points [i mod 7 − 3] G: repeated, opposite and infinite ones among them. */
  private static void compare(CurveId id, boolean g2, int count, int bits, ForkJoinPool pool) {
    Random random = new Random(count + 31L * bits);
    Curve curve = Curve.of(id);
    Group group = Group.of(curve, g2);
    long[][] multiples = new long[7][];
    for (int i = 0; i < 7; i++) {
      multiples[i] = CurvePoints.multiple(curve, g2, BigInteger.valueOf(Math.abs(i - 3)));
      if (i < 3) {
        group.negateAffine(multiples[i], 0, multiples[i], 0);
      }
    }
    long[] points = new long[count * group.affineSize()];
    long[] scalars = new long[count * 4];
    BigInteger total = BigInteger.ZERO;
    for (int i = 0; i < count; i++) {
      int kind = random.nextInt(7);
      System.arraycopy(multiples[kind], 0, points, i * group.affineSize(), group.affineSize());
      BigInteger k =
          switch (random.nextInt(5)) {
            case 0 -> BigInteger.valueOf(random.nextInt(2));
            case 1 -> BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
            case 2 -> BigInteger.ONE.shiftLeft(random.nextInt(bits));
            default -> new BigInteger(bits, random);
          };
      System.arraycopy(CurvePoints.words(k), 0, scalars, 4 * i, 4);
      total = total.add(k.multiply(BigInteger.valueOf(kind - 3)));
    }
    long[] sum = MultiScalarMultiplication.sum(curve, g2, points, scalars, 4, bits, count, pool);
    long[] expected = new long[group.jacobianSize()];
    long[] affine = CurvePoints.multiple(curve, g2, total.mod(id.scalarModulus()));
    group.toJacobian(expected, 0, affine, 0);
    assertTrue(group.isEqual(expected, 0, sum, 0), id + " " + count + " " + bits);
  }

  @Test
  void shouldEqualTheSumOfMultiplesForAllSmallCounts() {
    for (int count = 0; count <= 40; count++) {
      compare(CurveId.BN254, false, count, 254, null);
    }
  }

  @Test
  void shouldEqualTheSumOfMultiplesOnBothGroupsOfBothCurves() {
    for (CurveId id : CurveId.values()) {
      for (boolean g2 : new boolean[] {false, true}) {
        for (int count : new int[] {1, 31, 32, 33, 100}) {
          compare(id, g2, count, 255, POOL);
          compare(id, g2, count, 128, null);
        }
      }
    }
  }

  @Test
  void shouldEqualTheSumOfMultiplesForManyPoints() {
    compare(CurveId.BN254, false, 1000, 256, POOL);
    compare(CurveId.BN254, false, 1023, 256, null);
    compare(CurveId.BN254, false, 1024, 256, POOL);
    compare(CurveId.BN254, true, 1100, 64, POOL);
    compare(CurveId.BLS12_381, false, 1025, 1, null);
    compare(CurveId.BLS12_381, false, 3000, 255, POOL);
    compare(CurveId.BLS12_381, false, 513, 1, null);
  }
}
