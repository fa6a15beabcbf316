package dev.cuzk.engine;

import java.time.Duration;

/** Durations as the command line writes them. */
final class Durations {
  private Durations() {}

  /** For example {@code 1h30m}, {@code 90s}, {@code 250ms}. */
  static String text(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1000 != 0 || millis == 0) {
      return millis + "ms";
    }
    StringBuilder text = new StringBuilder();
    append(text, duration.toHours(), "h");
    append(text, duration.toMinutesPart(), "m");
    append(text, duration.toSecondsPart(), "s");
    return text.toString();
  }

  private static void append(StringBuilder text, long value, String unit) {
    if (value > 0) {
      text.append(value).append(unit);
    }
  }
}
