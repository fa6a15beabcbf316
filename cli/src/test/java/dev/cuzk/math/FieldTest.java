package dev.cuzk.math;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class FieldTest {
  private static final List<Field> FIELDS =
      List.of(
          Field.scalar(CurveId.BN254),
          Field.base(CurveId.BN254),
          Field.scalar(CurveId.BLS12_381),
          Field.base(CurveId.BLS12_381),
          new Field(BigInteger.valueOf(3)),
          new Field(BigInteger.valueOf(97)),
          new Field(BigInteger.valueOf(65537)),
          // The largest primes below 2^255 and 2^383: every limb nearly full.
          new Field(BigInteger.ONE.shiftLeft(255).subtract(BigInteger.valueOf(19))),
          new Field(BigInteger.ONE.shiftLeft(383).subtract(BigInteger.valueOf(31))));

  /** Two values of a field, with the edges 0, 1, p − 1 and sparse words sprinkled in. */
  record Pair(Field field, BigInteger x, BigInteger y) {}

  @Provide
  Arbitrary<Pair> pairs() {
    return Arbitraries.of(FIELDS)
        .flatMap(
            field ->
                Combinators.combine(values(field), values(field))
                    .as((x, y) -> new Pair(field, x, y)));
  }

  private static Arbitrary<BigInteger> values(Field field) {
    BigInteger p = field.modulus();
    return Arbitraries.frequencyOf(
        net.jqwik.api.Tuple.of(
            2,
            Arbitraries.of(
                BigInteger.ZERO, BigInteger.ONE, p.subtract(BigInteger.ONE), p.shiftRight(1))),
        net.jqwik.api.Tuple.of(
            1,
            Arbitraries.integers()
                .between(0, 383)
                .map(bit -> BigInteger.ONE.shiftLeft(bit).subtract(BigInteger.ONE).mod(p))),
        net.jqwik.api.Tuple.of(
            5, Arbitraries.longs().map(seed -> new BigInteger(400, new Random(seed)).mod(p))));
  }

  @Property(tries = 2000)
  void shouldAgreeWithBigIntegerArithmetic(@ForAll("pairs") Pair pair) {
    Field field = pair.field;
    BigInteger p = field.modulus();
    int n = field.size();
    long[] v = new long[3 * n];
    field.set(v, 0, pair.x);
    field.set(v, n, pair.y);
    assertEquals(pair.x, field.get(v, 0));
    field.add(v, 2 * n, v, 0, v, n);
    assertEquals(pair.x.add(pair.y).mod(p), field.get(v, 2 * n));
    field.subtract(v, 2 * n, v, 0, v, n);
    assertEquals(pair.x.subtract(pair.y).mod(p), field.get(v, 2 * n));
    field.multiply(v, 2 * n, v, 0, v, n);
    assertEquals(pair.x.multiply(pair.y).mod(p), field.get(v, 2 * n));
    field.negate(v, 2 * n, v, 0);
    assertEquals(pair.x.negate().mod(p), field.get(v, 2 * n));
    field.square(v, 2 * n, v, 0);
    assertEquals(pair.x.multiply(pair.x).mod(p), field.get(v, 2 * n));
    field.twice(v, 2 * n, v, 0);
    assertEquals(pair.x.shiftLeft(1).mod(p), field.get(v, 2 * n));
    field.power(v, 2 * n, v, 0, 77);
    assertEquals(pair.x.modPow(BigInteger.valueOf(77), p), field.get(v, 2 * n));
    assertTrue(field.isReduced(v, 2 * n));
  }

  @Property(tries = 100)
  void shouldInvert(@ForAll("pairs") Pair pair) {
    Field field = pair.field;
    long[] v = new long[2 * field.size()];
    field.set(v, 0, pair.x);
    field.inverse(v, field.size(), v, 0);
    BigInteger expected =
        pair.x.signum() == 0 ? BigInteger.ZERO : pair.x.modInverse(field.modulus());
    assertEquals(expected, field.get(v, field.size()));
  }

  @Property(tries = 300)
  void shouldKeepResultsRightWhenTheyReplaceAnOperand(@ForAll("pairs") Pair pair) {
    Field field = pair.field;
    BigInteger p = field.modulus();
    int n = field.size();
    long[] v = new long[2 * n];
    field.set(v, 0, pair.x);
    field.set(v, n, pair.y);
    field.multiply(v, 0, v, 0, v, n);
    field.add(v, n, v, 0, v, n);
    field.subtract(v, 0, v, n, v, 0);
    field.negate(v, 0, v, 0);
    BigInteger product = pair.x.multiply(pair.y);
    assertEquals(product.add(pair.y).mod(p), field.get(v, n));
    assertEquals(pair.y.negate().mod(p), field.get(v, 0));
  }

  @Property(tries = 200)
  void shouldReadWhatIsWritten(@ForAll("pairs") Pair pair) {
    Field field = pair.field;
    long[] v = new long[field.size()];
    byte[] bytes = new byte[field.bytes()];
    field.set(v, 0, pair.x);
    assertEquals(pair.x, field.get(v, 0));
    write(pair.x, bytes);
    assertTrue(field.load(v, 0, bytes, 0));
    byte[] stored = new byte[bytes.length + 3];
    field.store(stored, 3, v, 0);
    assertArrayEquals(bytes, Arrays.copyOfRange(stored, 3, stored.length));
    field.toMontgomery(v, 0, v, 0);
    assertEquals(pair.x, field.get(v, 0));
  }

  @Test
  void shouldLoadFromAnOffset() {
    for (Field field : FIELDS) {
      byte[] bytes = new byte[field.bytes() + 3];
      bytes[3] = 2;
      long[] v = new long[field.size() + 1];
      assertTrue(field.load(v, 1, bytes, 3));
      assertEquals(2, v[1]);
    }
  }

  @Test
  void shouldRefuseNumbersFromTheModulusUpwards() {
    for (Field field : FIELDS) {
      byte[] bytes = new byte[field.bytes()];
      long[] v = new long[field.size()];
      write(field.modulus(), bytes);
      assertFalse(field.load(v, 0, bytes, 0));
      write(field.modulus().add(BigInteger.ONE), bytes);
      assertFalse(field.load(v, 0, bytes, 0));
      Arrays.fill(bytes, (byte) 0xff);
      assertFalse(field.load(v, 0, bytes, 0));
      write(field.modulus().subtract(BigInteger.ONE), bytes);
      assertTrue(field.load(v, 0, bytes, 0));
    }
  }

  private static void write(BigInteger value, byte[] littleEndian) {
    Arrays.fill(littleEndian, (byte) 0);
    byte[] bigEndian = value.toByteArray();
    for (int i = 0; i < Math.min(bigEndian.length, littleEndian.length); i++) {
      littleEndian[i] = bigEndian[bigEndian.length - 1 - i];
    }
  }

  @Test
  void shouldInvertBatchesAndKeepZeros() {
    for (Field field : FIELDS) {
      int n = field.size();
      int count = 9;
      long[] v = new long[(count + 1) * n];
      for (int i = 0; i < count; i++) {
        field.set(v, (i + 1) * n, BigInteger.valueOf(i % 4 == 0 ? 0 : 7L + i));
      }
      long[] inverses = v.clone();
      field.batchInverse(inverses, n, count, new long[count * n]);
      long[] expected = new long[n];
      for (int i = 1; i <= count; i++) {
        field.inverse(expected, 0, v, i * n);
        assertTrue(field.isEqual(expected, 0, inverses, i * n), "element " + i);
      }
      field.batchInverse(v, 0, 0, new long[0]);
    }
  }

  @Test
  void shouldEnumerateATinyFieldExactly() {
    Field field = new Field(BigInteger.valueOf(17));
    long[] v = new long[12];
    for (int x = 0; x < 17; x++) {
      for (int y = 0; y < 17; y++) {
        field.set(v, 0, x);
        field.set(v, 4, y);
        field.multiply(v, 8, v, 0, v, 4);
        assertEquals(x * y % 17, field.get(v, 8).intValueExact());
        field.subtract(v, 8, v, 0, v, 4);
        assertEquals((x - y + 17) % 17, field.get(v, 8).intValueExact());
      }
    }
  }

  @Test
  void shouldTakeNegativeAndLargeValuesModuloThePrime() {
    for (Field field : FIELDS) {
      long[] v = new long[field.size()];
      field.set(v, 0, BigInteger.valueOf(-1));
      assertEquals(field.modulus().subtract(BigInteger.ONE), field.get(v, 0));
      field.set(v, 0, field.modulus().multiply(BigInteger.TEN).add(BigInteger.TWO));
      assertEquals(BigInteger.TWO, field.get(v, 0));
      assertThrows(IllegalArgumentException.class, () -> field.set(v, 0, -1));
    }
  }

  @Test
  void shouldRefuseModuliThatItCannotHold() {
    assertThrows(IllegalArgumentException.class, () -> new Field(BigInteger.TEN));
    assertThrows(IllegalArgumentException.class, () -> new Field(BigInteger.ONE));
    assertThrows(IllegalArgumentException.class, () -> new Field(BigInteger.valueOf(-7)));
    BigInteger tooLarge = BigInteger.ONE.shiftLeft(384).subtract(BigInteger.valueOf(317));
    assertThrows(IllegalArgumentException.class, () -> new Field(tooLarge));
  }
}
