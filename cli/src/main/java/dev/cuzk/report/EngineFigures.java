package dev.cuzk.report;

import java.util.List;

/**
 * What the engine measured over a run, as plain data for the report.
 *
 * @param devices in index order
 * @param utilisations each device's mean utilisation as NVML says, 0 … 1; negative = unknown
 */
public record EngineFigures(
    List<DeviceFacts> devices,
    List<LockFigures> locks,
    List<MemorySample> memorySamples,
    List<Double> utilisations,
    UploadFigures upload) {

  /** Nothing measured. */
  public static final EngineFigures NONE =
      new EngineFigures(
          List.of(), List.of(), List.of(), List.of(), new UploadFigures(0, 0, 0, new double[0]));

  public EngineFigures {
    devices = List.copyOf(devices);
    locks = List.copyOf(locks);
    memorySamples = List.copyOf(memorySamples);
    utilisations = List.copyOf(utilisations);
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

  /**
   * Memory at a moment; of several moments put together, the most of each.
   *
   * @param startMs since the run's start
   * @param rssBytes of the process, resident
   * @param hostBytes reserved by admission, page-locked memory included
   * @param pinnedBytes reserved by admission
   * @param devices in index order
   */
  public record MemorySample(
      double startMs, long rssBytes, long hostBytes, long pinnedBytes, List<DeviceMemory> devices) {
    public MemorySample {
      devices = List.copyOf(devices);
    }

    long deviceBytes() {
      return devices.stream().mapToLong(DeviceMemory::reservedBytes).sum();
    }
  }

  /**
   * One device's memory.
   *
   * @param reservedBytes by admission
   * @param usedBytes by all processes, as NVML says; −1 = unknown
   */
  public record DeviceMemory(long reservedBytes, long usedBytes) {}

  /**
   * A device's load at a moment.
   *
   * @param usedBytes by all processes; −1 = unknown
   * @param utilisation 0 … 1, of the driver's last sample period; negative = unknown
   */
  public record DeviceLoad(long usedBytes, double utilisation) {
    public static final DeviceLoad UNKNOWN = new DeviceLoad(-1, -1);
  }

  /**
   * What crossed to the devices.
   *
   * @param seconds sum of the upload stages
   * @param peakBytesPerSecond the fastest single upload; 0 = unknown
   * @param rates bytes per second in each 200 ms; null for runs too long to list
   */
  public record UploadFigures(
      long bytes, double seconds, double peakBytesPerSecond, double[] rates) {
    double bytesPerSecond() {
      return seconds > 0 ? bytes / seconds : 0;
    }
  }
}
