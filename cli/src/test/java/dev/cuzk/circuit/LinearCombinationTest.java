package dev.cuzk.circuit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import java.math.BigInteger;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LinearCombinationTest {
  private static final Field FIELD = Field.scalar(CurveId.BN254);

  private static BigInteger coefficient(LinearCombination combination, int i) {
    BigInteger value = BigInteger.ZERO;
    for (int word = 3; word >= 0; word--) {
      value =
          value
              .shiftLeft(64)
              .add(new BigInteger(Long.toUnsignedString(combination.coefficient(i, word))));
    }
    return value;
  }

  @Property(tries = 200)
  void shouldSumSortAndDropZeros(@ForAll long seed) {
    Random random = new Random(seed);
    LinearCombination combination = new LinearCombination(FIELD);
    TreeMap<Integer, BigInteger> expected = new TreeMap<>(Integer::compareUnsigned);
    for (int i = random.nextInt(40); i > 0; i--) {
      int variable = random.nextInt(8) | (random.nextBoolean() ? ConstraintSystem.AUXILIARY : 0);
      BigInteger c =
          switch (random.nextInt(3)) {
            case 0 -> {
              combination.plus(variable);
              yield BigInteger.ONE;
            }
            case 1 -> {
              combination.minus(variable);
              yield BigInteger.ONE.negate();
            }
            default -> {
              BigInteger any = new BigInteger(260, random).subtract(BigInteger.ONE.shiftLeft(259));
              combination.plus(variable, any);
              yield any;
            }
          };
      expected.merge(variable, c.mod(FIELD.modulus()), (x, y) -> x.add(y).mod(FIELD.modulus()));
    }
    expected.values().removeIf(value -> value.signum() == 0);
    combination.normalize();
    assertEquals(expected.size(), combination.size());
    int i = 0;
    for (var term : expected.entrySet()) {
      assertEquals(term.getKey(), combination.variable(i));
      assertEquals(term.getValue(), coefficient(combination, i));
      i++;
    }
  }

  @Test
  void shouldBeEmptyAgainOnceCleared() {
    LinearCombination combination = new LinearCombination(FIELD).plus(3).plus(4);
    assertEquals(2, combination.size());
    assertEquals(0, combination.clear().size());
  }

  @Test
  void shouldRefuseFieldsOfSixWords() {
    Field wide = Field.base(CurveId.BLS12_381);
    assertThrows(IllegalArgumentException.class, () -> new LinearCombination(wide));
  }

  @Test
  void shouldSortLongCombinationsInReverseAndGiveTheirValue() {
    LinearCombination combination = new LinearCombination(FIELD);
    BigInteger expected = BigInteger.ZERO;
    for (int i = 500; i > 0; i--) {
      BigInteger coefficient = BigInteger.valueOf(3 - i).pow(30);
      int variable = ConstraintSystem.AUXILIARY | i;
      combination.plus(variable, coefficient).minus(i);
      expected = expected.add(coefficient.subtract(BigInteger.ONE).multiply(BigInteger.valueOf(i)));
    }
    combination.normalize();
    assertEquals(999, combination.size());
    for (int i = 1; i < combination.size(); i++) {
      int before = combination.variable(i - 1);
      assertTrue(Integer.compareUnsigned(before, combination.variable(i)) < 0);
    }
    assertEquals(
        expected.mod(FIELD.modulus()),
        combination.evaluate(code -> BigInteger.valueOf(code & ~ConstraintSystem.AUXILIARY)));
  }
}
