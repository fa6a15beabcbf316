package dev.cuzk.batch;

import dev.cuzk.engine.Job;
import dev.cuzk.report.EngineFigures;
import java.time.Duration;

/** What a batch needs of an engine. */
public interface JobRunner extends AutoCloseable {
  /** Takes a job; blocks while too many wait. Every job taken comes to its end in the sink. */
  void submit(Job job) throws InterruptedException;

  /** Returns when every job taken has come to its end. */
  void awaitIdle() throws InterruptedException;

  /**
   * Takes no new work; what runs is finished or given up within the grace time. Jobs that were not
   * finished end as dropped. Returns at once.
   */
  void stop(Duration grace);

  /** What was measured so far. */
  EngineFigures figures();

  @Override
  void close();
}
