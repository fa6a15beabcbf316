package dev.cuzk.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The three floors of the tower. */
class Fp12Test {
  private static long[] random(Field base, int size, Random random) {
    long[] x = new long[size];
    for (int i = 0; i < size; i += base.size()) {
      // Zeros now and then: sparse elements take other ways through carries and signs.
      base.set(x, i, random.nextInt(5) == 0 ? BigInteger.ZERO : new BigInteger(400, random));
    }
    return x;
  }

  @Property(tries = 40)
  void shouldObeyTheFieldLaws(@ForAll CurveId id, @ForAll long seed) {
    Random random = new Random(seed);
    Curve curve = Curve.of(id);
    Fp2 fp2 = curve.newFp2();
    for (AlgebraicField field : List.of(fp2, new Fp6(fp2), new Fp12(curve))) {
      int n = field.size();
      long[] a = random(curve.base(), n, random);
      long[] b = random(curve.base(), n, random);
      long[] c = random(curve.base(), n, random);
      long[] x = new long[n];
      long[] y = new long[n];
      long[] z = new long[n];
      // (a b) c = a (b c)
      field.multiply(x, 0, a, 0, b, 0);
      field.multiply(x, 0, x, 0, c, 0);
      field.multiply(y, 0, b, 0, c, 0);
      field.multiply(y, 0, a, 0, y, 0);
      assertTrue(field.isEqual(x, 0, y, 0));
      // a (b + c) = a b + a c
      field.add(x, 0, b, 0, c, 0);
      field.multiply(x, 0, a, 0, x, 0);
      field.multiply(y, 0, a, 0, b, 0);
      field.multiply(z, 0, a, 0, c, 0);
      field.add(y, 0, y, 0, z, 0);
      assertTrue(field.isEqual(x, 0, y, 0));
      // a² = a a, in place too
      field.multiply(x, 0, a, 0, a, 0);
      field.copy(y, 0, a, 0);
      field.square(y, 0, y, 0);
      assertTrue(field.isEqual(x, 0, y, 0));
      // a − b = −(b − a)
      field.subtract(x, 0, a, 0, b, 0);
      field.subtract(y, 0, b, 0, a, 0);
      field.negate(y, 0, y, 0);
      assertTrue(field.isEqual(x, 0, y, 0));
      // a / a = 1, 1/0 = 0
      if (!field.isZero(a, 0)) {
        field.inverse(x, 0, a, 0);
        field.multiply(x, 0, x, 0, a, 0);
        field.setOne(y, 0);
        assertTrue(field.isEqual(x, 0, y, 0));
      }
      field.setZero(x, 0);
      field.inverse(x, 0, x, 0);
      assertTrue(field.isZero(x, 0));
    }
  }

  @Property(tries = 6)
  void shouldRaiseToThePrimeByFrobenius(@ForAll CurveId id, @ForAll long seed) {
    Curve curve = Curve.of(id);
    Fp12 fp12 = new Fp12(curve);
    long[] a = random(curve.base(), fp12.size(), new Random(seed));
    long[] expected = new long[fp12.size()];
    long[] actual = new long[fp12.size()];
    fp12.copy(expected, 0, a, 0);
    for (int power = 1; power <= 3; power++) {
      long[] x = expected.clone();
      BigInteger p = id.baseModulus();
      for (int bit = p.bitLength() - 2; bit >= 0; bit--) {
        fp12.square(expected, 0, expected, 0);
        if (p.testBit(bit)) {
          fp12.multiply(expected, 0, expected, 0, x, 0);
        }
      }
      fp12.frobenius(actual, 0, a, 0, power);
      assertTrue(fp12.isEqual(actual, 0, expected, 0), "power " + power);
    }
    fp12.frobenius(actual, 0, actual, 0, 3);
    fp12.conjugate(expected, 0, a, 0);
    assertTrue(fp12.isEqual(actual, 0, expected, 0));
  }

  @Property(tries = 10)
  void shouldMultiplyBySparseElements(@ForAll CurveId id, @ForAll long seed) {
    Random random = new Random(seed);
    Curve curve = Curve.of(id);
    Fp12 fp12 = new Fp12(curve);
    int m = fp12.size() / 6;
    long[] a = random(curve.base(), fp12.size(), random);
    long[] line = random(curve.base(), 3 * m, random);
    long[] dense = new long[fp12.size()];
    long[] expected = new long[fp12.size()];
    System.arraycopy(line, 0, dense, 0, m);
    System.arraycopy(line, m, dense, 3 * m, 2 * m);
    fp12.multiply(expected, 0, a, 0, dense, 0);
    long[] actual = a.clone();
    fp12.multiplyBy034(actual, 0, line, 0, m, 2 * m);
    assertTrue(fp12.isEqual(actual, 0, expected, 0));

    fp12.setZero(dense, 0);
    System.arraycopy(line, 0, dense, 0, 2 * m);
    System.arraycopy(line, 2 * m, dense, 4 * m, m);
    fp12.multiply(expected, 0, a, 0, dense, 0);
    fp12.copy(actual, 0, a, 0);
    fp12.multiplyBy014(actual, 0, line, 0, m, 2 * m);
    assertTrue(fp12.isEqual(actual, 0, expected, 0));
  }

  @Property(tries = 4)
  void shouldDeriveTheConstantsFromTheirDefinitions(@ForAll CurveId id) {
    Curve curve = Curve.of(id);
    Fp2 fp2 = curve.newFp2();
    Field base = curve.base();
    long[] xi = new long[fp2.size()];
    fp2.setOne(xi, 0);
    fp2.multiplyByNonResidue(xi, 0, xi, 0);
    long[] power = new long[fp2.size()];
    fp2.setOne(power, 0);
    BigInteger exponent = id.baseModulus().subtract(BigInteger.ONE).divide(BigInteger.valueOf(6));
    for (int bit = exponent.bitLength() - 1; bit >= 0; bit--) {
      fp2.square(power, 0, power, 0);
      if (exponent.testBit(bit)) {
        fp2.multiply(power, 0, power, 0, xi, 0);
      }
    }
    assertTrue(fp2.isEqual(power, 0, curve.frobenius()[0], fp2.size()));
    // psi = g^2, g^3 on a divisor twist, their inverses on the other
    for (int i = 2; i <= 3; i++) {
      long[] factor = new long[fp2.size()];
      fp2.copy(factor, 0, curve.frobenius()[0], i * fp2.size());
      if (!curve.isDivisorTwist()) {
        fp2.inverse(factor, 0, factor, 0);
      }
      assertTrue(fp2.isEqual(factor, 0, curve.psi(), (i - 2) * fp2.size()));
    }
    BigInteger beta = base.get(curve.beta(), 0);
    assertEquals(BigInteger.ONE, beta.modPow(BigInteger.valueOf(3), id.baseModulus()));
    assertTrue(beta.compareTo(BigInteger.ONE) > 0);
  }
}
