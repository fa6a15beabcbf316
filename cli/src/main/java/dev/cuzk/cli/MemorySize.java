package dev.cuzk.cli;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An amount of memory as the user writes it: {@code 20GiB}, {@code 20GB}, {@code 1.5Ti}, {@code
 * 4096}.
 *
 * <p>A bare K, M, G or T is refused: half of the tools mean 1,000 by it, half 1,024, and a budget
 * that is 7 % off decides whether a plan fits.
 */
record MemorySize(long bytes) {
  private static final Pattern FORM = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?([A-Za-z]*)");
  private static final String PREFIXES = "KMGT";

  private static final Map<String, Long> UNITS =
      Map.ofEntries(
          Map.entry("", 1L),
          Map.entry("B", 1L),
          Map.entry("bytes", 1L),
          Map.entry("kB", 1_000L),
          Map.entry("MB", 1_000_000L),
          Map.entry("GB", 1_000_000_000L),
          Map.entry("TB", 1_000_000_000_000L),
          Map.entry("Ki", 1L << 10),
          Map.entry("KiB", 1L << 10),
          Map.entry("Mi", 1L << 20),
          Map.entry("MiB", 1L << 20),
          Map.entry("Gi", 1L << 30),
          Map.entry("GiB", 1L << 30),
          Map.entry("Ti", 1L << 40),
          Map.entry("TiB", 1L << 40));

  /**
   * Reads an amount.
   *
   * @throws IllegalArgumentException if it is none; the message says what would be one
   */
  static MemorySize parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not an amount of memory, such as 20GiB or 512MB");
    }
    String number = matcher.group(1);
    String unit = matcher.group(2);
    Long factor = UNITS.get(unit);
    if (factor == null && unit.length() == 1 && PREFIXES.contains(upper(unit))) {
      throw new IllegalArgumentException(bareUnit(text, number, upper(unit)));
    }
    if (factor == null) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' has an unknown unit; known are KiB, MiB, GiB, TiB, kB, MB, GB, TB or none for"
              + " bytes");
    }
    BigDecimal bytes = new BigDecimal(number).multiply(BigDecimal.valueOf(factor));
    if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException("'" + text + "' is more than a 64-bit size can hold");
    }
    return new MemorySize(bytes.longValue());
  }

  private static String bareUnit(String text, String number, String prefix) {
    String binary = number + prefix + "iB";
    String decimal = number + (prefix.equals("K") ? "k" : prefix) + "B";
    return "'"
        + text
        + "' has two readings: "
        + binary
        + " ("
        + parse(binary).bytes
        + " bytes) or "
        + decimal
        + " ("
        + parse(decimal).bytes
        + " bytes); write the one you mean";
  }

  private static String upper(String unit) {
    return unit.toUpperCase(Locale.ROOT);
  }

  /** For people: {@code 19.5 GiB}. */
  static String format(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    int power = Math.min(4, (63 - Long.numberOfLeadingZeros(bytes)) / 10);
    return String.format(
        Locale.ROOT,
        "%.1f %ciB",
        bytes / (double) (1L << (10 * power)),
        PREFIXES.charAt(power - 1));
  }

  /** The exact amount, in the largest unit that gives a whole number; {@link #parse} reads it. */
  @Override
  public String toString() {
    int power = bytes == 0 ? 0 : Math.min(4, Long.numberOfTrailingZeros(bytes) / 10);
    return power == 0
        ? Long.toString(bytes)
        : (bytes >> (10 * power)) + PREFIXES.substring(power - 1, power) + "iB";
  }

  /** For picocli. */
  static final class Converter implements ITypeConverter<MemorySize> {
    @Override
    public MemorySize convert(String value) {
      try {
        return parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
