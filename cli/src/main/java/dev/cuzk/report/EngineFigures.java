package dev.cuzk.report;

import java.util.List;

/**
 * What the engine measured over a run, as plain data for the report.
 *
 * @param devices in index order
 */
public record EngineFigures(
    List<DeviceFacts> devices,
    List<LockFigures> locks,
    List<MemorySample> memorySamples,
    UploadFigures upload) {

  /** Nothing measured. */
  public static final EngineFigures NONE =
      new EngineFigures(List.of(), List.of(), List.of(), new UploadFigures(0, 0, 0));

  public EngineFigures {
    devices = List.copyOf(devices);
    locks = List.copyOf(locks);
    memorySamples = List.copyOf(memorySamples);
  }

  /** How long a lock, or another thing that one thread does at a time, was held and waited for. */
  public record LockFigures(String name, long acquisitions, Times holding, Times waiting) {
    /**
     * Times in microseconds.
     *
     * @param histogram in order, empty bars left out
     */
    public record Times(double p50, double p99, double longest, List<Bar> histogram) {
      public Times {
        histogram = List.copyOf(histogram);
      }
    }

    /** How many times were at most so long and longer than the bar before. */
    public record Bar(double upTo, long count) {}
  }

  /** Bytes reserved at a moment, {@code startMs} milliseconds after the run's start. */
  public record MemorySample(double startMs, long hostBytes, long pinnedBytes, long deviceBytes) {}

  /**
   * What crossed to the devices.
   *
   * @param seconds sum of the upload stages
   * @param peakBytesPerSecond the fastest single upload; 0 = unknown
   */
  public record UploadFigures(long bytes, double seconds, double peakBytesPerSecond) {}
}
