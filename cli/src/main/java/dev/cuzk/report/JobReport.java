package dev.cuzk.report;

import java.util.List;

/**
 * What the report says about a job. Times in seconds.
 *
 * @param sequence position in the run
 * @param status {@code proved}, {@code resumed}, {@code failed} or {@code dropped}
 * @param exitClass 0 unless it failed or was dropped
 * @param error null unless it failed
 * @param inputSha256 null where the input was never read
 * @param keySha256 null where it is not known
 */
public record JobReport(
    long sequence,
    String name,
    String kind,
    String status,
    int exitClass,
    String error,
    String inputSha256,
    String keySha256,
    Times times,
    List<PartitionReport> partitions) {

  public JobReport {
    partitions = List.copyOf(partitions);
  }

  /** Seconds; sums over partitions, but {@code total} is wall time from submission to the end. */
  public record Times(
      double queued, double synthesis, double prove, double verify, double write, double total) {
    public static final Times ZERO = new Times(0, 0, 0, 0, 0, 0);

    Times plus(Times other) {
      return new Times(
          queued + other.queued,
          synthesis + other.synthesis,
          prove + other.prove,
          verify + other.verify,
          write + other.write,
          total + other.total);
    }
  }

  /**
   * One partition.
   *
   * @param device position in the run's device list; −1 unknown
   * @param attempts how often it was proved; 0 for one that was resumed
   * @param timeline its stages, waits included, and events
   */
  public record PartitionReport(
      int index,
      int device,
      int attempts,
      boolean verified,
      TimelineRecorder.PartitionTimeline timeline) {}

  JobReport withoutPartitions() {
    return new JobReport(
        sequence, name, kind, status, exitClass, error, inputSha256, keySha256, times, List.of());
  }
}
