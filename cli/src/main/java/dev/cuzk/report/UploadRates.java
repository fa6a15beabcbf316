package dev.cuzk.report;

import java.util.Arrays;

/** Bytes that crossed to the devices, in each 200 ms of the run. Of one thread alone. */
final class UploadRates {
  private double[] bytes = new double[64];
  private int used;
  private boolean tooLong;
  private double peak;

  /** Times in nanoseconds since the run's start. */
  void add(long count, long from, long to) {
    long length = Math.max(1, to - from);
    if (length > 1_000) {
      peak = Math.max(peak, count * 1e9 / length);
    }
    long first = Math.max(0, from) / GapAnalysis.BUCKET_NANOS;
    long last = Math.max(0, from + length - 1) / GapAnalysis.BUCKET_NANOS;
    if (tooLong || last >= GapAnalysis.MAXIMUM_BUCKETS) {
      tooLong = true;
      bytes = new double[0];
      return;
    }
    if (last >= bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.max(last + 1, 2L * bytes.length));
    }
    used = Math.max(used, (int) last + 1);
    for (long bucket = first; bucket <= last; bucket++) {
      long begin = Math.max(from, bucket * GapAnalysis.BUCKET_NANOS);
      long end = Math.min(from + length, (bucket + 1) * GapAnalysis.BUCKET_NANOS);
      bytes[(int) bucket] += count * ((double) (end - begin) / length);
    }
  }

  /** Of the fastest single upload; 0 = unknown. */
  double peakBytesPerSecond() {
    return peak;
  }

  /** Bytes per second in each 200 ms up to the last upload; null for runs too long to list. */
  double[] rates() {
    if (tooLong) {
      return null;
    }
    double[] rates = Arrays.copyOf(bytes, used);
    for (int i = 0; i < used; i++) {
      rates[i] = Math.max(0, rates[i] * 1e9 / GapAnalysis.BUCKET_NANOS);
    }
    return rates;
  }
}
