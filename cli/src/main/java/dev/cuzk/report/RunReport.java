package dev.cuzk.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Everything that report.json and report.txt say about a run, as plain data.
 *
 * @param verification what became of self-verification: {@code on} or {@code off}
 * @param warnings lines that the user saw
 */
public record RunReport(
    Tool tool,
    HostFacts host,
    List<SettingReport> settings,
    String verification,
    List<String> warnings,
    List<DeviceReport> devices,
    List<KeyReport> keys,
    JobTable jobs,
    List<TimelineRecorder.StageSum> stages,
    EngineFigures figures,
    Summary summary) {

  /** The document's version; fields are only ever added under it. */
  public static final int SCHEMA = 1;

  public RunReport {
    settings = List.copyOf(settings);
    warnings = List.copyOf(warnings);
    devices = List.copyOf(devices);
    keys = List.copyOf(keys);
    stages = List.copyOf(stages);
  }

  /** Which program ran. */
  public record Tool(String version, String build, int abi) {}

  /** An effective setting and where it came from. */
  public record SettingReport(String name, String value, String source) {}

  /**
   * A device and how it spent the run.
   *
   * @param nvmlUtilisation mean over the run as NVML says, to check {@code use} by; negative =
   *     unknown
   */
  public record DeviceReport(DeviceFacts facts, DeviceUse use, double nvmlUtilisation) {}

  /**
   * A key that was used.
   *
   * @param sha256 null where it was never needed
   * @param digestState {@code verified}, {@code remembered}, {@code computed} or {@code not
   *     checked}
   * @param domain rows
   */
  public record KeyReport(
      String path,
      String sha256,
      String digestState,
      String curve,
      long domain,
      double loadSeconds) {}

  /**
   * Numbers of the run. Times in seconds; all but {@code wallSeconds} are sums over proofs.
   *
   * @param stopped why the run ended early; null if it did not
   */
  public record Summary(
      long jobs,
      long proved,
      long resumed,
      long failed,
      long dropped,
      double wallSeconds,
      double proveSeconds,
      double synthesisSeconds,
      double verifySeconds,
      long uploadBytes,
      String stopped,
      int exitCode) {}

  /** How each device spent the run that {@code timeline} recorded; it must be closed. */
  public static List<DeviceReport> devices(EngineFigures figures, TimelineRecorder timeline) {
    List<DeviceReport> devices = new ArrayList<>();
    for (DeviceFacts facts : figures.devices()) {
      int index = facts.index();
      List<Double> known = figures.utilisations();
      double utilisation = index < known.size() ? known.get(index) : -1;
      devices.add(new DeviceReport(facts, timeline.deviceUse(index), utilisation));
    }
    return devices;
  }

  /** The stage table of the run that {@code timeline} recorded; it must be closed. */
  public static List<TimelineRecorder.StageSum> stages(TimelineRecorder timeline) {
    return timeline.stageSums();
  }
}
