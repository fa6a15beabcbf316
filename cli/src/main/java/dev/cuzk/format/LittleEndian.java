package dev.cuzk.format;

import java.math.BigInteger;

/** Integers as little-endian bytes, as all iden3 formats write them. */
public final class LittleEndian {
  private LittleEndian() {}

  /** The unsigned integer in {@code length} bytes from {@code offset} on. */
  public static BigInteger toInteger(byte[] bytes, int offset, int length) {
    byte[] bigEndian = new byte[length];
    for (int i = 0; i < length; i++) {
      bigEndian[length - 1 - i] = bytes[offset + i];
    }
    return new BigInteger(1, bigEndian);
  }

  /**
   * A non-negative integer as {@code length} bytes.
   *
   * @throws IllegalArgumentException if it is negative or does not fit
   */
  public static byte[] toBytes(BigInteger value, int length) {
    if (value.signum() < 0 || value.bitLength() > 8 * length) {
      throw new IllegalArgumentException("not in " + length + " bytes: " + value);
    }
    byte[] bigEndian = value.toByteArray();
    byte[] bytes = new byte[length];
    for (int i = 0; i < Math.min(length, bigEndian.length); i++) {
      bytes[i] = bigEndian[bigEndian.length - 1 - i];
    }
    return bytes;
  }
}
