package dev.cuzk.circuit;

import java.math.BigInteger;

/** The values of variables, by their codes in a {@link ConstraintSystem}. */
@FunctionalInterface
public interface Assignment {
  /** The canonical value of an allocated variable; 1 for ONE. */
  BigInteger value(int variable);

  /** How a value follows from those of variables allocated before. */
  @FunctionalInterface
  interface Value {
    /** Any integer; it is taken modulo the field's prime. */
    BigInteger of(Assignment assignment);
  }
}
