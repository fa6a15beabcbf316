package dev.cuzk.synthesis.filecoin;

import dev.cuzk.format.Sha256;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import dev.cuzk.math.Poseidon;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * The hashes of Filecoin's trees, columns and commitments on canonical bytes. One instance serves
 * one thread at a time.
 */
final class Hashers {
  private static final int WORDS = 4;
  private static final int LARGEST_ARITY = 11;

  final Field field = Field.scalar(CurveId.BLS12_381);
  private final Poseidon[] poseidons = new Poseidon[LARGEST_ARITY + 1];
  private final MessageDigest sha256 = Sha256.create();

  Poseidon poseidon(int arity) {
    if (poseidons[arity] == null) {
      poseidons[arity] = Poseidon.ofArity(arity);
    }
    return poseidons[arity];
  }

  /**
   * Loads an element in Montgomery form.
   *
   * @return whether the bytes are canonical
   */
  boolean load(long[] z, int zAt, byte[] source, int offset) {
    boolean canonical = field.load(z, zAt, source, offset);
    field.toMontgomery(z, zAt, z, zAt);
    return canonical;
  }

  /** Whether an element in Montgomery form is the one that stands there. */
  boolean isEqual(long[] x, int at, byte[] bytes, int offset) {
    long[] other = new long[WORDS];
    return load(other, 0, bytes, offset) && field.isEqual(x, at, other, 0);
  }

  /**
   * Poseidon of canonical elements that stand one behind the other; those that are not canonical
   * count modulo r.
   */
  long[] columnHash(byte[] bytes, int offset, int count) {
    long[] words = new long[count * WORDS];
    for (int i = 0; i < count; i++) {
      load(words, i * WORDS, bytes, offset + i * Hash32.BYTES);
    }
    poseidon(count).hash(words, 0, words, 0);
    return Arrays.copyOf(words, WORDS);
  }

  /** Whether a commitment is Poseidon of two others. */
  boolean isCommitment(byte[] commitment, int at, byte[] bytes, int left, int right) {
    long[] words = new long[2 * WORDS];
    load(words, 0, bytes, left);
    load(words, WORDS, bytes, right);
    poseidon(2).hash(words, 0, words, 0);
    return isEqual(words, 0, commitment, at);
  }

  /** SHA-256 of some bytes, cut to a field element, to the same or another array. */
  void sha256(byte[] source, int offset, int length, byte[] target, int targetOffset) {
    sha256.update(source, offset, length);
    try {
      sha256.digest(target, targetOffset, Hash32.BYTES);
    } catch (DigestException e) {
      throw new IllegalStateException(e);
    }
    target[targetOffset + Hash32.BYTES - 1] &= 0x3f;
  }
}
