package dev.cuzk.batch;

import dev.cuzk.batch.BatchListener.JobStatus;
import dev.cuzk.engine.FailureClass;
import dev.cuzk.engine.JobFailure;
import dev.cuzk.engine.ProofSink.PartitionTimes;
import dev.cuzk.report.JobReport;
import dev.cuzk.report.JobTable;
import dev.cuzk.report.TimelineRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Tells the listener, the exit code and the report of everything that happens in a run, one event
 * at a time.
 */
final class RunEvents {

  private final BatchListener listener;
  private final RunResult result;
  private final JobTable table = new JobTable();
  private final List<String> warnings = new ArrayList<>();
  private TimelineRecorder timeline;
  private long lines;

  RunEvents(BatchListener listener, RunResult result) {
    this.listener = listener;
    this.result = result;
  }

  static double now() {
    return System.currentTimeMillis() / 1e3;
  }

  synchronized void timeline(TimelineRecorder recorder) {
    timeline = recorder;
  }

  JobTable table() {
    return table;
  }

  synchronized List<String> warnings() {
    return List.copyOf(warnings);
  }

  synchronized void warning(String message) {
    warnings.add(message);
    listener.warning(message);
  }

  /** Not among the events: a reader must not wait for whoever tells of a proof. */
  void reading(String file, long done, long total) {
    listener.reading(file, done, total);
  }

  synchronized void started(BatchListener.Started line) {
    listener.started(line);
  }

  synchronized void partition(String name, int partition, PartitionTimes times, boolean verified) {
    listener.partition(
        new BatchListener.PartitionLine(
            now(), name, partition, times.device(), times.attempts(), verified));
  }

  /** Something that ends the run. */
  synchronized void runFailed(int exitClass, String message, Throwable failure) {
    listener.error(new BatchListener.ErrorLine(now(), null, exitClass, message, failure));
  }

  synchronized void proved(JobState job, JobReport.Times times) {
    result.proved();
    end(job.spec.name(), job.spec.kind(), JobStatus.PROVED, null, job, times);
  }

  synchronized void resumed(JobState job) {
    result.resumed();
    end(job.spec.name(), job.spec.kind(), JobStatus.RESUMED, null, job, JobReport.Times.ZERO);
  }

  synchronized void dropped(String name, String kind, JobState job, JobReport.Times times) {
    result.dropped();
    end(name, kind, JobStatus.DROPPED, null, job, times);
  }

  /**
   * @param job null if the input never became a job
   */
  synchronized void failed(
      String name, String kind, JobFailure failure, JobState job, JobReport.Times times) {
    result.failed(failure.failureClass());
    listener.error(
        new BatchListener.ErrorLine(
            now(), name, failure.failureClass().exitCode(), failure.getMessage(), failure));
    end(name, kind, JobStatus.FAILED, failure, job, times);
  }

  private void end(
      String name,
      String kind,
      JobStatus status,
      JobFailure failure,
      JobState job,
      JobReport.Times times) {
    int exitClass =
        switch (status) {
          case PROVED, RESUMED -> 0;
          case DROPPED -> FailureClass.STOPPED.exitCode();
          case FAILED -> failure.failureClass().exitCode();
        };
    long sequence = lines++;
    listener.job(
        new BatchListener.JobLine(
            now(),
            sequence,
            name,
            kind,
            status,
            exitClass,
            job == null ? List.of() : job.files,
            job == null ? 0 : job.publicCount(),
            times,
            failure == null ? null : failure.getMessage()));
    table.add(
        new JobReport(
            sequence,
            name,
            kind,
            status.name().toLowerCase(Locale.ROOT),
            exitClass,
            failure == null ? null : failure.getMessage(),
            job == null ? null : job.inputDigest.known(),
            job == null ? null : job.spec.key().knownSha256(),
            times,
            partitions(name, job)));
  }

  private List<JobReport.PartitionReport> partitions(String name, JobState job) {
    TimelineRecorder.JobTimeline known = timeline == null ? null : timeline.take(name);
    List<JobReport.PartitionReport> partitions = new ArrayList<>();
    for (int i = 0; job != null && i < job.accepted.length; i++) {
      int index = i;
      PartitionTimes times = job.times[i];
      boolean verified = job.accepted[i] != null && job.accepted[i].verified();
      partitions.add(
          new JobReport.PartitionReport(
              index,
              times == null ? -1 : times.device(),
              times == null ? 0 : times.attempts(),
              verified,
              known == null ? TimelineRecorder.PartitionTimeline.EMPTY : known.partition(index)));
    }
    return partitions;
  }

  /** Asks the listener whether standard output was lost. */
  synchronized boolean outputFailed() {
    return listener.outputFailed();
  }

  synchronized void abandoned(int exitCode) {
    listener.abandoned(exitCode);
  }

  synchronized void summary(BatchListener.Summary line) {
    listener.summary(line);
  }
}
