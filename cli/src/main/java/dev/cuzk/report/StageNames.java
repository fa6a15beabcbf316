package dev.cuzk.report;

import java.util.List;

/**
 * Stable names of the times a partition spends outside a device; those inside are the device's own
 * stage names. They appear in timeline.csv, the report and its JSON schema.
 */
public final class StageNames {
  public static final String QUEUED = "queued";

  /** First in the queue, and as many partitions are in flight as the user allows. */
  public static final String IN_FLIGHT_WAIT = "in_flight_wait";

  public static final String HOST_MEMORY_WAIT = "host_memory_wait";
  public static final String PINNED_MEMORY_WAIT = "pinned_memory_wait";
  public static final String DEVICE_MEMORY_WAIT = "device_memory_wait";
  public static final String SYNTHESIS_WAIT = "synthesis_wait";
  public static final String SYNTHESIS = "synthesis";
  public static final String DEVICE_WAIT = "device_wait";

  /** A device, or a proof on its way from one, was held up by a lock. */
  public static final String LOCK_WAIT = "lock_wait";

  public static final String KEY_LOAD = "key_load";

  /** The host hands the work to the device. */
  public static final String LAUNCH = "launch";

  public static final String PROVE = "prove";
  public static final String VERIFY_WAIT = "verify_wait";
  public static final String VERIFY = "verify";
  public static final String ASSEMBLE = "assemble";
  public static final String WRITE = "write";

  public static final String UPLOAD = "upload";
  public static final String DOWNLOAD = "download";

  /** The last sums of a proof, which the host makes from what the device gave. */
  public static final String FINISH = "finish";

  /** Those inside a device, as in cuzk.h, in the order of their work. */
  public static final List<String> DEVICE =
      List.of(
          UPLOAD,
          "sparse_product",
          "ntt",
          "digits",
          "msm_a",
          "msm_b1",
          "msm_b2",
          "msm_l",
          "msm_h",
          DOWNLOAD,
          FINISH);

  /** Those in which nothing is done for the partition; the report lists them as waits. */
  public static final List<String> WAITS =
      List.of(
          QUEUED,
          IN_FLIGHT_WAIT,
          HOST_MEMORY_WAIT,
          PINNED_MEMORY_WAIT,
          DEVICE_MEMORY_WAIT,
          SYNTHESIS_WAIT,
          DEVICE_WAIT,
          LOCK_WAIT,
          VERIFY_WAIT);

  private StageNames() {}
}
