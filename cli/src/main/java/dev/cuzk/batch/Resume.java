package dev.cuzk.batch;

import dev.cuzk.engine.JobFailure;
import dev.cuzk.format.InputException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides from the journal what of a job is done. A job is done when the journal holds accepted
 * proofs of all its partitions for the same name, input, program and key; its files are then made
 * again from the journal if they are missing or differ.
 */
final class Resume {
  private final Journal journal;
  private final Outputs outputs;
  private final boolean overwrite;
  private final boolean selfVerify;

  Resume(Journal journal, Outputs outputs, boolean overwrite, boolean selfVerify) {
    this.journal = journal;
    this.outputs = outputs;
    this.overwrite = overwrite;
    this.selfVerify = selfVerify;
  }

  /**
   * Puts what is already accepted into the job's state.
   *
   * @return whether nothing of it is left to prove
   * @throws UsageException if the name stands for another input or key
   */
  boolean restore(JobState job) throws UsageException, InputException {
    Optional<Journal.Entry> entry = journal.find(job.spec.name());
    if (entry.isEmpty()) {
      return false;
    }
    JournalLine.Source source = job.source();
    if (!entry.get().source().sameAs(source)) {
      if (!overwrite) {
        throw new UsageException(different(job, entry.get().source(), source));
      }
      return false;
    }
    if (entry.get().partitions() != job.accepted.length) {
      return false;
    }
    for (JournalLine line : journal.read(entry.get())) {
      // A proof accepted under --no-self-verify does not count in a run that verifies.
      if (line.verified() || !selfVerify) {
        job.accepted[line.partition()] = line;
      }
    }
    return job.complete();
  }

  private static String different(JobState job, JournalLine.Source before, JournalLine.Source now) {
    List<String> what = new ArrayList<>();
    if (!before.input().equals(now.input())) {
      what.add("input");
    }
    if (!before.hasKeyOf(now)) {
      what.add("key");
    }
    if (what.isEmpty()) {
      what.add("program");
    }
    return job.spec.source()
        + ": the output folder has a proof named \""
        + job.spec.name()
        + "\" from another "
        + String.join(" and ", what)
        + ". Use --overwrite to replace it, or another --out.";
  }

  /** Makes the files of a job that is done, unless they are there. */
  void materialise(JobState job) throws JobFailure {
    try {
      if (outputs.upToDate(job)) {
        return;
      }
    } catch (IOException e) {
      throw Failures.unwritable(outputs.filesOf(job.spec).get(0), e);
    }
    outputs.write(List.of(job));
    if (job.writeFailure != null) {
      throw job.writeFailure;
    }
  }
}
