package dev.cuzk.batch;

import dev.cuzk.engine.JobFailure;
import dev.cuzk.engine.ProofSink.PartitionTimes;
import dev.cuzk.format.InputException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A job on its way through a run: what was accepted of it, and how writing it went. Used by one
 * thread at a time (the runner before it is submitted, the sink from then on).
 */
final class JobState {
  /** Sequence number in the run. */
  final long sequence;

  final JobSpec spec;
  final InputDigest inputDigest;

  /** By partition; null = not yet. */
  final JournalLine[] accepted;

  /** By partition; null = not proved in this run. */
  final PartitionTimes[] times;

  /** Where its files are, once they have their final names. */
  List<String> files = List.of();

  /** Why its files could not be written; null = they could. */
  JobFailure writeFailure;

  JobState(long sequence, JobSpec spec) {
    int partitions = spec.partitions().size();
    this.sequence = sequence;
    this.spec = spec;
    this.inputDigest = new InputDigest(spec);
    this.accepted = new JournalLine[partitions];
    this.times = new PartitionTimes[partitions];
  }

  boolean complete() {
    for (JournalLine line : accepted) {
      if (line == null) {
        return false;
      }
    }
    return true;
  }

  /** Partitions that are not accepted yet. */
  long open() {
    return Arrays.stream(accepted).filter(Objects::isNull).count();
  }

  /** Public inputs of all partitions together; 0 before they are known. */
  int publicCount() {
    int count = 0;
    for (JournalLine line : accepted) {
      count += line == null ? 0 : line.publicInputs().size();
    }
    return count;
  }

  /** What its proofs are made from; reads the files whose digests are not known yet. */
  JournalLine.Source source() throws InputException {
    return new JournalLine.Source(
        inputDigest.get(),
        spec.program() == null ? null : spec.program().sha256(),
        spec.key().sha256(),
        spec.key().verifyingKeySha256());
  }
}
