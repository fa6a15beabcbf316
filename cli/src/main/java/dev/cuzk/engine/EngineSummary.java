package dev.cuzk.engine;

import dev.cuzk.report.EngineFigures.LockFigures;
import java.util.List;

/**
 * How a run ended.
 *
 * @param stopReason why it was stopped before its end; empty if it was not
 * @param abandoned a native call or a synthesizer did not come back within the grace time, so that
 *     its thread and memory were left to the process's end
 * @param uploadedBytes what crossed to the devices for proofs, keys not counted
 * @param devices the devices in the engine's order; a CPU that repeated something comes last
 * @param keyLoads each loading of a key onto a device
 * @param locks what was measured of the locks and queues on the way to a device
 */
public record EngineSummary(
    long jobsSubmitted,
    long jobsProved,
    long jobsFailed,
    long jobsDropped,
    String stopReason,
    boolean abandoned,
    long uploadedBytes,
    List<EngineSnapshot.DeviceSnapshot> devices,
    List<KeyLoad> keyLoads,
    List<LockFigures> locks) {

  /** One loading of a key. */
  public record KeyLoad(String path, int device, double seconds) {}
}
