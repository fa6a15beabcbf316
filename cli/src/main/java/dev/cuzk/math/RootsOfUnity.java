package dev.cuzk.math;

import java.math.BigInteger;

/**
 * Roots of unity of order 2^k: with p − 1 = 2^s · t, a non-residue n gives the root n^t of order
 * 2^s, and each square of it the root for the next smaller k. iden3's tools (ffjavascript) take the
 * smallest non-residue n ≥ 2; bellman takes 7, a generator of BLS12-381's scalars. The root of
 * order 2^(k+1) shifts a domain of 2^k to its odd coset.
 *
 * <p>Immutable.
 */
public final class RootsOfUnity {
  private final Field field;
  private final long[][] roots;

  /** What bellman's roots of unity over BLS12-381's scalars come from. */
  private static final BigInteger BELLMAN = BigInteger.valueOf(7);

  /** iden3's: s squarings and a few powers. */
  public RootsOfUnity(Field field) {
    this(field, smallestNonResidue(field.modulus()));
  }

  /** bellman's, for BLS12-381's scalar field. */
  public static RootsOfUnity bellman(Field field) {
    return new RootsOfUnity(field, BELLMAN);
  }

  private static BigInteger smallestNonResidue(BigInteger modulus) {
    BigInteger minusOne = modulus.subtract(BigInteger.ONE);
    BigInteger half = modulus.shiftRight(1);
    BigInteger nonResidue = BigInteger.TWO;
    while (!nonResidue.modPow(half, modulus).equals(minusOne)) {
      nonResidue = nonResidue.add(BigInteger.ONE);
    }
    return nonResidue;
  }

  private RootsOfUnity(Field field, BigInteger nonResidue) {
    this.field = field;
    BigInteger modulus = field.modulus();
    BigInteger minusOne = modulus.subtract(BigInteger.ONE);
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
