package dev.cuzk.key;

/**
 * How a key's H query represents the quotient; the ordinals equal {@code cuzk_quotient} in cuzk.h.
 */
public enum QuotientForm {
  /**
   * snarkjs: values of a·b − c on the odd coset of the domain of size 2n; iden3's roots of unity.
   */
  ODD_COSET,
  /** bellman: coefficients of the quotient; coset generator 7. */
  MONOMIAL
}
