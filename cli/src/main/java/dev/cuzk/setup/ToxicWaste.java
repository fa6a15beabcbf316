package dev.cuzk.setup;

import dev.cuzk.math.Field;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The secrets of a setup (Groth 2016, section 3.2, with gamma = 1 as in snarkjs), in Montgomery
 * form. Whoever knows them can prove anything under the key; they are overwritten once the key is
 * made, and a key made by one party is good for tests alone.
 */
final class ToxicWaste implements AutoCloseable {
  final long[] tau;
  final long[] alpha;
  final long[] beta;
  final long[] delta;

  private ToxicWaste(long[] tau, long[] alpha, long[] beta, long[] delta) {
    this.tau = tau;
    this.alpha = alpha;
    this.beta = beta;
    this.delta = delta;
  }

  /**
   * Secrets for a domain of 2^domainLog2 rows: none is zero, tau lies on neither the domain nor its
   * odd coset, delta is not 1 (it would equal gamma: then anyone can forge).
   *
   * @param insecureSeed fixes them, for tests that compare keys; without it they come from the
   *     operating system
   */
  static ToxicWaste make(Field field, int domainLog2, OptionalLong insecureSeed) {
    Source source = new Source(field, insecureSeed);
    long[] tau = source.next();
    while (isRootOfUnity(field, tau, domainLog2 + 1)) {
      tau = source.next();
    }
    long[] alpha = source.next();
    long[] beta = source.next();
    long[] delta = source.next();
    while (field.isOne(delta, 0)) {
      delta = source.next();
    }
    return new ToxicWaste(tau, alpha, beta, delta);
  }

  private static boolean isRootOfUnity(Field field, long[] x, int log2Order) {
    long[] power = x.clone();
    for (int i = 0; i < log2Order; i++) {
      field.square(power, 0, power, 0);
    }
    return field.isOne(power, 0);
  }

  /** Non-zero field elements in Montgomery form. */
  private static final class Source {
    private final Field field;
    private final OptionalLong seed;
    private final SecureRandom random = new SecureRandom();
    private long counter;

    Source(Field field, OptionalLong seed) {
      this.field = field;
      this.seed = seed;
    }

    long[] next() {
      long[] element = new long[field.size()];
      while (field.isZero(element, 0)) {
        // 512 bits modulo a prime of up to 255: uniform up to 2^-257.
        byte[] bytes = seed.isPresent() ? hash() : new byte[64];
        if (seed.isEmpty()) {
          random.nextBytes(bytes);
        }
        field.set(element, 0, new BigInteger(1, bytes).mod(field.modulus()));
      }
      return element;
    }

    private byte[] hash() {
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-512");
        digest.update("cuzk insecure test setup".getBytes(StandardCharsets.US_ASCII));
        return digest.digest(
            ByteBuffer.allocate(16).putLong(seed.getAsLong()).putLong(counter++).array());
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public void close() {
    for (long[] secret : new long[][] {tau, alpha, beta, delta}) {
      Arrays.fill(secret, 0);
    }
  }
}
