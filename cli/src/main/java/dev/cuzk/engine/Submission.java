package dev.cuzk.engine;

import dev.cuzk.device.Backend.ProofTask;
import java.util.List;

/** Partitions of one key that are on a device together. */
final class Submission {
  final ProofTask task;
  final List<PartitionTask> partitions;
  final long startNanos;
  final long launchNanos;

  /** Submissions that shared the device with it at most, itself included. */
  int sharing = 1;

  Submission(ProofTask task, List<PartitionTask> partitions, long startNanos, long launchNanos) {
    this.task = task;
    this.partitions = partitions;
    this.startNanos = startNanos;
    this.launchNanos = launchNanos;
  }

  PlannedKey key() {
    return partitions.get(0).plannedKey();
  }
}
