package dev.cuzk.batch;

import dev.cuzk.engine.Engine;
import dev.cuzk.engine.EngineSnapshot;
import dev.cuzk.engine.EngineSummary;
import dev.cuzk.engine.Job;
import java.time.Duration;

/** The engine as a run uses it. */
interface RunningEngine {
  /** As {@link Engine#submit}. */
  void submit(Job job) throws InterruptedException;

  /** As {@link Engine#snapshot}. */
  EngineSnapshot snapshot();

  /** As {@link Engine#reserved}. */
  EngineSnapshot.Reserved reserved();

  /** As {@link Engine#stop}. */
  void stop(Duration grace, String reason);

  /** As {@link Engine#finishAndClose}. */
  EngineSummary finishAndClose() throws InterruptedException;

  static RunningEngine of(Engine engine) {
    return new RunningEngine() {
      @Override
      public void submit(Job job) throws InterruptedException {
        engine.submit(job);
      }

      @Override
      public EngineSnapshot snapshot() {
        return engine.snapshot();
      }

      @Override
      public EngineSnapshot.Reserved reserved() {
        return engine.reserved();
      }

      @Override
      public void stop(Duration grace, String reason) {
        engine.stop(grace, reason);
      }

      @Override
      public EngineSummary finishAndClose() throws InterruptedException {
        return engine.finishAndClose();
      }
    };
  }
}
