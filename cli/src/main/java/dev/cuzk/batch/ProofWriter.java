package dev.cuzk.batch;

import dev.cuzk.engine.FailureClass;
import dev.cuzk.engine.JobFailure;
import dev.cuzk.engine.ProofSink;
import dev.cuzk.format.InputException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Makes accepted proofs durable: a group goes into the journal with one write, then the files of
 * the jobs that it completes get their final names. A file that cannot be written fails its own job
 * only, a journal that cannot be written fails the group.
 */
final class ProofWriter implements ProofSink {
  private final Outputs outputs;
  private final Journal journal;
  private final RunEvents events;
  private final String tool;
  private final Consumer<JobFailure> onFailure;

  /**
   * @param journal null for a run without a folder
   * @param tool version, for kept evidence
   * @param onFailure hears of every job's failure
   */
  ProofWriter(
      Outputs outputs,
      Journal journal,
      RunEvents events,
      String tool,
      Consumer<JobFailure> onFailure) {
    this.tool = tool;
    this.outputs = outputs;
    this.journal = journal;
    this.events = events;
    this.onFailure = onFailure;
  }

  @Override
  public void accept(List<ProvedPartition> group) throws JobFailure {
    List<JournalLine> lines = new ArrayList<>(group.size());
    for (ProvedPartition proved : group) {
      lines.add(line(proved));
    }
    if (journal != null) {
      journal.accept(lines);
    }
    List<JobState> complete = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      ProvedPartition proved = group.get(i);
      JobState state = (JobState) proved.job().attachment();
      state.accepted[proved.partition()] = lines.get(i);
      state.times[proved.partition()] = proved.times();
      events.partition(state.spec.name(), proved.partition(), proved.times(), proved.verified());
      if (state.complete()) {
        complete.add(state);
      }
    }
    if (!complete.isEmpty()) {
      outputs.write(complete);
    }
  }

  private static JournalLine line(ProvedPartition proved) throws JobFailure {
    JobState state = (JobState) proved.job().attachment();
    try {
      return new JournalLine(
          state.spec.name(),
          state.spec.kind(),
          state.source(),
          proved.partition(),
          state.accepted.length,
          proved.verified(),
          RunEvents.now(),
          proved.proof(),
          proved.publicInputs());
    } catch (InputException e) {
      throw new JobFailure(FailureClass.INPUT, e.getMessage(), e);
    }
  }

  @Override
  public void faulty(Evidence evidence) {
    try {
      outputs.keep(EvidenceFile.name(evidence), EvidenceFile.content(evidence, tool));
    } catch (IOException | InputException e) {
      events.warning("evidence of a device's fault could not be kept: " + e.getMessage());
    }
  }

  @Override
  public void finished(JobOutcome outcome) {
    JobState state = (JobState) outcome.job().attachment();
    JobFailure failure =
        outcome.failure() == null && outcome.status() == Status.PROVED
            ? state.writeFailure
            : outcome.failure();
    if (failure != null && outcome.status() != Status.DROPPED) {
      events.failed(state.spec.name(), state.spec.kind(), failure, state, outcome.times());
      onFailure.accept(failure);
    } else if (outcome.status() == Status.PROVED) {
      events.proved(state, outcome.times());
    } else {
      events.dropped(state.spec.name(), state.spec.kind(), state, outcome.times());
    }
  }
}
