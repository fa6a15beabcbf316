package dev.cuzk.circuit;

import dev.cuzk.math.CurveId;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The circuits that this program contains, by name. */
public final class BuiltInCircuits {
  /** Largest K: the quotient of a BN254 key needs a root of unity of order 2^(K+1), K + 1 ≤ 28. */
  private static final int MAXIMUM_LOG2 = 27;

  private static final Pattern NAME = Pattern.compile("([a-z]+)-([1-9][0-9]?)");

  private static final List<Entry> ENTRIES =
      List.of(
          new Entry(
              new Family(
                  "chain",
                  ChainCircuit.MINIMUM_LOG2,
                  MAXIMUM_LOG2,
                  "x -> x^2 + c, 2^K - 8 times; dense values; the last x is public"),
              ChainCircuit::new),
          new Entry(
              new Family(
                  "bits",
                  BitsCircuit.MINIMUM_LOG2,
                  MAXIMUM_LOG2,
                  "bit-heavy: 98.7 % of the values 0 or 1, densities of a PoRep partition"),
              BitsCircuit::new));

  private record Entry(Family family, BiFunction<CurveId, Integer, BuiltInCircuit> maker) {}

  /**
   * Circuits of one kind in many sizes, named PREFIX-K for a domain of 2^K rows.
   *
   * @param prefix for example {@code chain}
   * @param minimumLog2 smallest K
   * @param maximumLog2 largest K
   * @param description one line for people
   */
  public record Family(String prefix, int minimumLog2, int maximumLog2, String description) {
    /** The name with its placeholder: {@code chain-K}. */
    public String name() {
      return prefix + "-K";
    }
  }

  private BuiltInCircuits() {}

  /** All kinds of circuits. */
  public static List<Family> families() {
    return ENTRIES.stream().map(Entry::family).toList();
  }

  /** The circuit of that name ({@code chain-17}) over a curve, or empty if there is none. */
  public static Optional<BuiltInCircuit> byName(String name, CurveId curve) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int log2 = Integer.parseInt(matcher.group(2));
    for (Entry entry : ENTRIES) {
      Family family = entry.family();
      if (family.prefix().equals(matcher.group(1))
          && log2 >= family.minimumLog2()
          && log2 <= family.maximumLog2()) {
        return Optional.of(entry.maker().apply(curve, log2));
      }
    }
    return Optional.empty();
  }

  /** What a message says when {@link #byName} knows no such circuit. */
  public static String known() {
    StringBuilder text = new StringBuilder();
    for (Family family : families()) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(family.prefix())
          .append('-')
          .append(family.minimumLog2())
          .append(" … ")
          .append(family.prefix())
          .append('-')
          .append(family.maximumLog2());
    }
    return text.toString();
  }
}
