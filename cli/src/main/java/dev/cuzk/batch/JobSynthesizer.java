package dev.cuzk.batch;

import dev.cuzk.circuit.ConstraintCheck;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.ScalarTarget;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;

/**
 * A job's synthesizer as the engine sees it: takes the input's digest for the journal, makes the
 * assignment, and looks for a broken constraint where a constraint system is known.
 */
final class JobSynthesizer implements Synthesizer {
  private final JobSpec spec;
  private final Synthesizer synthesizer;
  private final InputDigest digest;

  JobSynthesizer(JobSpec spec, int partition, InputDigest digest) {
    this.spec = spec;
    this.synthesizer = spec.partitions().get(partition);
    this.digest = digest;
  }

  @Override
  public CurveId curve() {
    return synthesizer.curve();
  }

  @Override
  public long variables() {
    return synthesizer.variables();
  }

  @Override
  public long hostBytes() {
    return synthesizer.hostBytes();
  }

  @Override
  public boolean forks() {
    return spec.system() != null || synthesizer.forks();
  }

  /** Constraints are checked against the plain form. */
  @Override
  public long packedBytes() {
    return spec.system() == null ? synthesizer.packedBytes() : 0;
  }

  @Override
  public void synthesize(ScalarTarget target) throws InputException, UnsatisfiedException {
    digest.get();
    synthesizer.synthesize(target);
  }

  @Override
  public void synthesize(Buffer target) throws InputException, UnsatisfiedException {
    digest.get();
    synthesizer.synthesize(target);
    if (spec.system() != null) {
      requireSatisfied(spec.system().constraints(), target);
    }
  }

  private void requireSatisfied(Constraints constraints, Buffer assignment)
      throws InputException, UnsatisfiedException {
    ForkJoinPool current = ForkJoinTask.getPool();
    ForkJoinPool pool = current == null ? new ForkJoinPool(1) : current;
    try {
      Optional<ConstraintCheck.Failure> failure =
          ConstraintCheck.firstFailure(constraints, assignment, pool);
      if (failure.isPresent()) {
        throw new UnsatisfiedException(
            spec.inputName()
                + ": the witness does not satisfy "
                + constraints.name()
                + ": "
                + failure.get().describe());
      }
    } finally {
      if (pool != current) {
        pool.shutdown();
      }
    }
  }
}
