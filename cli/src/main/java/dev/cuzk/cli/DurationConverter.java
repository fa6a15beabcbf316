package dev.cuzk.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Times as the user writes them: {@code 90s}, {@code 5m}, {@code 1h30m}, {@code 500ms}. */
final class DurationConverter implements ITypeConverter<Duration> {
  private static final Pattern FORM =
      Pattern.compile(
          "(?:(\\d{1,9})d)?(?:(\\d{1,9})h)?(?:(\\d{1,9})m(?!s))?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");

  /**
   * Reads a time.
   *
   * @throws IllegalArgumentException if it is none, a number without a unit included
   */
  static Duration parse(String text) {
    String trimmed = text.strip();
    if (trimmed.matches("[0-9.]+")) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' has no unit: write "
              + trimmed
              + "s, "
              + trimmed
              + "m or "
              + trimmed
              + "h");
    }
    Matcher matcher = FORM.matcher(trimmed);
    if (trimmed.isEmpty() || !matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a time, such as 90s, 5m or 1h30m");
    }
    return Duration.ofDays(part(matcher, 1))
        .plusHours(part(matcher, 2))
        .plusMinutes(part(matcher, 3))
        .plusSeconds(part(matcher, 4))
        .plusMillis(part(matcher, 5));
  }

  private static long part(Matcher matcher, int group) {
    return matcher.group(group) == null ? 0 : Long.parseLong(matcher.group(group));
  }

  /** The form that {@link #parse} reads. */
  static String format(Duration duration) {
    StringBuilder text = new StringBuilder();
    append(text, duration.toDays(), "d");
    append(text, duration.toHoursPart(), "h");
    append(text, duration.toMinutesPart(), "m");
    append(text, duration.toSecondsPart(), "s");
    append(text, duration.toMillisPart(), "ms");
    return text.isEmpty() ? "0s" : text.toString();
  }

  private static void append(StringBuilder text, long amount, String unit) {
    if (amount != 0) {
      text.append(amount).append(unit);
    }
  }

  @Override
  public Duration convert(String value) {
    try {
      return parse(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
