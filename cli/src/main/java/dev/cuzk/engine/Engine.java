package dev.cuzk.engine;

import dev.cuzk.device.Backend;
import dev.cuzk.report.Timeline;
import java.time.Duration;
import java.util.List;

/**
 * Proves jobs on a fixed set of devices: admits partitions by what they need, makes their
 * assignments, proves them, verifies the proofs and hands them to a {@link ProofSink}.
 *
 * <p>The engine owns the backends it is given and closes them. Keys belong to the caller and stay
 * open until {@link #finishAndClose} has returned.
 */
public final class Engine {
  /** Submitting blocks while this many jobs wait. */
  public static final int MAX_WAITING_JOBS = 1_000;

  public Engine(
      EngineOptions options,
      List<? extends Backend> backends,
      Backend.Opener repeatBackend,
      ProofChecker checker,
      ProofSink sink,
      Timeline timeline) {
    throw new UnsupportedOperationException("not built yet");
  }

  /**
   * Adds a job; blocks while {@link #MAX_WAITING_JOBS} wait. After a stop the job is reported as
   * dropped at once. Every job submitted ends in exactly one {@link ProofSink#finished}.
   */
  public void submit(Job job) throws InterruptedException {
    throw new UnsupportedOperationException("not built yet");
  }

  /** Where the run stands; cheap, callable from any thread at any time. */
  public EngineSnapshot snapshot() {
    throw new UnsupportedOperationException("not built yet");
  }

  /**
   * Stops the run: jobs that have not begun are dropped at once, no partition begins any more, and
   * what still runs when the grace time is over is cancelled and dropped. Returns at once; a second
   * call cancels what runs immediately. Safe to call from a signal handler's thread.
   *
   * @param reason for the summary, for example {@code SIGTERM}
   */
  public void stop(Duration grace, String reason) {
    throw new UnsupportedOperationException("not built yet");
  }

  /**
   * No more jobs come: waits until every job has ended, then closes keys, buffers and backends.
   * After a stop it returns within the grace time and one second more, even if a native call does
   * not come back.
   */
  public EngineSummary finishAndClose() throws InterruptedException {
    throw new UnsupportedOperationException("not built yet");
  }
}
