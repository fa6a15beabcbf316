package dev.cuzk.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ScalarDigitsTest {
  private static final BigInteger R = CurveId.BLS12_381.scalarModulus();
  private static final BigInteger LARGEST = R.subtract(BigInteger.ONE);
  private static final int AT = 3;
  private static final int MOST_TERMS = 12;

  /** Numbers of all lengths, and those around powers of two and r. */
  @Provide
  Arbitrary<BigInteger> numbers() {
    return Arbitraries.oneOf(
        Arbitraries.bigIntegers().between(BigInteger.ZERO, LARGEST),
        Arbitraries.integers().between(0, 254).map(BigInteger.ONE::shiftLeft),
        Arbitraries.integers()
            .between(1, 254)
            .map(bits -> BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE)),
        Arbitraries.integers().between(1, 9).map(less -> R.subtract(BigInteger.valueOf(less))));
  }

  private static long[] expanded(List<BigInteger> numbers) {
    long[] result = new long[AT + numbers.size() * ScalarDigits.EXPANDED];
    for (int i = 0; i < numbers.size(); i++) {
      int at = AT + i * ScalarDigits.EXPANDED;
      ScalarDigits.load(result, at, words(numbers.get(i)), 0);
      ScalarDigits.expand(result, at);
    }
    return result;
  }

  private static long[] words(BigInteger number) {
    long[] words = new long[4];
    for (int i = 0; i < words.length; i++) {
      words[i] = number.shiftRight(Long.SIZE * i).longValue();
    }
    return words;
  }

  private static BigInteger number(long[] digits, int at) {
    long[] words = new long[4];
    ScalarDigits.store(words, 0, digits, at);
    BigInteger number = BigInteger.ZERO;
    for (int i = words.length - 1; i >= 0; i--) {
      number = number.shiftLeft(Long.SIZE).add(new BigInteger(Long.toUnsignedString(words[i])));
    }
    return number;
  }

  @Property
  void shouldKeepNumbers(@ForAll("numbers") BigInteger x) {
    assertEquals(x, number(expanded(List.of(x)), AT));
  }

  @Property
  void shouldSumProducts(
      @ForAll @Size(min = 2, max = 2 * MOST_TERMS) List<@From("numbers") BigInteger> all,
      @ForAll("numbers") BigInteger plus) {
    int terms = all.size() / 2;
    List<BigInteger> x = all.subList(0, terms);
    List<BigInteger> y = all.subList(terms, 2 * terms);
    BigInteger expected = plus;
    for (int i = 0; i < terms; i++) {
      expected = expected.add(x.get(i).multiply(y.get(i)));
    }
    long[] z = expanded(x);
    long[] added = expanded(List.of(plus));
    new ScalarDigits().dot(z, AT, z, AT, expanded(y), AT, terms, added, AT);
    assertEquals(expected.mod(R), number(z, AT));
    assertExpanded(z, AT);
  }

  /** The largest sums of products that fit. */
  @Test
  void shouldSumTheLargestProducts() {
    List<BigInteger> largest = new ArrayList<>();
    for (int i = 0; i < MOST_TERMS; i++) {
      largest.add(LARGEST);
    }
    long[] x = expanded(largest);
    new ScalarDigits().dot(x, AT, x, AT, expanded(largest), AT, MOST_TERMS, x, AT);
    assertEquals(BigInteger.valueOf(MOST_TERMS - 1), number(x, AT));
  }

  @Property
  void shouldTakeSumsThatAreNotCarried(
      @ForAll("numbers") BigInteger x, @ForAll("numbers") BigInteger c) {
    ScalarDigits arithmetic = new ScalarDigits();
    long[] sum = expanded(List.of(x));
    ScalarDigits.addDigits(sum, AT, sum, AT, expanded(List.of(c)), AT);
    BigInteger expected = x.add(c);
    long[] square = new long[ScalarDigits.DIGITS];
    arithmetic.square(square, 0, sum, AT);
    assertEquals(expected.pow(2).mod(R), number(square, 0));
    long[] cube = new long[ScalarDigits.EXPANDED];
    arithmetic.multiply(cube, 0, sum, AT, square, 0, null, 0);
    assertEquals(expected.pow(3).mod(R), number(cube, 0));
    assertExpanded(cube, 0);
    arithmetic.multiply(cube, 0, sum, AT, square, 0, square, 0);
    assertEquals(expected.pow(3).add(expected.pow(2)).mod(R), number(cube, 0));
  }

  private static void assertExpanded(long[] digits, int at) {
    int pair = at + ScalarDigits.DIGITS;
    for (int i = 0; i < ScalarDigits.DIGITS; i++) {
      for (int j = i + 1; j < ScalarDigits.DIGITS; j++, pair++) {
        assertEquals(digits[at + i] + digits[at + j], digits[pair]);
      }
    }
  }
}
