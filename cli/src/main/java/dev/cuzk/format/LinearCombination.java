package dev.cuzk.format;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** A sum of wires times coefficients: one side of a constraint, as it is written to a file. */
public final class LinearCombination {
  /**
   * One summand.
   *
   * @param wire index in the assignment; 0 is ONE
   * @param coefficient in [0, r)
   */
  public record Term(long wire, BigInteger coefficient) {}

  private final List<Term> terms = new ArrayList<>();

  /** Adds a summand; wires should come once and in ascending order, as circom writes them. */
  public LinearCombination add(long wire, BigInteger coefficient) {
    terms.add(new Term(wire, coefficient));
    return this;
  }

  /** Adds a summand with a small coefficient. */
  public LinearCombination add(long wire, long coefficient) {
    return add(wire, BigInteger.valueOf(coefficient));
  }

  /** The summands in the order in which they were added. */
  public List<Term> terms() {
    return terms;
  }

  /** Makes it empty, that is zero, for reuse. */
  public LinearCombination clear() {
    terms.clear();
    return this;
  }
}
