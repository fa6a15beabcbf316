package dev.cuzk.circuit.gadget;

import dev.cuzk.circuit.ConstraintSystem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Places gadgets whose constraints depend on which of their bits are constants or negated: that
 * pattern becomes part of the gadget's key, the variables behind the bits its arguments.
 */
final class BitTemplates {
  private BitTemplates() {}

  /** A gadget over several lists of bits that gives bits, none of them constant or negated. */
  @FunctionalInterface
  interface BitGadget {
    Bit[] define(ConstraintSystem system, Bit[][] parts);
  }

  static Bit[] place(ConstraintSystem system, String name, BitGadget gadget, Bit[]... parts) {
    int bits = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    StringBuilder key = new StringBuilder(name.length() + bits + parts.length).append(name);
    int[] arguments = new int[bits];
    int count = 0;
    for (Bit[] part : parts) {
      for (Bit bit : part) {
        key.append(
            switch (bit.kind()) {
              case CONSTANT -> (char) ('0' + bit.code());
              case PLAIN -> 'v';
              case NEGATED -> 'n';
            });
        if (!bit.isConstant()) {
          arguments[count++] = bit.code();
        }
      }
      key.append(' ');
    }
    int[] result =
        system.place(
            key.toString(),
            Arrays.copyOf(arguments, count),
            (inner, variables) -> codes(gadget.define(inner, substitute(parts, variables))));
    return Arrays.stream(result).mapToObj(Bit::of).toArray(Bit[]::new);
  }

  private static Bit[][] substitute(Bit[][] parts, int[] variables) {
    List<Bit[]> result = new ArrayList<>();
    int next = 0;
    for (Bit[] part : parts) {
      Bit[] bits = part.clone();
      for (int i = 0; i < bits.length; i++) {
        if (!bits[i].isConstant()) {
          bits[i] = new Bit(bits[i].kind(), variables[next++]);
        }
      }
      result.add(bits);
    }
    return result.toArray(new Bit[0][]);
  }

  private static int[] codes(Bit[] bits) {
    for (Bit bit : bits) {
      if (!bit.isPlain()) {
        throw new IllegalStateException("a placed gadget gave a constant or negated bit");
      }
    }
    return Arrays.stream(bits).mapToInt(Bit::code).toArray();
  }
}
