package dev.cuzk.bench;

import java.util.List;
import java.util.Map;

/**
 * The outcome of a benchmark run, as it is exported.
 *
 * @param schema 1; raised when a reader of older exports would misread newer ones
 * @param environment machine, device, build: what a figure is worth nothing without
 * @param settings warm-up and measured runs
 * @param cases in the order of their measurement
 * @param comparisons one for each case that the earlier export has too; empty without {@code
 *     --compare}
 */
public record BenchResult(
    int schema,
    Map<String, Object> environment,
    Map<String, Object> settings,
    List<BenchCase> cases,
    List<Comparison> comparisons) {
  /** The schema number of exports that this version writes. */
  public static final int SCHEMA = 1;

  public BenchResult {
    cases = List.copyOf(cases);
    comparisons = List.copyOf(comparisons);
  }

  /**
   * A case beside the same case of an earlier export.
   *
   * @param beforeMs the earlier median
   * @param nowMs this run's median
   * @param changePercent positive: slower than before
   * @param failed whether that is more than {@code --fail-above} allows
   */
  public record Comparison(
      String id, double beforeMs, double nowMs, double changePercent, boolean failed) {}

  /** Whether a case is slower than {@code --fail-above} allows: exit code 1. */
  public boolean failed() {
    return comparisons.stream().anyMatch(Comparison::failed);
  }
}
