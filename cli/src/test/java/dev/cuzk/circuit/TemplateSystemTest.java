package dev.cuzk.circuit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TemplateSystemTest {
  private static final CurveId CURVE = CurveId.BN254;
  private static final Field FIELD = Field.scalar(CURVE);

  private static LinearCombination sum(int... variables) {
    LinearCombination combination = new LinearCombination(FIELD);
    for (int variable : variables) {
      combination.plus(variable);
    }
    return combination;
  }

  /** p = a · b, an input i = p · 2; gives p, i, a and ONE. */
  private static int[] gadget(ConstraintSystem system, int[] arguments) {
    system.enter("gadget");
    int product = system.allocate();
    system.enforce(sum(arguments[0]), sum(arguments[1]), sum(product));
    int input = system.allocateInput();
    system.enforce(
        sum(product, arguments[0]).minus(arguments[1]),
        sum(ConstraintSystem.ONE).plus(ConstraintSystem.ONE),
        sum(input));
    system.leave();
    return new int[] {product, input, arguments[0], ConstraintSystem.ONE};
  }

  private static List<int[]> define(ConstraintSystem system) {
    List<int[]> results = new ArrayList<>();
    int first = system.allocate();
    int input = system.allocateInput();
    system.enforce(sum(first), sum(input), sum(first, input));
    int second = system.allocate();
    system.enforce(sum(second), sum(first), sum(input, second));
    int[] one = system.place("gadget", new int[] {second, first}, TemplateSystemTest::gadget);
    results.add(one);
    // Both arguments alike, one of them what another gadget made.
    results.add(system.place("gadget", new int[] {one[0], one[0]}, TemplateSystemTest::gadget));
    system.enforce(sum(one[1]), sum(one[0]), sum(first));
    system.enter("outer");
    results.add(
        system.place(
            "nested",
            new int[] {one[1], one[2]},
            (inner, arguments) -> inner.place("gadget", arguments, TemplateSystemTest::gadget)));
    system.leave();
    system.enforce(sum(one[1]), sum(one[0]), sum(first));
    return results;
  }

  /** Rows as maps from assignment index to coefficient. */
  private static List<Map<Long, BigInteger>> rows(Constraints system) {
    List<Map<Long, BigInteger>> rows = new ArrayList<>();
    for (int i = 0; i < 3 * system.constraints(); i++) {
      rows.add(new TreeMap<>());
    }
    int[] current = new int[1];
    Constraints.Sink sink =
        new Constraints.Sink() {
          @Override
          public void term(int matrix, long variable, long c0, long c1, long c2, long c3) {
            BigInteger value = new BigInteger(Long.toUnsignedString(c3));
            for (long word : new long[] {c2, c1, c0}) {
              value = value.shiftLeft(64).add(new BigInteger(Long.toUnsignedString(word)));
            }
            rows.get(3 * current[0] + matrix).merge(variable, value, BigInteger::add);
          }

          @Override
          public void end(long constraint) {
            assertEquals(current[0]++, constraint);
          }
        };
    try {
      system.forEach(0, system.constraints(), sink);
    } catch (InputException e) {
      throw new AssertionError(e);
    }
    rows.forEach(
        row -> {
          row.replaceAll((variable, value) -> value.mod(FIELD.modulus()));
          row.values().removeIf(value -> value.signum() == 0);
        });
    return rows;
  }

  @Test
  void shouldExpandToWhatADirectDefinitionMakes() {
    TemplateSystem system = new TemplateSystem("placed", CURVE, 4);
    List<int[]> results = define(system);
    CompactMatrices matrices = system.finish();
    // All of it as one gadget without arguments: nothing is placed there.
    TemplateSystem direct = new TemplateSystem("direct", CURVE, 4);
    List<int[]> expected = new ArrayList<>();
    direct.place(
        "all",
        new int[0],
        (inner, arguments) -> {
          expected.addAll(define(inner));
          return new int[0];
        });
    CompactMatrices whole = direct.finish();
    assertEquals(1, whole.places());
    assertEquals(rows(whole), rows(matrices));
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i), results.get(i));
    }
    assertEquals(whole.variables(), matrices.variables());
    assertEquals(4, matrices.publicInputs());
    assertEquals(direct.namespaces().list(), system.namespaces().list());
    assertEquals(2, system.namespaces().list().get(3).depth());
  }

  @Test
  void shouldKeepAlikeStretchesBetweenGadgetsOnce() {
    TemplateSystem system = new TemplateSystem("placed", CURVE, 0);
    define(system);
    CompactMatrices matrices = system.finish();
    // Before the first gadget; the gadget; the stretch that occurs twice; the nested gadget.
    assertEquals(4, matrices.templates());
    assertEquals(6, matrices.places());
    assertTrue(system.namespaces().list().isEmpty());
  }

  @Test
  void shouldFindTheVariablesOfAMatrix() {
    TemplateSystem system = new TemplateSystem("placed", CURVE, 0);
    define(system);
    CompactMatrices matrices = system.finish();
    List<Map<Long, BigInteger>> rows = rows(matrices);
    for (int matrix = 0; matrix < 2; matrix++) {
      VariableSet occurring = matrices.occurring(matrix);
      long count = 0;
      for (long variable = 0; variable < matrices.variables(); variable++) {
        boolean expected = false;
        for (int row = matrix; row < rows.size(); row += 3) {
          expected |= rows.get(row).containsKey(variable);
        }
        assertEquals(expected, occurring.contains(variable), matrix + ", " + variable);
        count += expected ? 1 : 0;
      }
      assertEquals(count, occurring.count(0, matrices.variables()));
      assertFalse(occurring.contains(1000));
    }
  }
}
