package dev.cuzk.engine;

import dev.cuzk.engine.ProofSink.JobOutcome;
import dev.cuzk.engine.ProofSink.Status;
import dev.cuzk.report.JobReport;

/**
 * A job on its way. Counters belong to the dispatcher's thread; whether the job has ended may be
 * asked by any stage, which then drops the partition it holds.
 */
final class JobState {
  final Job job;
  final long submittedNanos;

  /** Partitions not yet accepted. */
  int open;

  /** Partitions not yet admitted. */
  int unadmitted;

  /** Partitions that were given up because the run was stopped. */
  int dropped;

  /** When the job times out, {@link System#nanoTime}; only once it has begun. */
  long deadlineNanos;

  /** How it ends once what is being written is written; null if it goes on. */
  Runnable pendingEnd;

  double queuedSeconds;
  double synthesisSeconds;
  double proveSeconds;
  double verifySeconds;
  double writeSeconds;

  private boolean ended;
  private int committing;

  JobState(Job job, long submittedNanos) {
    this.job = job;
    this.submittedNanos = submittedNanos;
    this.open = job.partitions().size();
    this.unadmitted = open;
  }

  boolean begun() {
    return unadmitted < job.partitions().size();
  }

  synchronized boolean ended() {
    return ended;
  }

  /** Whether this call ended it: a job ends once, and not while one of its proofs is written. */
  synchronized boolean tryEnd() {
    if (ended || committing > 0) {
      return false;
    }
    ended = true;
    return true;
  }

  /** Whether a partition may be handed to the sink; {@link #endCommit} must follow. */
  synchronized boolean beginCommit() {
    if (!ended) {
      committing++;
    }
    return !ended;
  }

  synchronized void endCommit() {
    committing--;
  }

  /** Adds a partition's times to the job's. */
  void add(PartitionTask task) {
    queuedSeconds += task.queuedSeconds;
    synthesisSeconds += task.synthesisSeconds;
    proveSeconds += task.proveSeconds;
    verifySeconds += task.verifySeconds;
  }

  JobOutcome outcome(Status status, JobFailure failure, long now) {
    JobReport.Times times =
        new JobReport.Times(
            queuedSeconds,
            synthesisSeconds,
            proveSeconds,
            verifySeconds,
            writeSeconds,
            (now - submittedNanos) / 1e9);
    return new JobOutcome(job, status, failure, times);
  }
}
