package dev.cuzk.batch;

import dev.cuzk.engine.FailureClass;
import java.util.EnumMap;
import java.util.Map;

/**
 * Adds up how jobs ended into the run's exit code (CLI contract, "Exit codes"). Safe for use by
 * several threads.
 */
final class RunResult {
  private final Map<FailureClass, Long> failures = new EnumMap<>(FailureClass.class);
  private long proved;
  private long resumed;
  private long dropped;
  private int stopCode;
  private String stopReason;
  private boolean outputFailed;

  synchronized void proved() {
    proved++;
  }

  synchronized void resumed() {
    resumed++;
  }

  synchronized void dropped() {
    dropped++;
  }

  synchronized void failed(FailureClass failureClass) {
    failures.merge(failureClass, 1L, Long::sum);
  }

  /** The run was ended early; the first reason counts. */
  synchronized void stopped(int exitCode, String reason) {
    if (stopCode == 0) {
      stopCode = exitCode;
      stopReason = reason;
    }
  }

  /** Something that is no job's could not be written: standard output, a report. */
  synchronized void outputFailed() {
    outputFailed = true;
  }

  synchronized String stopReason() {
    return stopReason;
  }

  synchronized long provedJobs() {
    return proved;
  }

  synchronized long resumedJobs() {
    return resumed;
  }

  synchronized long droppedJobs() {
    return dropped;
  }

  synchronized long failedJobs() {
    return failures.values().stream().mapToLong(Long::longValue).sum();
  }

  synchronized int exitCode() {
    if (stopCode != 0) {
      return stopCode;
    }
    if (!failures.isEmpty()) {
      boolean all = proved + resumed + dropped == 0;
      if (all && failures.size() == 1) {
        return failures.keySet().iterator().next().exitCode();
      }
      return failures.keySet().stream().anyMatch(FailureClass::retryHelps) ? 12 : 8;
    }
    if (outputFailed) {
      return FailureClass.OUTPUT.exitCode();
    }
    return dropped > 0 ? FailureClass.STOPPED.exitCode() : 0;
  }
}
