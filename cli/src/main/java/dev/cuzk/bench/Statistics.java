package dev.cuzk.bench;

import java.util.Arrays;

/**
 * What is said of a series of measurements. Medians, because a benchmark's errors lie on one side:
 * something else ran meanwhile.
 *
 * @param median middle of the sorted samples (mean of the two middle ones for an even number)
 * @param min smallest sample
 * @param max largest sample
 * @param mad median absolute deviation from the median: the spread
 * @param outliers samples further from the median than {@link #OUTLIER_SCORE} allows
 */
public record Statistics(double median, double min, double max, double mad, int outliers) {
  /** Limit of the modified z-score 0.6745 |x − median| / MAD (Iglewicz, Hoaglin 1993). */
  public static final double OUTLIER_SCORE = 3.5;

  private static final double SCORE_FACTOR = 0.6745;

  /** A deviation below this share of the median is nobody's concern, however small the spread. */
  private static final double NEGLIGIBLE_SHARE = 0.02;

  /**
   * Statistics of at least one sample.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Statistics of(double[] samples) {
    if (samples.length == 0) {
      throw new IllegalArgumentException("no samples");
    }
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    double median = median(sorted);
    double[] deviations = new double[sorted.length];
    for (int i = 0; i < sorted.length; i++) {
      deviations[i] = Math.abs(sorted[i] - median);
    }
    double[] ordered = deviations.clone();
    Arrays.sort(ordered);
    double mad = median(ordered);
    int outliers = 0;
    for (double deviation : deviations) {
      boolean notable = deviation > NEGLIGIBLE_SHARE * median;
      if (notable && SCORE_FACTOR * deviation > OUTLIER_SCORE * mad) {
        outliers++;
      }
    }
    return new Statistics(median, sorted[0], sorted[sorted.length - 1], mad, outliers);
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
