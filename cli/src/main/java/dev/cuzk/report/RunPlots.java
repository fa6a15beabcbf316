package dev.cuzk.report;

import java.io.IOException;
import java.nio.file.Path;

/** What plots of a finished run need besides its report. */
public final class RunPlots {
  private final PartitionBars bars;

  private RunPlots(PartitionBars bars) {
    this.bars = bars;
  }

  /** From the report alone: beyond 1,000 jobs only the slowest and failed ones have bars. */
  public static RunPlots of(RunReport report) {
    return new RunPlots(PartitionBars.of(report));
  }

  /**
   * From the run's timeline.csv: all of its partitions.
   *
   * @throws IOException if it cannot be read, or is no timeline; the message says what is wrong,
   *     without the file's name
   */
  public static RunPlots of(Path timeline) throws IOException {
    return new RunPlots(PartitionBars.of(timeline));
  }

  PartitionBars bars() {
    return bars;
  }
}
