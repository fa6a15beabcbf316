package dev.cuzk.key;

/**
 * The five queries of a Groth16 proving key (Groth 2016, section 3.2; names as in bellman). The
 * ordinals equal {@code cuzk_query} in cuzk.h.
 */
public enum Query {
  /** [u_i(x)] in G1, one point a variable (in bellman keys only those that occur). */
  A(false),
  /** [v_i(x)] in G1. */
  B1(false),
  /** [v_i(x)] in G2. */
  B2(true),
  /** [(beta u_i + alpha v_i + w_i)/delta] in G1, private variables only. */
  L(false),
  /** The quotient's basis over delta, in G1. */
  H(false);

  private final boolean g2;

  Query(boolean g2) {
    this.g2 = g2;
  }

  /** Whether its points lie in G2. */
  public boolean isG2() {
    return g2;
  }
}
