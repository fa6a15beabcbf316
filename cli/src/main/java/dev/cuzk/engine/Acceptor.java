package dev.cuzk.engine;

import dev.cuzk.engine.ProofSink.JobOutcome;
import dev.cuzk.engine.ProofSink.ProvedPartition;
import dev.cuzk.proof.Proof;
import dev.cuzk.report.Timeline;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls the {@link ProofSink} from one thread of its own, so that writing holds up neither devices
 * nor verification, and a job's end never overtakes its proofs.
 */
final class Acceptor {
  /** Hears that a group was written, or why it was not; called on the acceptor's thread. */
  interface Listener {
    void accepted(List<PartitionTask> tasks, double secondsEach, JobFailure failure);
  }

  private final ProofSink sink;
  private final Timeline timeline;
  private final Listener listener;
  private final Runnable onEnd;
  private final Scheduler scheduler;
  private final Mailbox mailbox;
  private final List<PartitionTask> gathered = new ArrayList<>();
  private Scheduler.Worker worker;
  private boolean closed;

  /** {@code onEnd} runs after the sink has heard of a job's end. */
  Acceptor(
      ProofSink sink, Scheduler scheduler, Timeline timeline, Listener listener, Runnable onEnd) {
    this.sink = sink;
    this.scheduler = scheduler;
    this.mailbox = new Mailbox("acceptor", scheduler);
    this.timeline = timeline;
    this.listener = listener;
    this.onEnd = onEnd;
  }

  void start() {
    worker = scheduler.start("cuzk-accept", this::run);
  }

  void accept(List<PartitionTask> tasks) {
    mailbox.post(() -> gather(tasks));
  }

  void finished(JobOutcome outcome) {
    mailbox.post(() -> tell(outcome));
  }

  /** Hands over evidence of a device's fault. */
  void keep(ProofSink.Evidence evidence) {
    mailbox.post(() -> sink.faulty(evidence));
  }

  /** Ends the thread after everything handed over was written. */
  void close() throws InterruptedException {
    mailbox.post(() -> closed = true);
    worker.join(0);
  }

  private void run() {
    while (!closed) {
      try {
        mailbox.run(Dispatcher.IDLE_NANOS);
        flush();
      } catch (Throwable bug) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, bug);
      }
    }
  }

  /** What is there when the last group has been written is written together. */
  private void gather(List<PartitionTask> tasks) {
    if (gathered.size() + tasks.size() > Finalizer.MAX_GROUP) {
      flush();
    }
    gathered.addAll(tasks);
  }

  private void flush() {
    if (!gathered.isEmpty()) {
      List<PartitionTask> tasks = List.copyOf(gathered);
      gathered.clear();
      write(tasks);
    }
  }

  private void tell(JobOutcome outcome) {
    flush();
    MeteredLock.slow("telling the sink");
    try {
      sink.finished(outcome);
    } finally {
      onEnd.run();
    }
  }

  private void write(List<PartitionTask> tasks) {
    MeteredLock.slow("writing proofs");
    long start = scheduler.nanoTime();
    List<PartitionTask> wanted = new ArrayList<>(tasks.size());
    List<PartitionTask> late = new ArrayList<>();
    List<ProvedPartition> group = new ArrayList<>(tasks.size());
    for (PartitionTask task : tasks) {
      if (task.job.beginCommit()) {
        wanted.add(task);
        group.add(proved(task));
      } else {
        late.add(task);
      }
    }
    long assembled = scheduler.nanoTime();
    JobFailure failure = null;
    if (!group.isEmpty()) {
      try {
        sink.accept(group);
      } catch (JobFailure notWritten) {
        failure = notWritten;
      } catch (Throwable bug) {
        failure = new JobFailure(FailureClass.INTERNAL, "accepting proofs: " + bug, bug);
      }
    }
    long end = scheduler.nanoTime();
    long assembling = (assembled - start) / tasks.size();
    long share = (end - assembled) / tasks.size();
    for (int i = 0; i < wanted.size(); i++) {
      PartitionTask task = wanted.get(i);
      int index = task.partition.index();
      String name = task.jobName();
      long first = start + assembling * i;
      long then = assembled + share * i;
      stage(EngineStage.ASSEMBLE, task, first, first + assembling);
      stage(EngineStage.WRITE, task, then, then + share);
      timeline.event(Timeline.Event.WRITE_END, name, index, task.device, end);
      task.job.endCommit();
    }
    listener.accepted(wanted, share / 1e9, failure);
    if (!late.isEmpty()) {
      listener.accepted(late, 0, new JobFailure(FailureClass.STOPPED, "its job has ended"));
    }
  }

  private void stage(EngineStage stage, PartitionTask task, long start, long end) {
    timeline.stage(
        stage.stableName(), task.jobName(), task.partition.index(), task.device, start, end);
  }

  private static ProvedPartition proved(PartitionTask task) {
    return new ProvedPartition(
        task.job.job,
        task.partition.index(),
        Proof.fromLittleEndian(task.partition.key().curve(), task.points),
        task.publicInputs,
        task.verified,
        task.times());
  }
}
