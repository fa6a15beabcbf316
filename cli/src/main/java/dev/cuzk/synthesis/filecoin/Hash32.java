package dev.cuzk.synthesis.filecoin;

import dev.cuzk.format.Sha256;
import dev.cuzk.format.filecoin.MerkleProof;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/** 32 bytes: a commitment, an id or randomness; as a number little-endian. Immutable. */
public final class Hash32 {
  static final int BYTES = MerkleProof.HASH_BYTES;

  /** What is left of a digest's last byte so that it is below r. */
  private static final int TRUNCATION = 0x3f;

  private final byte[] bytes;

  private Hash32(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A copy of 32 bytes at an offset. */
  public static Hash32 of(byte[] source, int offset) {
    return new Hash32(Arrays.copyOfRange(source, offset, offset + BYTES));
  }

  /** A copy of 32 bytes. */
  public static Hash32 of(byte[] source) {
    if (source.length != BYTES) {
      throw new IllegalArgumentException("expected 32 bytes, found " + source.length);
    }
    return of(source, 0);
  }

  /** SHA-256 of several parts. */
  static Hash32 sha256(byte[]... parts) {
    MessageDigest digest = Sha256.create();
    for (byte[] part : parts) {
      digest.update(part);
    }
    return new Hash32(digest.digest());
  }

  /** The same with the top two bits of the last byte cleared: a field element. */
  Hash32 truncated() {
    byte[] copy = bytes.clone();
    copy[BYTES - 1] &= TRUNCATION;
    return new Hash32(copy);
  }

  /** The bytes, copied. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** The bytes as a little-endian number. */
  public BigInteger number() {
    byte[] reversed = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      reversed[i] = bytes[BYTES - 1 - i];
    }
    return new BigInteger(1, reversed);
  }

  /** The first eight bytes, little-endian. */
  long firstWord() {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  /** Whether it is the canonical form of a scalar of BLS12-381. */
  public boolean isScalar() {
    return isScalar(bytes, 0);
  }

  static boolean isScalar(byte[] source, int offset) {
    return Field.scalar(CurveId.BLS12_381).load(new long[4], 0, source, offset);
  }

  public boolean isZero() {
    return Arrays.equals(bytes, new byte[BYTES]);
  }

  /** Whether the same bytes stand at an offset. */
  boolean matches(byte[] source, int offset) {
    return Arrays.equals(bytes, 0, BYTES, source, offset, offset + BYTES);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Hash32 hash && Arrays.equals(bytes, hash.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** 64 hex digits in memory order. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
