package dev.cuzk.circuit.gadget;

import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.circuit.LinearCombination;
import java.math.BigInteger;

/**
 * Equalities of small numbers, packed side by side into one constraint (sum of left sides) · ONE =
 * (sum of right sides) while they fit below 2^254. A constraint is made when the next equality
 * would not fit any more, and at the end; as bellperson's {@code MultiEq}.
 */
final class PackedEqualities {
  private static final int CAPACITY = 254;

  private final ConstraintSystem system;
  private final LinearCombination left;
  private final LinearCombination right;
  private final LinearCombination one;
  private int used;

  PackedEqualities(ConstraintSystem system) {
    this.system = system;
    this.left = new LinearCombination(system.field());
    this.right = new LinearCombination(system.field());
    this.one = new LinearCombination(system.field()).plus(ConstraintSystem.ONE);
  }

  /** Demands that the words add up to the number with the bits of {@code result}. */
  void enforce(Bit[][] operands, Bit[] result) {
    if (used + result.length >= CAPACITY) {
      close();
    }
    for (Bit[] operand : operands) {
      add(left, operand);
    }
    add(right, result);
    used += result.length;
  }

  private void add(LinearCombination side, Bit[] bits) {
    for (int i = 0; i < bits.length; i++) {
      bits[i].addTo(side, BigInteger.ONE.shiftLeft(used + i));
    }
  }

  /** Makes the constraint of what is pending, if anything. */
  void close() {
    if (used > 0) {
      system.enforce(left, one, right);
      left.clear();
      right.clear();
      used = 0;
    }
  }
}
