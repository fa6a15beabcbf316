package dev.cuzk.batch;

import dev.cuzk.report.JobReport;
import java.util.List;

/**
 * Hears what a run has to tell; the command prints it as text or as JSON lines. Calls come one at a
 * time, from several threads. Times are seconds, {@code time} is seconds since 1970.
 */
public interface BatchListener {
  /** A line for the user that is no error. */
  default void warning(String message) {}

  default void started(Started line) {}

  /** A key is read whole for its digest; bytes, as {@link Reading} has them. */
  default void reading(String file, long done, long total) {}

  /** A partition was accepted. */
  default void partition(PartitionLine line) {}

  /** A job came to its end; if it has files, they have their final names. */
  default void job(JobLine line) {}

  /** A job's failure, or the run's; one line for the user. */
  default void error(ErrorLine line) {}

  /** The last call of a run that ends by itself. */
  default void summary(Summary line) {}

  /**
   * A run that was to stop waits for an input that may never come, a pipe that nobody writes to; it
   * has proved nothing, and only the process's end ends it. Comes after the summary.
   */
  default void abandoned(int exitCode) {}

  /**
   * Whether standard output could not be written: the run goes on and ends with exit code 9. Asked
   * once, before the summary.
   */
  default boolean outputFailed() {
    return false;
  }

  /** How a job ended, as the contract's {@code status}. */
  enum JobStatus {
    PROVED,
    RESUMED,
    FAILED,
    DROPPED
  }

  /**
   * The first line of a run.
   *
   * @param jobs known jobs; −1 where a list is still being read
   * @param out output folder as given; null for a pair of files
   * @param devices names in index order
   */
  record Started(double time, String version, long jobs, String out, List<String> devices) {}

  /**
   * A job's end.
   *
   * @param sequence position of the line in the run, from 0
   * @param exitClass 0 unless it failed or was dropped
   * @param files result files, as the folder was given
   * @param error null unless it failed
   */
  record JobLine(
      double time,
      long sequence,
      String name,
      String kind,
      JobStatus status,
      int exitClass,
      List<String> files,
      int publicCount,
      JobReport.Times seconds,
      String error) {}

  /** A partition's acceptance. */
  record PartitionLine(
      double time, String name, int partition, int device, int attempts, boolean verified) {}

  /**
   * A failure.
   *
   * @param name the job's; null for the run's
   * @param failure for a stack trace on request; null where there is none
   */
  record ErrorLine(double time, String name, int exitClass, String message, Throwable failure) {}

  /**
   * The last line of a run.
   *
   * @param jobs all that came to an end
   * @param report path of the report; null if none was written
   */
  record Summary(
      double time,
      long jobs,
      long proved,
      long resumed,
      long failed,
      long dropped,
      double wallSeconds,
      double proofsPerMinute,
      String report,
      int exitCode) {}
}
