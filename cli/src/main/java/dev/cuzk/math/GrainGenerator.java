package dev.cuzk.math;

import java.math.BigInteger;

/**
 * Makes round constants: the Grain LFSR of 80 bits in self-shrinking mode, seeded with the
 * parameters of a Poseidon instance (ePrint 2019/458, appendix E).
 */
final class GrainGenerator {
  private static final int STATE_BITS = 80;
  private static final int DROPPED = 160;

  private final boolean[] state = new boolean[STATE_BITS];
  private final int fieldBits;
  private final BigInteger modulus;

  /** Position of the oldest bit, b0. */
  private int oldest;

  private int filled;

  GrainGenerator(int fieldBits, int width, int fullRounds, int partialRounds, BigInteger modulus) {
    this.fieldBits = fieldBits;
    this.modulus = modulus;
    seed(1, 2);
    seed(1, 4);
    seed(fieldBits, 12);
    seed(width, 12);
    seed(fullRounds, 10);
    seed(partialRounds, 10);
    seed(-1, 30);
    for (int i = 0; i < DROPPED; i++) {
      step();
    }
  }

  private void seed(int value, int bits) {
    for (int bit = bits - 1; bit >= 0; bit--) {
      state[filled++] = (value >>> bit & 1) != 0;
    }
  }

  private boolean step() {
    boolean next = tap(62) ^ tap(51) ^ tap(38) ^ tap(23) ^ tap(13) ^ tap(0);
    state[oldest] = next;
    oldest = (oldest + 1) % STATE_BITS;
    return next;
  }

  private boolean tap(int index) {
    return state[(oldest + index) % STATE_BITS];
  }

  /** Of two bits the second counts if the first is set. */
  private boolean bit() {
    while (!step()) {
      step();
    }
    return step();
  }

  /** The next field element: as many bits as the modulus has, most significant first. */
  BigInteger next() {
    while (true) {
      BigInteger value = BigInteger.ZERO;
      for (int i = fieldBits - 1; i >= 0; i--) {
        if (bit()) {
          value = value.setBit(i);
        }
      }
      if (value.compareTo(modulus) < 0) {
        return value;
      }
    }
  }
}
