package dev.cuzk.math;

import java.math.BigInteger;

/**
 * The constants of SHA-256 (FIPS 180-4, sections 4.2.2 and 5.3.3), for circuits of it and for
 * witnesses of those; whoever only hashes takes the JDK's.
 */
public final class Sha256Constants {
  /** Rounds of a block. */
  public static final int ROUNDS = 64;

  /** Words of 32 bits in a state and in a digest. */
  public static final int STATE_WORDS = 8;

  private static final int[] ROUND = fractionsOfRoots(ROUNDS, 3);
  private static final int[] INITIAL = fractionsOfRoots(STATE_WORDS, 2);

  private Sha256Constants() {}

  /** The constant that a round adds, K. */
  public static int round(int round) {
    return ROUND[round];
  }

  /** A word of the state before the first block, H(0). */
  public static int initial(int word) {
    return INITIAL[word];
  }

  /** First 32 bits of the fractions of the square (2) or cube (3) roots of the first primes. */
  private static int[] fractionsOfRoots(int count, int degree) {
    int[] result = new int[count];
    BigInteger prime = BigInteger.ONE;
    for (int i = 0; i < count; i++) {
      prime = prime.nextProbablePrime();
      BigInteger target = prime.shiftLeft(Integer.SIZE * degree);
      BigInteger low = BigInteger.ZERO;
      for (int bit = 40; bit >= 0; bit--) {
        BigInteger candidate = low.setBit(bit);
        if (candidate.pow(degree).compareTo(target) <= 0) {
          low = candidate;
        }
      }
      result[i] = low.intValue();
    }
    return result;
  }
}
