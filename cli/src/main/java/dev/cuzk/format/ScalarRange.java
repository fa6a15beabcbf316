package dev.cuzk.format;

import dev.cuzk.math.CurveId;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Tells canonical scalars, integers in [0, r) of 32 bytes little-endian, from others; fast enough
 * to look at every value of a witness while it streams.
 */
final class ScalarRange {
  private final BigInteger modulus;
  private final long r0;
  private final long r1;
  private final long r2;
  private final long r3;

  private ScalarRange(BigInteger modulus) {
    this.modulus = modulus;
    this.r0 = modulus.longValue();
    this.r1 = modulus.shiftRight(64).longValue();
    this.r2 = modulus.shiftRight(128).longValue();
    this.r3 = modulus.shiftRight(192).longValue();
  }

  /** The range of a curve's scalar field. */
  public static ScalarRange of(CurveId curve) {
    return new ScalarRange(curve.scalarModulus());
  }

  /** r, the first value that is out of range. */
  public BigInteger modulus() {
    return modulus;
  }

  /** Whether the integer of these four words, least significant first, is below r. */
  public boolean contains(long v0, long v1, long v2, long v3) {
    int order = Long.compareUnsigned(v3, r3);
    if (order != 0) {
      return order < 0;
    }
    order = Long.compareUnsigned(v2, r2);
    if (order != 0) {
      return order < 0;
    }
    order = Long.compareUnsigned(v1, r1);
    if (order != 0) {
      return order < 0;
    }
    return Long.compareUnsigned(v0, r0) < 0;
  }

  /**
   * Looks at the values between position 0 and limit of {@code values}, back to back.
   *
   * @return index of the first value that is not below r, or −1
   */
  public int firstOutside(ByteBuffer values) {
    ByteBuffer words = values.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    int end = words.limit() - CurveId.SCALAR_BYTES;
    for (int at = 0; at <= end; at += CurveId.SCALAR_BYTES) {
      // Nearly every value is decided by its most significant word.
      if (Long.compareUnsigned(words.getLong(at + 24), r3) >= 0
          && !contains(
              words.getLong(at),
              words.getLong(at + 8),
              words.getLong(at + 16),
              words.getLong(at + 24))) {
        return at / CurveId.SCALAR_BYTES;
      }
    }
    return -1;
  }
}
