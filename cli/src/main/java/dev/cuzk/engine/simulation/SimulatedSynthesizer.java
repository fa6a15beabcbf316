package dev.cuzk.engine.simulation;

import dev.cuzk.engine.Scheduler;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.synthesis.Synthesizer;

/** Makes no assignment and takes as long as making one would. */
public record SimulatedSynthesizer(
    CurveId curve, long variables, long hostBytes, double milliseconds, Scheduler scheduler)
    implements Synthesizer {
  @Override
  public void synthesize(Buffer target) {
    try {
      scheduler.sleep((long) (milliseconds * 1e6));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
