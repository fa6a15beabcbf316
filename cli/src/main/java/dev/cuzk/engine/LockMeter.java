package dev.cuzk.engine;

import dev.cuzk.report.EngineFigures.LockFigures;
import dev.cuzk.report.EngineFigures.LockFigures.Times;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * How long something that only one thread does at a time was waited for and took. The owner's
 * mutual exclusion guards it.
 */
final class LockMeter {
  private static final long RESOLUTION_NANOS = 64;
  private static final long LONGEST_NANOS = 600_000_000_000L;
  private static final int DIGITS = 2;

  private final String name;
  private final Histogram waits = new Histogram(RESOLUTION_NANOS, LONGEST_NANOS, DIGITS);
  private final Histogram holds = new Histogram(RESOLUTION_NANOS, LONGEST_NANOS, DIGITS);

  LockMeter(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  void record(long waitNanos, long holdNanos) {
    waits.recordValue(Math.min(Math.max(0, waitNanos), LONGEST_NANOS));
    holds.recordValue(Math.min(Math.max(0, holdNanos), LONGEST_NANOS));
  }

  LockFigures figures() {
    return new LockFigures(name, holds.getTotalCount(), times(holds), times(waits));
  }

  private static Times times(Histogram histogram) {
    List<LockFigures.Bar> bars = new ArrayList<>();
    // From a quarter of a microsecond on, each bar twice as wide as the one before.
    for (HistogramIterationValue value : histogram.logarithmicBucketValues(256, 2)) {
      if (value.getCountAddedInThisIterationStep() > 0) {
        bars.add(
            new LockFigures.Bar(
                value.getValueIteratedTo() / 1e3, value.getCountAddedInThisIterationStep()));
      }
    }
    return new Times(
        histogram.getValueAtPercentile(50) / 1e3,
        histogram.getValueAtPercentile(99) / 1e3,
        histogram.getMaxValue() / 1e3,
        bars);
  }
}
