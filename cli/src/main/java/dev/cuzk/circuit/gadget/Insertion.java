package dev.cuzk.circuit.gadget;

import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.circuit.LinearCombination;
import java.util.Arrays;

/** Choosing by bits: as {@code gadgets::insertion} of storage-proofs-core. */
public final class Insertion {
  private Insertion() {}

  /** A new number: a if the condition holds, else b. (b − a) · condition = b − result. */
  public static int pick(ConstraintSystem system, Bit condition, int a, int b) {
    int result = system.allocate(values -> values.value(condition.value(values) ? a : b));
    system.enforce(
        new LinearCombination(system.field()).plus(b).minus(a),
        condition.combination(system),
        new LinearCombination(system.field()).plus(b).minus(result));
    return result;
  }

  /** One of 2^n numbers, by n bits, the least significant first. */
  public static int select(ConstraintSystem system, int[] from, Bit[] bits) {
    if (from.length != 1 << bits.length) {
      throw new IllegalArgumentException("2^n numbers for n bits");
    }
    int[] state = from;
    for (int bit = bits.length - 1; bit >= 0; bit--) {
      int half = state.length / 2;
      int[] next = new int[half];
      for (int j = 0; j < half; j++) {
        next[j] = pick(system, bits[bit], state[half + j], state[j]);
      }
      state = next;
    }
    return state[0];
  }

  /** Private variables of an insertion among {@code arity} − 1 siblings, for arities up to 8. */
  public static int auxiliaries(int arity) {
    return switch (arity) {
      case 2 -> 2;
      case 4 -> 8;
      case 8 -> 22;
      default -> throw new IllegalArgumentException("no tree has arity " + arity);
    };
  }

  /**
   * The siblings with an element inserted among them, at the place that the bits (the least
   * significant first) give.
   *
   * @param siblings one fewer than 2^(number of bits)
   */
  public static int[] insert(ConstraintSystem system, int element, Bit[] bits, int[] siblings) {
    if (siblings.length + 1 != 1 << bits.length) {
      throw new IllegalArgumentException("2^n − 1 siblings for n bits");
    }
    return switch (bits.length) {
      case 1 -> insert2(system, element, bits[0], siblings[0]);
      case 2 -> insert4(system, element, bits, siblings);
      case 3 -> insert8(system, element, bits, siblings);
      default -> insertAny(system, element, bits, siblings);
    };
  }

  private static int[] insert2(ConstraintSystem system, int x, Bit bit, int e) {
    return new int[] {pick(system, bit, e, x), pick(system, bit, x, e)};
  }

  private static int[] insert4(ConstraintSystem system, int x, Bit[] bits, int[] e) {
    Bit b0 = bits[0];
    Bit b1 = bits[1];
    return new int[] {
      pick(system, b1, e[0], pick(system, b0, e[0], x)),
      pick(system, b1, e[1], pick(system, b0, x, e[0])),
      pick(system, b1, pick(system, b0, e[2], x), e[1]),
      pick(system, b1, pick(system, b0, x, e[2]), e[2])
    };
  }

  private static int[] insert8(ConstraintSystem system, int x, Bit[] bits, int[] e) {
    Bit b0 = bits[0];
    Bit b1 = bits[1];
    Bit b2 = bits[2];
    Bit neither = BitLogic.and(system, b0.not(), b1.not());
    Bit both = BitLogic.and(system, b0, b1);
    return new int[] {
      pick(system, b2, e[0], pick(system, neither, x, e[0])),
      pick(system, b2, e[1], pick(system, b1, e[1], pick(system, b0, x, e[0]))),
      pick(system, b2, e[2], pick(system, b1, pick(system, b0, e[2], x), e[1])),
      pick(system, b2, e[3], pick(system, both, x, e[2])),
      pick(system, b2, pick(system, neither, x, e[4]), e[3]),
      pick(system, b2, pick(system, b1, e[5], pick(system, b0, x, e[4])), e[4]),
      pick(system, b2, pick(system, b1, pick(system, b0, e[6], x), e[5]), e[5]),
      pick(system, b2, pick(system, both, x, e[6]), e[6])
    };
  }

  /** Each place chooses among what it holds for each place of the element. */
  private static int[] insertAny(ConstraintSystem system, int x, Bit[] bits, int[] e) {
    int[] result = new int[e.length + 1];
    for (int place = 0; place < result.length; place++) {
      int[] candidates = new int[result.length];
      if (place > 0) {
        Arrays.fill(candidates, 0, place, e[place - 1]);
      }
      candidates[place] = x;
      if (place < e.length) {
        Arrays.fill(candidates, place + 1, candidates.length, e[place]);
      }
      result[place] = select(system, candidates, bits);
    }
    return result;
  }
}
