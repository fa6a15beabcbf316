package dev.cuzk.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gathers the stages of each partition on its way, so that a row of GPU_TIMING or FIN_TIMING can be
 * written at its end. Bounded: of partitions that never get there the oldest are forgotten. Of one
 * thread alone.
 */
final class PartitionTimings {
  private static final int REMEMBERED = 1 << 14;

  private static final class Open {
    private final List<TimelineRecorder.StageTime> stages = new ArrayList<>();
    private long uploadBytes;
  }

  private record Key(String job, int partition) {}

  private final Map<Key, Open> open =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Open> eldest) {
          return size() > REMEMBERED;
        }
      };

  void stage(String job, TimelineRecorder.StageTime stage) {
    of(job, stage.partition()).stages.add(stage);
  }

  void uploaded(String job, int partition, long bytes) {
    of(job, partition).uploadBytes += bytes;
  }

  private Open of(String job, int partition) {
    return open.computeIfAbsent(new Key(job, partition), key -> new Open());
  }

  /**
   * What GPU_TIMING says, {@code field=value} joined by semicolons; the next attempt starts anew.
   */
  String takeGpuTiming(String job, int partition) {
    Open timing = of(job, partition);
    Map<String, Double> sums = TimingFields.sums(TimingFields.GPU_STAGES, timing.stages);
    timing.stages.removeIf(stage -> sums.containsKey(stage.name()));
    StringBuilder text = text(sums);
    text.append(';').append(TimingFields.UPLOAD_BYTES).append('=').append(timing.uploadBytes);
    timing.uploadBytes = 0;
    return text.toString();
  }

  /** What FIN_TIMING says; the partition is done. */
  String takeFinTiming(String job, int partition) {
    Open timing = open.remove(new Key(job, partition));
    List<TimelineRecorder.StageTime> stages = timing == null ? List.of() : timing.stages;
    return text(TimingFields.sums(TimingFields.FIN_STAGES, stages)).toString();
  }

  private static StringBuilder text(Map<String, Double> sums) {
    StringBuilder text = new StringBuilder(sums.size() * 24);
    sums.forEach(
        (name, ms) -> {
          text.append(text.length() == 0 ? "" : ";").append(name).append("_ms=");
          TimelineCsv.appendMilliseconds(text, Math.round(ms * 1e6));
        });
    return text;
  }
}
