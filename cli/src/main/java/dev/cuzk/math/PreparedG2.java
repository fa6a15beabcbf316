package dev.cuzk.math;

/**
 * The lines of a Miller loop at a fixed point of G2, so that pairings with a key's points do not
 * compute them again. Immutable.
 */
public final class PreparedG2 {
  private final long[] lines;

  PreparedG2(long[] lines) {
    this.lines = lines;
  }

  /** Three coefficients in Fp2 a line, in the order the loop meets them; empty for infinity. */
  long[] lines() {
    return lines;
  }

  boolean isInfinity() {
    return lines.length == 0;
  }
}
