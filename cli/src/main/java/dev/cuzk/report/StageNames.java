package dev.cuzk.report;

import java.util.List;

/**
 * Stable names of the times a partition spends outside a device; those inside are the device's own
 * stage names. They appear in timeline.csv, the report and its JSON schema.
 */
public final class StageNames {
  public static final String QUEUED = "queued";
  public static final String WAIT_HOST_MEMORY = "wait_host_memory";
  public static final String WAIT_DEVICE_MEMORY = "wait_device_memory";
  public static final String WAIT_DEVICE = "wait_device";
  public static final String WAIT_LOCK = "wait_lock";
  public static final String KEY_LOAD = "key_load";
  public static final String SYNTHESIS = "synthesis";
  public static final String PROVE = "prove";
  public static final String VERIFY = "verify";
  public static final String WRITE = "write";

  /** Those in which nothing is done for the partition; the report lists them as waits. */
  public static final List<String> WAITS =
      List.of(QUEUED, WAIT_HOST_MEMORY, WAIT_DEVICE_MEMORY, WAIT_DEVICE, WAIT_LOCK);

  private StageNames() {}
}
