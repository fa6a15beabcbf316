package dev.cuzk.circuit;

import dev.cuzk.math.Field;

/**
 * Where a circuit or a gadget puts its variables and constraints. What becomes of them is up to the
 * implementation: one records templates, another computes an assignment.
 *
 * <p>A variable is an {@code int} code, as in r1cs-digest-v1: input i is i, input 0 is ONE;
 * auxiliary j is {@link #AUXILIARY} | j. Inputs and auxiliaries are numbered in the order of their
 * allocation, each from its own zero (ONE exists from the start). Argument k of a gadget that is
 * being recorded is {@link #ARGUMENT} | k.
 */
public interface ConstraintSystem {
  /** The input that is always 1. */
  int ONE = 0;

  /** The bit that tells auxiliaries from inputs. */
  int AUXILIARY = 0x80000000;

  /** The bit that tells arguments of a recorded gadget from inputs; there are fewer than 2^30. */
  int ARGUMENT = 0x40000000;

  /** The field of coefficients and values. */
  Field field();

  /** Allocates a public input and gives its code. */
  int allocateInput();

  /** Allocates a private variable, whose value comes from outside, and gives its code. */
  int allocate();

  /** Allocates a public input whose value follows from others. */
  default int allocateInput(Assignment.Value value) {
    return allocateInput();
  }

  /** Allocates a private variable whose value follows from others. */
  default int allocate(Assignment.Value value) {
    return allocate();
  }

  /**
   * Demands a · b = c. The combinations are read before the call returns and may be used again
   * afterwards.
   */
  void enforce(LinearCombination a, LinearCombination b, LinearCombination c);

  /**
   * Makes a gadget whose constraints depend on nothing but {@code key}: the same key always means
   * the same constraints over the arguments and over the variables that the gadget allocates. That
   * lets an implementation record it once and place it many times.
   *
   * @param key names the gadget and its shape
   * @param arguments codes of the variables that it uses, ONE aside
   * @return codes that the gadget gives back
   */
  default int[] place(String key, int[] arguments, Gadget gadget) {
    return gadget.define(this, arguments);
  }

  /**
   * Begins a namespace, a name for what is allocated and enforced until {@link #leave}; they nest.
   */
  default void enter(String name) {}

  /** Ends the innermost namespace. */
  default void leave() {}

  /** What {@link #place} makes: allocates and enforces over its arguments. */
  @FunctionalInterface
  interface Gadget {
    int[] define(ConstraintSystem system, int[] arguments);
  }
}
