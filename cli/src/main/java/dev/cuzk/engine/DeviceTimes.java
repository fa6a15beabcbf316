package dev.cuzk.engine;

import dev.cuzk.device.Backend.StageTimes;
import dev.cuzk.device.Stage;
import dev.cuzk.report.Timeline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Puts into the timeline what a device did and when, as it reports after a submission. */
final class DeviceTimes {
  private final Timeline timeline;
  private final int index;

  DeviceTimes(Timeline timeline, int index) {
    this.timeline = timeline;
    this.index = index;
  }

  void event(Timeline.Event event, PartitionTask task, long nanos) {
    timeline.event(event, task.jobName(), task.partition.index(), index, nanos);
  }

  /**
   * One stream works through the stages one after the other, but a stage that runs in several parts
   * is known by its first start and the sum of its parts alone: what overlaps is moved behind.
   */
  void computing(long base, StageTimes times) {
    List<Stage> ran = new ArrayList<>(Stage.values().length);
    for (Stage each : Stage.values()) {
      if (each.computes() && times.ms()[each.ordinal()] > 0) {
        ran.add(each);
      }
    }
    ran.sort(Comparator.comparingDouble(each -> times.startMs()[each.ordinal()]));
    double reached = 0;
    for (Stage each : ran) {
      double from = Math.max(reached, times.startMs()[each.ordinal()]);
      reached = from + times.ms()[each.ordinal()];
      timeline.computing(index, base + (long) (from * 1e6), base + (long) (reached * 1e6));
    }
  }

  void launched(PartitionTask task, long base, int position, int count, long nanos) {
    long each = nanos / count;
    long from = base + each * position;
    int partition = task.partition.index();
    String launch = EngineStage.LAUNCH.stableName();
    timeline.stage(launch, task.jobName(), partition, index, from, from + each);
  }

  /** Proofs made together share each stage: every one gets its part, so that sums are right. */
  void stages(PartitionTask task, long base, int position, int count, StageTimes times) {
    for (Stage deviceStage : Stage.values()) {
      double whole = times.ms()[deviceStage.ordinal()];
      if (whole > 0) {
        double from = times.startMs()[deviceStage.ordinal()] + whole * position / count;
        long start = base + (long) (from * 1e6);
        long end = start + (long) (whole / count * 1e6);
        String name = task.jobName();
        int partition = task.partition.index();
        timeline.stage(deviceStage.stableName(), name, partition, index, start, end);
        if (deviceStage == Stage.UPLOAD) {
          long bytes = times.uploadedBytes() / count;
          timeline.uploaded(name, partition, index, bytes, start, end);
        }
      }
    }
  }
}
