package dev.cuzk.circuit.gadget;

import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.circuit.LinearCombination;
import java.math.BigInteger;
import java.util.function.Predicate;

/**
 * Operations on {@link Bit}s. Each makes one variable and one constraint (majority: two), or none
 * where constants decide; which, and in what order the operands stand, is as in bellpepper-core
 * 0.2.1 ({@code Boolean}, {@code AllocatedBit}).
 */
final class BitLogic {
  private static final BigInteger TWO = BigInteger.TWO;
  private static final BigInteger MINUS_ONE = BigInteger.ONE.negate();

  private BitLogic() {}

  /** a ⊕ b: (2a) · b = a + b − c. */
  public static Bit xor(ConstraintSystem system, Bit a, Bit b) {
    if (a.isConstant()) {
      return a.code() == 0 ? b : b.not();
    }
    if (b.isConstant()) {
      return b.code() == 0 ? a : a.not();
    }
    if (a.kind() != b.kind()) {
      // The plain operand stands first, whatever the order given.
      Bit plain = a.isPlain() ? a : b;
      Bit other = a.isPlain() ? b : a;
      return xor(system, plain, other.not()).not();
    }
    Bit result = Bit.of(system.allocate(values -> bit(a.value(values) ^ b.value(values))));
    system.enforce(
        empty(system).plus(a.code(), TWO),
        empty(system).plus(b.code()),
        empty(system).plus(a.code()).plus(b.code()).minus(result.code()));
    return result;
  }

  /** a ∧ b: a · b = c, of negated operands (1 − a) · (1 − b) = c. */
  public static Bit and(ConstraintSystem system, Bit a, Bit b) {
    if (a.isConstant()) {
      return a.code() == 0 ? Bit.FALSE : b;
    }
    if (b.isConstant()) {
      return b.code() == 0 ? Bit.FALSE : a;
    }
    Bit first = a.isNegated() && b.isPlain() ? b : a;
    Bit second = first == a ? b : a;
    Bit result = Bit.of(system.allocate(values -> bit(a.value(values) && b.value(values))));
    system.enforce(
        first.combination(system), second.combination(system), result.combination(system));
    return result;
  }

  /** SHA-256's Ch: a ? b : c; (b − c) · a = ch − c. */
  public static Bit choose(ConstraintSystem system, Bit a, Bit b, Bit c) {
    if (a.isConstant() && b.isConstant() && c.isConstant()) {
      return a.equals(Bit.TRUE) ? b : c;
    }
    if (a.equals(Bit.FALSE)) {
      return c;
    }
    if (b.equals(Bit.FALSE)) {
      return and(system, a.not(), c);
    }
    if (c.equals(Bit.FALSE)) {
      return and(system, a, b);
    }
    if (c.equals(Bit.TRUE)) {
      return and(system, a, b.not()).not();
    }
    if (b.equals(Bit.TRUE)) {
      return and(system, a.not(), c.not()).not();
    }
    Bit result =
        Bit.of(system.allocate(values -> bit(a.value(values) ? b.value(values) : c.value(values))));
    LinearCombination left = b.combination(system);
    c.addTo(left, MINUS_ONE);
    LinearCombination right = result.combination(system);
    c.addTo(right, MINUS_ONE);
    system.enforce(left, a.combination(system), right);
    return result;
  }

  /**
   * SHA-256's Maj: bc = b ∧ c; (2bc − b − c) · a = bc − maj. The result is allocated before bc,
   * bc's constraint comes first.
   */
  public static Bit majority(ConstraintSystem system, Bit a, Bit b, Bit c) {
    if (a.isConstant() && b.isConstant() && c.isConstant()) {
      return Bit.constant(a.code() + b.code() + c.code() >= 2);
    }
    Bit decided = majorityWithConstant(system, a, b, c);
    if (decided != null) {
      return decided;
    }
    Bit result =
        Bit.of(
            system.allocate(
                values -> {
                  int count = 0;
                  for (Bit operand : new Bit[] {a, b, c}) {
                    count += operand.value(values) ? 1 : 0;
                  }
                  return bit(count >= 2);
                }));
    Bit both = and(system, b, c);
    LinearCombination left = empty(system);
    both.addTo(left, TWO);
    b.addTo(left, MINUS_ONE);
    c.addTo(left, MINUS_ONE);
    LinearCombination right = both.combination(system);
    result.addTo(right, MINUS_ONE);
    system.enforce(left, a.combination(system), right);
    return result;
  }

  /** A constant false leaves the AND of the others, a constant true their OR; else null. */
  private static Bit majorityWithConstant(ConstraintSystem system, Bit a, Bit b, Bit c) {
    Predicate<Bit> isFalse = Bit.FALSE::equals;
    Predicate<Bit> isTrue = Bit.TRUE::equals;
    if (isFalse.test(a)) {
      return and(system, b, c);
    }
    if (isFalse.test(b)) {
      return and(system, a, c);
    }
    if (isFalse.test(c)) {
      return and(system, a, b);
    }
    if (isTrue.test(c)) {
      return and(system, a.not(), b.not()).not();
    }
    if (isTrue.test(b)) {
      return and(system, a.not(), c.not()).not();
    }
    return isTrue.test(a) ? and(system, b.not(), c.not()).not() : null;
  }

  static BigInteger bit(boolean value) {
    return value ? BigInteger.ONE : BigInteger.ZERO;
  }

  private static LinearCombination empty(ConstraintSystem system) {
    return new LinearCombination(system.field());
  }
}
