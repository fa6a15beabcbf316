package dev.cuzk.circuit.gadget;

import dev.cuzk.circuit.Assignment;
import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.circuit.LinearCombination;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Gadgets over numbers: variables that hold a field element. As {@code AllocatedNum}, {@code
 * multipack} and the constraint helpers of storage-proofs-core make them.
 */
public final class Numbers {
  /** Bits of a scalar of BLS12-381. */
  public static final int FIELD_BITS = 255;

  /** Bits that fit into a number whatever they are. */
  public static final int CAPACITY = 254;

  private Numbers() {}

  /** Allocates a number, in a namespace, whose value comes from outside. */
  public static int allocate(ConstraintSystem system, String name) {
    system.enter(name);
    int number = system.allocate();
    system.leave();
    return number;
  }

  /** Allocates a number whose value comes from outside and makes it a public input. */
  public static int allocateAsInput(ConstraintSystem system, String name) {
    return allocateAsInput(system, name, name + "_input");
  }

  /** The same with a name for the namespace of the input. */
  public static int allocateAsInput(ConstraintSystem system, String name, String inputName) {
    int number = allocate(system, name);
    system.enter(inputName);
    toInput(system, number);
    system.leave();
    return number;
  }

  /** A public input equal to a number: input · ONE = number. */
  public static void toInput(ConstraintSystem system, int number) {
    int input = system.allocateInput(values -> values.value(number));
    equal(system, input, number);
  }

  /** a · ONE = b. */
  public static void equal(ConstraintSystem system, int a, int b) {
    system.enforce(of(system, a), one(system), of(system, b));
  }

  /** A new number c = a · b. */
  public static int multiply(ConstraintSystem system, int a, int b) {
    int product = system.allocate(values -> values.value(a).multiply(values.value(b)));
    system.enforce(of(system, a), of(system, b), of(system, product));
    return product;
  }

  /** A new number c = a · a. */
  public static int square(ConstraintSystem system, int a) {
    return multiply(system, a, a);
  }

  /** A new number c with (a + b) · ONE = c; encoding of a data node by its key. */
  public static int add(ConstraintSystem system, int a, int b) {
    int sum = system.allocate(values -> values.value(a).add(values.value(b)));
    system.enforce(of(system, a).plus(b), one(system), of(system, sum));
    return sum;
  }

  /** A new number d with (d + b) · ONE = a; decoding. */
  public static int subtract(ConstraintSystem system, int a, int b) {
    int difference = system.allocate(values -> values.value(a).subtract(values.value(b)));
    system.enforce(of(system, difference).plus(b), one(system), of(system, a));
    return difference;
  }

  /** The pair (a, b), or (b, a) if {@code reverse}. */
  public static int[] conditionallyReverse(ConstraintSystem system, int a, int b, Bit reverse) {
    return new int[] {Insertion.pick(system, reverse, b, a), Insertion.pick(system, reverse, a, b)};
  }

  /**
   * The 255 bits of a number, least significant first: each constrained, then 0 · 0 = Σ 2^i b_i −
   * number. That the bits are below the modulus is not demanded.
   */
  public static Bit[] toBits(ConstraintSystem system, int number) {
    return decompose(system, "bits", number, Numbers::equateInC);
  }

  /** The same bits, but (Σ 2^i b_i) · ONE = number. */
  public static Bit[] toAllocatedBits(ConstraintSystem system, int number) {
    return decompose(system, "allocated bits", number, Numbers::equateInA);
  }

  /** Demands that bits make a number. */
  private interface Equation {
    void enforce(ConstraintSystem system, Bit[] bits, int number);
  }

  private static Bit[] decompose(
      ConstraintSystem system, String key, int number, Equation equation) {
    int[] codes =
        system.place(
            key,
            new int[] {number},
            (inner, arguments) -> {
              int argument = arguments[0];
              Bit[] bits = new Bit[FIELD_BITS];
              for (int i = 0; i < FIELD_BITS; i++) {
                int position = i;
                bits[i] =
                    Bit.allocate(
                        inner, values -> BitLogic.bit(values.value(argument).testBit(position)));
              }
              equation.enforce(inner, bits, argument);
              return Arrays.stream(bits).mapToInt(Bit::code).toArray();
            });
    return Arrays.stream(codes).mapToObj(Bit::of).toArray(Bit[]::new);
  }

  private static void equateInC(ConstraintSystem system, Bit[] bits, int number) {
    LinearCombination empty = new LinearCombination(system.field());
    system.enforce(empty, empty, weighed(system, bits).minus(number));
  }

  /** (Σ 2^i b_i) · ONE = number. */
  public static void equateInA(ConstraintSystem system, Bit[] bits, int number) {
    system.enforce(weighed(system, bits), one(system), of(system, number));
  }

  /** A new number with (Σ 2^i b_i) · ONE = number, of at most the first 254 bits. */
  public static int pack(ConstraintSystem system, Bit[] bits) {
    Bit[] taken = Arrays.copyOf(bits, Math.min(CAPACITY, bits.length));
    int number = system.allocate(values -> valueOf(taken, values));
    equateInA(system, taken, number);
    return number;
  }

  /** Public inputs of 254 bits each, the last of what is left. */
  public static void packIntoInputs(ConstraintSystem system, Bit[] bits) {
    for (int first = 0; first < bits.length; first += CAPACITY) {
      Bit[] taken = Arrays.copyOfRange(bits, first, Math.min(first + CAPACITY, bits.length));
      int input = system.allocateInput(values -> valueOf(taken, values));
      equateInA(system, taken, input);
    }
  }

  /** The integer of bits, least significant first. */
  public static BigInteger valueOf(Bit[] bits, Assignment values) {
    BigInteger value = BigInteger.ZERO;
    for (int i = 0; i < bits.length; i++) {
      value = bits[i].value(values) ? value.setBit(i) : value;
    }
    return value;
  }

  /**
   * Pads with constant zeros to whole bytes, then reverses the bits of each byte: between the order
   * of a field element and that of SHA-256. 255 bits become 256.
   */
  public static Bit[] reverseBitsOfBytes(Bit[] bits) {
    Bit[] padded = Arrays.copyOf(bits, (bits.length + 7) / 8 * 8);
    Arrays.fill(padded, bits.length, padded.length, Bit.FALSE);
    Bit[] result = new Bit[padded.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = padded[i ^ 7];
    }
    return result;
  }

  private static LinearCombination weighed(ConstraintSystem system, Bit[] bits) {
    LinearCombination sum = new LinearCombination(system.field());
    for (int i = 0; i < bits.length; i++) {
      bits[i].addTo(sum, BigInteger.ONE.shiftLeft(i));
    }
    return sum;
  }

  static LinearCombination of(ConstraintSystem system, int variable) {
    return new LinearCombination(system.field()).plus(variable);
  }

  static LinearCombination one(ConstraintSystem system) {
    return of(system, ConstraintSystem.ONE);
  }
}
