package dev.cuzk.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields of GPU_TIMING and FIN_TIMING: where a partition's time went up to the end of its work
 * on a device, and after it. All fields are always there, in this order, whatever the mode of the
 * run; milliseconds, but for {@value #UPLOAD_BYTES}.
 */
final class TimingFields {
  static final String GPU_TIMING = "GPU_TIMING";
  static final String FIN_TIMING = "FIN_TIMING";
  static final String UPLOAD_BYTES = "upload_bytes";

  /** Stages whose sums GPU_TIMING gives. */
  static final List<String> GPU_STAGES;

  /** Stages whose sums FIN_TIMING gives. */
  static final List<String> FIN_STAGES =
      List.of(
          StageNames.FINISH,
          StageNames.LOCK_WAIT,
          StageNames.VERIFY_WAIT,
          StageNames.VERIFY,
          StageNames.ASSEMBLE,
          StageNames.WRITE);

  static {
    List<String> stages = new ArrayList<>(StageNames.WAITS);
    stages.removeAll(FIN_STAGES);
    stages.add(StageNames.SYNTHESIS);
    stages.add(StageNames.KEY_LOAD);
    stages.add(StageNames.LAUNCH);
    stages.addAll(StageNames.DEVICE);
    stages.remove(StageNames.FINISH);
    GPU_STAGES = List.copyOf(stages);
  }

  private TimingFields() {}

  /** Sums by stage; one that does not occur is 0. */
  static Map<String, Double> sums(List<String> fields, List<TimelineRecorder.StageTime> stages) {
    Map<String, Double> sums = new LinkedHashMap<>();
    fields.forEach(field -> sums.put(field, 0.0));
    for (TimelineRecorder.StageTime stage : stages) {
      sums.computeIfPresent(stage.name(), (name, sum) -> sum + stage.ms());
    }
    return sums;
  }
}
