package dev.cuzk.circuit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cuzk.circuit.CircuitTesting.Listed;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PlainBuffer;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ConstraintCheckTest {
  private static final BuiltInCircuit CHAIN =
      BuiltInCircuits.byName("chain-14", CurveId.BN254).orElseThrow();

  @Test
  void shouldNameExactlyTheFirstConstraintThatFails() throws Exception {
    try (Buffer witness = CircuitTesting.witnessOf(CHAIN)) {
      for (int broken : new int[] {16_000, 9_000, 8_192, 8_191, 4_097, 1, 0}) {
        // x_{i+1} stands in constraint i (as its result) and in constraint i + 1.
        long wire = broken + 3;
        CircuitTesting.set(witness, wire, CircuitTesting.value(witness, wire).xor(BigInteger.ONE));
        ConstraintCheck.Failure failure =
            ConstraintCheck.firstFailure(CHAIN, witness, CircuitTesting.POOL).orElseThrow();
        assertEquals(broken, failure.constraint());
        assertEquals(List.of(broken + 2L), failure.a());
        assertEquals(List.of(broken + 2L), failure.b());
        assertEquals(List.of(0L, wire), failure.c());
        assertEquals(
            String.format(
                "constraint %d is not satisfied: a over wire %d, b over wire %d, c over wires 0, %d",
                broken, broken + 2, broken + 2, wire),
            failure.describe());
      }
    }
  }

  @Test
  void shouldDemandOneAtTheStart() throws Exception {
    try (Buffer witness = CircuitTesting.witnessOf(CHAIN)) {
      CircuitTesting.set(witness, 0, BigInteger.TWO);
      ConstraintCheck.Failure failure =
          ConstraintCheck.firstFailure(CHAIN, witness, CircuitTesting.POOL).orElseThrow();
      assertEquals(-1, failure.constraint());
      assertEquals("value 0 of the witness is not 1", failure.describe());
    }
  }

  @Test
  void shouldRefuseAWitnessOfAnotherLength() {
    try (Buffer witness = PlainBuffer.allocate(64)) {
      assertThrows(
          IllegalArgumentException.class,
          () -> ConstraintCheck.firstFailure(CHAIN, witness, CircuitTesting.POOL));
    }
  }

  @Test
  void shouldPassOnWhatAFileSays() {
    Constraints broken =
        new Constraints() {
          @Override
          public String name() {
            return "broken.r1cs";
          }

          @Override
          public Field field() {
            return CHAIN.field();
          }

          @Override
          public long variables() {
            return CHAIN.variables();
          }

          @Override
          public int publicInputs() {
            return 1;
          }

          @Override
          public long constraints() {
            return 100_000;
          }

          @Override
          public void forEach(long first, long count, Sink sink) throws InputException {
            throw new InputException(name(), "changed");
          }
        };
    try (Buffer witness = CircuitTesting.witnessOf(CHAIN)) {
      InputException refused =
          assertThrows(
              InputException.class,
              () -> ConstraintCheck.firstFailure(broken, witness, CircuitTesting.POOL));
      assertEquals("broken.r1cs", refused.file());
    }
  }

  @Test
  void shouldShortenLongLists() {
    List<Long> wires = new ArrayList<>();
    for (long i = 0; i < 20; i++) {
      wires.add(i);
    }
    String text = new ConstraintCheck.Failure(3, wires, List.of(), List.of(0L)).describe();
    assertEquals(
        "constraint 3 is not satisfied: a over wires 0, 1, 2, 3, 4, 5, 6, 7 and 12 more, "
            + "b over nothing, c over wire 0",
        text);
  }

  /** Against plain big integers, with coefficients of all kinds. */
  @Property(tries = 60)
  boolean shouldAgreeWithBigIntegers(@ForAll long seed, @ForAll boolean small) throws Exception {
    Random random = new Random(seed);
    Field field = small ? new Field(BigInteger.valueOf(97)) : Field.scalar(CurveId.BLS12_381);
    BigInteger p = field.modulus();
    int variables = 3 + random.nextInt(6);
    try (Buffer witness = PlainBuffer.allocate(32L * variables)) {
      BigInteger[] w = new BigInteger[variables];
      for (int i = 0; i < variables; i++) {
        w[i] = i == 0 ? BigInteger.ONE : element(random, p);
        CircuitTesting.set(witness, i, w[i]);
      }
      List<List<TreeMap<Long, BigInteger>>> rows = new ArrayList<>();
      Optional<Long> expected = Optional.empty();
      for (long row = 0; row < 20; row++) {
        List<TreeMap<Long, BigInteger>> constraint = new ArrayList<>();
        BigInteger[] sums = new BigInteger[3];
        for (int matrix = 0; matrix < 3; matrix++) {
          TreeMap<Long, BigInteger> combination = new TreeMap<>();
          for (int i = random.nextInt(4); i > 0; i--) {
            combination.put((long) random.nextInt(variables), element(random, p));
          }
          constraint.add(combination);
          sums[matrix] = sum(combination, w, p);
        }
        // Mends c through ONE, most of the time.
        if (random.nextInt(20) != 0) {
          BigInteger missing = sums[0].multiply(sums[1]).subtract(sums[2]).mod(p);
          constraint.get(2).merge(0L, missing, (x, y) -> x.add(y).mod(p));
        }
        rows.add(constraint);
        boolean holds = sums[0].multiply(sums[1]).mod(p).equals(sum(constraint.get(2), w, p));
        if (!holds && expected.isEmpty()) {
          expected = Optional.of(row);
        }
      }
      Listed listed = new Listed(field, variables, 1, rows);
      return ConstraintCheck.firstFailure(listed, witness, CircuitTesting.POOL)
          .map(ConstraintCheck.Failure::constraint)
          .equals(expected);
    }
  }

  private static BigInteger element(Random random, BigInteger p) {
    return switch (random.nextInt(5)) {
      case 0 -> BigInteger.ZERO;
      case 1 -> BigInteger.ONE;
      case 2 -> p.subtract(BigInteger.ONE);
      default -> new BigInteger(300, random).mod(p);
    };
  }

  private static BigInteger sum(
      TreeMap<Long, BigInteger> combination, BigInteger[] w, BigInteger p) {
    BigInteger sum = BigInteger.ZERO;
    for (var term : combination.entrySet()) {
      sum = sum.add(w[term.getKey().intValue()].multiply(term.getValue()));
    }
    return sum.mod(p);
  }

  @Test
  void shouldBeSilentAboutValues() throws Exception {
    try (Buffer witness = CircuitTesting.witnessOf(CHAIN)) {
      BigInteger secret = new BigInteger("123456789123456789123456789");
      CircuitTesting.set(witness, 5, secret);
      ConstraintCheck.Failure failure =
          ConstraintCheck.firstFailure(CHAIN, witness, CircuitTesting.POOL).orElseThrow();
      assertFalse(failure.describe().contains(secret.toString()));
    }
  }
}
