package dev.cuzk.math;

import java.math.BigInteger;

/**
 * The roots of unity of order 2^k that iden3's tools use (ffjavascript): with p − 1 = 2^s · t, the
 * smallest non-residue n ≥ 2 gives the root n^t of order 2^s, and each square of it the root for
 * the next smaller k. The root of order 2^(k+1) shifts a domain of 2^k to its odd coset.
 *
 * <p>Immutable.
 */
public final class RootsOfUnity {
  private final Field field;
  private final long[][] roots;

  /** All of a field's: s squarings and a few powers. */
  public RootsOfUnity(Field field) {
    this.field = field;
    BigInteger modulus = field.modulus();
    BigInteger minusOne = modulus.subtract(BigInteger.ONE);
    BigInteger half = modulus.shiftRight(1);
    BigInteger nonResidue = BigInteger.TWO;
    while (!nonResidue.modPow(half, modulus).equals(minusOne)) {
      nonResidue = nonResidue.add(BigInteger.ONE);
    }
    int s = minusOne.getLowestSetBit();
    this.roots = new long[s + 1][field.size()];
    field.set(roots[s], 0, nonResidue.modPow(minusOne.shiftRight(s), modulus));
    for (int k = s - 1; k >= 0; k--) {
      field.square(roots[k], 0, roots[k + 1], 0);
    }
  }

  /** The largest k such that the field has roots of unity of order 2^k. */
  public int twoAdicity() {
    return roots.length - 1;
  }

  /**
   * z = the root of order 2^k, in Montgomery form.
   *
   * @throws IllegalArgumentException if k is negative or above {@link #twoAdicity()}
   */
  public void get(long[] z, int zOffset, int k) {
    if (k < 0 || k >= roots.length) {
      throw new IllegalArgumentException("no root of unity of order 2^" + k);
    }
    field.copy(z, zOffset, roots[k], 0);
  }
}
