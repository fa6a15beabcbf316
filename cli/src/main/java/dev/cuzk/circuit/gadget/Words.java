package dev.cuzk.circuit.gadget;

import dev.cuzk.circuit.Assignment;
import dev.cuzk.circuit.ConstraintSystem;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Words of 32 bits (and the one of 64) inside a circuit: arrays of {@link Bit}s, the least
 * significant first.
 */
public final class Words {
  /** Bits of a word. */
  public static final int BITS = 32;

  private Words() {}

  /** The word of a constant. */
  public static Bit[] constant(int value) {
    Bit[] word = new Bit[BITS];
    for (int i = 0; i < BITS; i++) {
      word[i] = Bit.constant((value >>> i & 1) == 1);
    }
    return word;
  }

  /** Allocates a word of any width whose value comes from outside, from bit 0 upwards. */
  public static Bit[] allocate(ConstraintSystem system, int bits) {
    Bit[] word = new Bit[bits];
    for (int i = 0; i < bits; i++) {
      word[i] = Bit.allocate(system);
    }
    return word;
  }

  /** Rotation to the right, towards the least significant bit. */
  public static Bit[] rotateRight(Bit[] word, int distance) {
    Bit[] result = new Bit[word.length];
    for (int i = 0; i < word.length; i++) {
      result[i] = word[(i + distance) % word.length];
    }
    return result;
  }

  /** Shift to the right; constant zeros come in. */
  public static Bit[] shiftRight(Bit[] word, int distance) {
    Bit[] result = Arrays.copyOfRange(word, distance, distance + word.length);
    Arrays.fill(result, word.length - distance, word.length, Bit.FALSE);
    return result;
  }

  /** Bit by bit, from bit 0 upwards. */
  public static Bit[] xor(ConstraintSystem system, Bit[] a, Bit[] b) {
    Bit[] result = new Bit[a.length];
    for (int i = 0; i < a.length; i++) {
      result[i] = BitLogic.xor(system, a[i], b[i]);
    }
    return result;
  }

  /** The bits in the opposite order. */
  public static Bit[] reverse(Bit[] bits) {
    Bit[] result = new Bit[bits.length];
    for (int i = 0; i < bits.length; i++) {
      result[i] = bits[bits.length - 1 - i];
    }
    return result;
  }

  /** One array after the other. */
  public static Bit[] concatenate(Bit[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    Bit[] result = new Bit[length];
    int at = 0;
    for (Bit[] part : parts) {
      System.arraycopy(part, 0, result, at, part.length);
      at += part.length;
    }
    return result;
  }

  /**
   * The sum of words modulo 2^32. As many new bits as the largest possible sum has are allocated
   * and constrained, then the equality of the sums is handed to {@code equalities}; a sum of
   * constants makes nothing.
   */
  static Bit[] sum(ConstraintSystem system, PackedEqualities equalities, Bit[]... operands) {
    if (Arrays.stream(operands).flatMap(Arrays::stream).allMatch(Bit::isConstant)) {
      return constant((int) sumOf(operands, null).longValue());
    }
    BigInteger largest =
        BigInteger.ONE
            .shiftLeft(BITS)
            .subtract(BigInteger.ONE)
            .multiply(BigInteger.valueOf(operands.length));
    Bit[] result = new Bit[largest.bitLength()];
    for (int i = 0; i < result.length; i++) {
      int position = i;
      result[i] =
          Bit.allocate(system, values -> BitLogic.bit(sumOf(operands, values).testBit(position)));
    }
    equalities.enforce(operands, result);
    return Arrays.copyOf(result, BITS);
  }

  private static BigInteger sumOf(Bit[][] operands, Assignment values) {
    long sum = 0;
    for (Bit[] operand : operands) {
      for (int i = 0; i < operand.length; i++) {
        sum += operand[i].value(values) ? 1L << i : 0;
      }
    }
    return BigInteger.valueOf(sum);
  }
}
