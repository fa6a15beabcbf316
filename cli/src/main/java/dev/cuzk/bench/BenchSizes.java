package dev.cuzk.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes as users write them: {@code 2^16}, {@code 65536}, {@code 2^16,2^18}, {@code 2^16..2^20}.
 */
public final class BenchSizes {
  private static final Pattern POWER = Pattern.compile("2\\^([0-9]{1,2})");
  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,9}");
  private static final int MAXIMUM_LOG2 = 32;

  private BenchSizes() {}

  /**
   * Understands a list of sizes and of ranges of powers of two.
   *
   * @return the sizes, ascending, each once
   * @throws BenchUsageException if the text is anything else
   */
  public static List<Long> parse(String text) {
    TreeSet<Long> sizes = new TreeSet<>();
    for (String item : text.split(",", -1)) {
      int dots = item.indexOf("..");
      if (dots < 0) {
        sizes.add(parseOne(item.strip(), text));
        continue;
      }
      long first = parseOne(item.substring(0, dots).strip(), text);
      long last = parseOne(item.substring(dots + 2).strip(), text);
      if (Long.bitCount(first) != 1 || Long.bitCount(last) != 1 || first > last) {
        throw new BenchUsageException(
            "a range runs upwards from one power of two to another, for example 2^16..2^20, not "
                + item);
      }
      for (long size = first; size <= last; size *= 2) {
        sizes.add(size);
      }
    }
    return new ArrayList<>(sizes);
  }

  private static long parseOne(String item, String text) {
    Matcher power = POWER.matcher(item);
    if (power.matches() && Integer.parseInt(power.group(1)) <= MAXIMUM_LOG2) {
      return 1L << Integer.parseInt(power.group(1));
    }
    if (NUMBER.matcher(item).matches() && Long.parseLong(item) <= 1L << MAXIMUM_LOG2) {
      return Long.parseLong(item);
    }
    throw new BenchUsageException(
        "a size is 2^K or a number from 1 to 2^"
            + MAXIMUM_LOG2
            + ", not '"
            + item
            + "' in "
            + text);
  }

  /** {@code 2^16} for a power of two from 2^10 on, else the number itself. */
  public static String print(long size) {
    return Long.bitCount(size) == 1 && size >= 1024
        ? "2^" + Long.numberOfTrailingZeros(size)
        : Long.toString(size);
  }
}
