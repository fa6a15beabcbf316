package dev.cuzk.engine;

import dev.cuzk.math.CurveId;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.OptionalLong;

/**
 * Draws the blinding scalars r and s of proofs, uniform in [0, r) by rejection: from the operating
 * system, or, for tests only, from a seed. A seeded scalar depends on job, partition and attempt
 * alone, so that it does not matter in which order partitions run.
 */
final class Blinding {
  private final SecureRandom random = new SecureRandom();
  private final OptionalLong insecureSeed;

  Blinding(OptionalLong insecureSeed) {
    this.insecureSeed = insecureSeed;
  }

  /** One scalar, 32 bytes, canonical little-endian; {@code which}: 0 = r, 1 = s. */
  byte[] scalar(CurveId curve, String job, int partition, int attempt, int which) {
    byte[] candidate = new byte[CurveId.SCALAR_BYTES];
    int unusedBits = 8 * CurveId.SCALAR_BYTES - curve.scalarModulus().bitLength();
    for (int counter = 0; ; counter++) {
      if (insecureSeed.isPresent()) {
        candidate = seeded(insecureSeed.getAsLong(), job, partition, attempt, which, counter);
      } else {
        random.nextBytes(candidate);
      }
      candidate[CurveId.SCALAR_BYTES - 1] &= (byte) (0xff >>> unusedBits);
      if (littleEndian(candidate).compareTo(curve.scalarModulus()) < 0) {
        return candidate;
      }
    }
  }

  private static byte[] seeded(
      long seed, String job, int partition, int attempt, int which, int counter) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update("cuzk insecure seed".getBytes(StandardCharsets.US_ASCII));
      digest.update(ByteBuffer.allocate(8).putLong(seed).array());
      digest.update(
          ByteBuffer.allocate(16)
              .putInt(partition)
              .putInt(attempt)
              .putInt(which)
              .putInt(counter)
              .array());
      return digest.digest(job.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  static BigInteger littleEndian(byte[] bytes) {
    byte[] bigEndian = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      bigEndian[bytes.length - 1 - i] = bytes[i];
    }
    return new BigInteger(1, bigEndian);
  }
}
