package dev.cuzk.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A device's use as a strip of characters, one for each 0.2 s, or for more on a longer run. */
final class UseStrip {
  private static final String BLOCKS = " ▁▂▃▄▅▆▇█";
  private static final int WIDTH = 75;
  private static final int LINES = 8;

  private UseStrip() {}

  /** Seconds that a character stands for. */
  static double secondsEach(double[] buckets) {
    return each(buckets) * (GapAnalysis.BUCKET_NANOS / 1e9);
  }

  private static int each(double[] buckets) {
    return Math.max(1, (buckets.length + WIDTH * LINES - 1) / (WIDTH * LINES));
  }

  /** The strip, in lines that begin with their time; what is not idle at all shows at least ▁. */
  static List<String> lines(double[] buckets) {
    int each = each(buckets);
    StringBuilder strip = new StringBuilder();
    for (int i = 0; i < buckets.length; i += each) {
      double sum = 0;
      int count = Math.min(each, buckets.length - i);
      for (int j = i; j < i + count; j++) {
        sum += buckets[j];
      }
      double use = sum / count;
      int level = (int) Math.round(8 * use);
      strip.append(BLOCKS.charAt(use > 0 ? Math.max(1, Math.min(8, level)) : 0));
    }
    List<String> lines = new ArrayList<>();
    for (int from = 0; from < strip.length(); from += WIDTH) {
      String part = strip.substring(from, Math.min(strip.length(), from + WIDTH));
      lines.add(String.format(Locale.ROOT, "%9.1f s |%s|", from * secondsEach(buckets), part));
    }
    return lines;
  }
}
