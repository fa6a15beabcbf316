package dev.cuzk.circuit;

import dev.cuzk.math.Field;

/**
 * Where a circuit or a gadget puts its variables and constraints. What becomes of them is up to the
 * implementation: one records a template, another streams a digest, a third counts.
 *
 * <p>A variable is an {@code int} code, as in r1cs-digest-v1: input i is i, input 0 is ONE;
 * auxiliary j is {@link #AUXILIARY} | j. Inputs and auxiliaries are numbered in the order of their
 * allocation, each from its own zero (ONE exists from the start).
 */
public interface ConstraintSystem {
  /** The input that is always 1. */
  int ONE = 0;

  /** The bit that tells auxiliaries from inputs. */
  int AUXILIARY = 0x80000000;

  /** The field of coefficients and values. */
  Field field();

  /** Allocates a public input and gives its code. */
  int allocateInput();

  /** Allocates a private variable and gives its code. */
  int allocate();

  /**
   * Demands a · b = c. The combinations are read before the call returns and may be used again
   * afterwards.
   */
  void enforce(LinearCombination a, LinearCombination b, LinearCombination c);
}
