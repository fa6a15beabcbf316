package dev.cuzk.engine;

import java.util.List;

/**
 * Where a run stands, for a progress line.
 *
 * @param jobsSubmitted all jobs handed to the engine so far
 * @param jobsWaiting those of which not every partition has begun
 * @param partitionsInFlight begun and not yet accepted
 * @param partitionsProved accepted
 */
public record EngineSnapshot(
    long jobsSubmitted,
    long jobsProved,
    long jobsFailed,
    long jobsDropped,
    long jobsWaiting,
    long partitionsInFlight,
    long partitionsProved,
    boolean stopping,
    List<DeviceSnapshot> devices) {

  /**
   * Bytes reserved by admission.
   *
   * @param host page-locked memory included; on the CPU its key and working memory, too
   * @param devices of each device's own memory, in the engine's order
   */
  public record Reserved(long host, long pinned, List<Long> devices) {
    static final Reserved NOTHING = new Reserved(0, 0, List.of());

    public Reserved {
      devices = List.copyOf(devices);
    }
  }

  /**
   * One device.
   *
   * @param index position in the engine's list; the list's size = the CPU that repeats
   * @param job name of the job it works on, empty if none
   * @param stage {@code idle}, {@code key_load}, {@code prove}, {@code quarantined}, {@code lost}
   * @param busyFraction share of the time since the engine was made that it worked, 0 … 1
   * @param queued partitions admitted for this device and not begun on it
   * @param faults proofs it made that were wrong while the witness was right
   */
  public record DeviceSnapshot(
      int index,
      String name,
      String job,
      int partition,
      String stage,
      double busyFraction,
      int queued,
      long proofs,
      int faults) {}
}
