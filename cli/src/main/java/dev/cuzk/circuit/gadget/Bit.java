package dev.cuzk.circuit.gadget;

import dev.cuzk.circuit.Assignment;
import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.circuit.LinearCombination;
import java.math.BigInteger;

/**
 * A boolean inside a circuit: a constant, a variable that is constrained to 0 or 1, or the negation
 * of one. Which of the three it is decides what constraints an operation makes.
 *
 * @param kind constant, plain or negated
 * @param code the variable's code; of a constant 0 or 1
 */
public record Bit(Kind kind, int code) {
  /** What stands for the value. */
  public enum Kind {
    CONSTANT,
    PLAIN,
    NEGATED
  }

  /** Constant 0. */
  public static final Bit FALSE = new Bit(Kind.CONSTANT, 0);

  /** Constant 1. */
  public static final Bit TRUE = new Bit(Kind.CONSTANT, 1);

  /** A variable that already is constrained to 0 or 1. */
  public static Bit of(int variable) {
    return new Bit(Kind.PLAIN, variable);
  }

  /** A constant. */
  public static Bit constant(boolean value) {
    return value ? TRUE : FALSE;
  }

  /** Allocates a variable whose value comes from outside and constrains it: (1 − b) · b = 0. */
  public static Bit allocate(ConstraintSystem system) {
    return constrain(system, system.allocate());
  }

  /** Allocates a variable whose value follows from others and constrains it. */
  public static Bit allocate(ConstraintSystem system, Assignment.Value value) {
    return constrain(system, system.allocate(value));
  }

  private static Bit constrain(ConstraintSystem system, int variable) {
    system.enforce(
        new LinearCombination(system.field()).plus(ConstraintSystem.ONE).minus(variable),
        new LinearCombination(system.field()).plus(variable),
        new LinearCombination(system.field()));
    return of(variable);
  }

  public boolean isConstant() {
    return kind == Kind.CONSTANT;
  }

  public boolean isPlain() {
    return kind == Kind.PLAIN;
  }

  public boolean isNegated() {
    return kind == Kind.NEGATED;
  }

  /** The negation; makes no constraint. */
  public Bit not() {
    return switch (kind) {
      case CONSTANT -> code == 0 ? TRUE : FALSE;
      case PLAIN -> new Bit(Kind.NEGATED, code);
      case NEGATED -> new Bit(Kind.PLAIN, code);
    };
  }

  /** Adds this bit times a coefficient to a combination. */
  public void addTo(LinearCombination combination, BigInteger coefficient) {
    switch (kind) {
      case CONSTANT -> {
        if (code == 1) {
          combination.plus(ConstraintSystem.ONE, coefficient);
        }
      }
      case PLAIN -> combination.plus(code, coefficient);
      case NEGATED ->
          combination.plus(ConstraintSystem.ONE, coefficient).plus(code, coefficient.negate());
    }
  }

  /** The bit as a combination. */
  LinearCombination combination(ConstraintSystem system) {
    LinearCombination combination = new LinearCombination(system.field());
    addTo(combination, BigInteger.ONE);
    return combination;
  }

  /** Its value under an assignment. */
  public boolean value(Assignment assignment) {
    return switch (kind) {
      case CONSTANT -> code == 1;
      case PLAIN -> assignment.value(code).signum() != 0;
      case NEGATED -> assignment.value(code).signum() == 0;
    };
  }
}
