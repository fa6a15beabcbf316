package dev.cuzk.batch;

import dev.cuzk.engine.ProofSink;
import dev.cuzk.report.Timeline;

/** Opens devices and makes the engine, when all cheap checks of the inputs have passed. */
@FunctionalInterface
public interface EngineFactory {
  /**
   * Whatever it throws ends the run with the exit code of its failure class.
   *
   * @param sink where accepted proofs go
   * @param timeline where the engine's events go
   */
  JobRunner create(ProofSink sink, Timeline timeline) throws Exception;
}
