package dev.cuzk.engine;

import dev.cuzk.proof.Proof;
import dev.cuzk.report.JobReport;
import java.math.BigInteger;
import java.util.List;

/**
 * Where accepted proofs go; implemented by {@code batch}. Called on finalizer threads, one call at
 * a time.
 */
public interface ProofSink {
  /**
   * Makes a group of 1 … 64 verified partitions durable: journal first, and the proof files of the
   * jobs that are complete with it. When it returns, a kill loses none of them.
   *
   * @throws JobFailure with class OUTPUT if something could not be written
   */
  void accept(List<ProvedPartition> group) throws JobFailure;

  /** The job's end: after its last partition was accepted, or when it failed or was dropped. */
  void finished(JobOutcome outcome);

  /**
   * A device proved a partition wrongly whose witness is good: evidence to be kept. Called like
   * {@link #accept}; failing to keep it fails nothing.
   */
  default void faulty(Evidence evidence) {}

  /**
   * A wrong proof. It holds nothing secret: no witness, no randomness.
   *
   * @param device position in the engine's list
   * @param faults of this device so far
   * @param points A, B, C as the device gave them, affine little-endian coordinates
   * @param publicInputs values of assignment indices 1 … n
   */
  record Evidence(
      Job job,
      int partition,
      int device,
      String deviceName,
      String deviceUuid,
      int faults,
      byte[] points,
      List<BigInteger> publicInputs) {}

  /**
   * A partition's proof.
   *
   * @param publicInputs values of assignment indices 1 … n, each in [0, r)
   * @param verified false only under {@code --no-self-verify}
   */
  record ProvedPartition(
      Job job,
      int partition,
      Proof proof,
      List<BigInteger> publicInputs,
      boolean verified,
      PartitionTimes times) {}

  /**
   * Where a partition's time went, in seconds, and on which device (position in the engine's list;
   * −1 unknown).
   */
  record PartitionTimes(
      int device, int attempts, double queued, double synthesis, double prove, double verify) {}

  /** How a job ended. */
  enum Status {
    PROVED,
    FAILED,
    /** Never started, or given up because the run was stopped. */
    DROPPED
  }

  /**
   * A job's end.
   *
   * @param failure null when it was proved
   * @param times sums over its partitions; total is wall time from submission
   */
  record JobOutcome(Job job, Status status, JobFailure failure, JobReport.Times times) {}
}
