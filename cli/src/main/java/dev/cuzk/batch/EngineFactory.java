package dev.cuzk.batch;

import dev.cuzk.engine.Engine;
import dev.cuzk.engine.JobFailure;
import dev.cuzk.engine.ProofSink;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.proof.VerifyingKey;
import dev.cuzk.report.DeviceFacts;
import dev.cuzk.report.EngineFigures.DeviceLoad;
import dev.cuzk.report.Timeline;
import java.util.List;

/** Opens devices and makes the engine, when all cheap checks of the inputs have passed. */
@FunctionalInterface
public interface EngineFactory {
  /**
   * Called once. Whatever it throws ends the run with the exit code of its failure class.
   *
   * @param sink where accepted proofs go
   * @param timeline where the engine's events go
   */
  Engine create(ProofSink sink, Timeline timeline) throws Exception;

  /**
   * Hears of each key that listed inputs are to be proved with, before {@link #create}: which
   * devices are used may depend on the largest one, and how they keep a key on its proofs.
   *
   * @param proofs that a job adds to those of the key; 0 = nothing is known
   */
  default void expect(ProvingKey key, long proofs) {}

  /**
   * Asked for a key that was not among the expected ones, after {@link #create}.
   *
   * @throws JobFailure if the devices would have been refused, had it been; the job fails alone
   */
  default void requireProvable(ProvingKey key) throws JobFailure {}

  /**
   * Does what the first verification under a key needs, if that can be done without a device. May
   * be called on any thread, before {@link #create} too.
   */
  default void prepare(VerifyingKey key) {}

  /**
   * What the report says about the engine's devices, in its order; asked after {@link #create}.
   * Empty: the report knows their names only.
   */
  default List<DeviceFacts> devices() {
    return List.of();
  }

  /**
   * The devices' load now, in the engine's order; called five times a second while the engine runs.
   * Empty: nothing is known.
   */
  default List<DeviceLoad> loads() {
    return List.of();
  }
}
