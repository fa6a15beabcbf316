package dev.cuzk.engine;

import dev.cuzk.report.Timeline;

/**
 * Tells the timeline how long a partition waited for admission, and for what: from when it was
 * first seen at the head of the queue and short of it. On the dispatcher's thread.
 */
final class AdmissionWaits {
  private final Admission admission;
  private final Timeline timeline;
  private final Scheduler scheduler;

  AdmissionWaits(Admission admission, Timeline timeline, Scheduler scheduler) {
    this.admission = admission;
    this.timeline = timeline;
    this.scheduler = scheduler;
  }

  /** Looks at the first in the queue. */
  void note() {
    Admission.Request first = admission.first();
    if (first instanceof PartitionTask task && task.shortOf == null) {
      EngineStage shortOf =
          switch (admission.shortage(first)) {
            case IN_FLIGHT -> EngineStage.IN_FLIGHT_WAIT;
            case HOST -> EngineStage.HOST_MEMORY_WAIT;
            case PINNED -> EngineStage.PINNED_MEMORY_WAIT;
            case DEVICE -> EngineStage.DEVICE_MEMORY_WAIT;
            default -> null;
          };
      if (shortOf != null) {
        task.shortOf = shortOf;
        task.shortSinceNanos = scheduler.nanoTime();
      }
    }
  }

  /** A partition was admitted; {@code first}: not only to another device. */
  void admitted(PartitionTask task, int device, boolean first) {
    long now = scheduler.nanoTime();
    String name = task.jobName();
    int index = task.partition.index();
    long since = task.shortOf == null ? now : task.shortSinceNanos;
    if (first) {
      String queued = EngineStage.QUEUED.stableName();
      timeline.stage(queued, name, index, device, task.job.submittedNanos, since);
      task.queuedSeconds += (now - task.job.submittedNanos) / 1e9;
    }
    if (task.shortOf != null) {
      timeline.stage(task.shortOf.stableName(), name, index, device, since, now);
      task.shortOf = null;
    }
    task.admittedNanos = now;
  }
}
