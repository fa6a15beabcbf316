package dev.cuzk.engine;

import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.engine.Admission.Need;
import dev.cuzk.report.EngineFigures.LockFigures;
import dev.cuzk.report.Timeline;
import dev.cuzk.synthesis.Synthesizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves jobs on a fixed set of devices: admits partitions by what they need, makes their
 * assignments, proves them, verifies the proofs and hands them to a {@link ProofSink}.
 *
 * <p>The way of a partition: {@link Admission} reserves everything it needs at once and chooses a
 * device; {@link SynthesisPool} makes the assignment; the device's {@link DeviceExecutor} proves
 * it; {@link Finalizer} verifies the proof; {@link Acceptor} hands it to the sink. {@link
 * Dispatcher} decides, {@link Routing} moves partitions between devices, {@link Repeats} says what
 * a wrong proof means.
 *
 * <p>The engine owns the backends it is given and closes them. Keys belong to the caller and stay
 * open until {@link #finishAndClose} has returned.
 */
public final class Engine {
  /** Submitting blocks while this many jobs wait. */
  public static final int MAX_WAITING_JOBS = 1_000;

  private final Dispatcher dispatcher;
  private final Scheduler scheduler;
  private final long startNanos;
  private final MeteredLock lock;
  private long jobsWaiting;
  private long jobsSubmitted;
  private long jobsEnded;
  private EngineSummary summary;

  /**
   * Makes an engine and starts its threads.
   *
   * @param backends the devices, at least one; their positions number them in results
   * @param repeatBackend opens the CPU when a proof of a GPU must be repeated; null = there is none
   */
  public Engine(
      EngineOptions options,
      List<? extends Backend> backends,
      Backend.Opener repeatBackend,
      ProofChecker checker,
      ProofSink sink,
      Timeline timeline) {
    if (backends.isEmpty()) {
      throw new IllegalArgumentException("an engine has at least one device");
    }
    scheduler = options.scheduler();
    startNanos = scheduler.nanoTime();
    lock = new MeteredLock("engine", scheduler);
    dispatcher =
        new Dispatcher(options, backends, repeatBackend, checker, sink, timeline, new Progress());
    dispatcher.start();
  }

  /**
   * Adds a job; blocks while {@link #MAX_WAITING_JOBS} wait. After a stop the job is reported as
   * dropped at once. Every job submitted ends in exactly one {@link ProofSink#finished}.
   */
  public void submit(Job job) throws InterruptedException {
    long submission;
    lock.lockInterruptibly();
    try {
      if (summary != null) {
        throw new IllegalStateException("the engine is closed");
      }
      while (jobsWaiting >= MAX_WAITING_JOBS && dispatcher.accepting()) {
        lock.await();
      }
      jobsWaiting++;
      submission = jobsSubmitted++;
    } finally {
      lock.unlock();
    }
    JobState state = new JobState(job, scheduler.nanoTime());
    List<PartitionTask> tasks = new ArrayList<>(job.partitions().size());
    JobFailure refused = null;
    try {
      for (Partition partition : job.partitions()) {
        tasks.add(task(state, partition, submission));
      }
    } catch (JobFailure failure) {
      refused = failure;
    }
    JobFailure failure = refused;
    dispatcher.post(() -> dispatcher.submitted(state, tasks, failure));
  }

  private PartitionTask task(JobState state, Partition partition, long submission)
      throws JobFailure {
    check(state.job, partition);
    List<Need> needs = new ArrayList<>();
    for (DeviceState device : dispatcher.devices()) {
      try {
        if (!device.repeatOnly) {
          needs.add(device.need(partition));
        }
      } catch (DeviceException failure) {
        throw new JobFailure(FailureClass.of(failure), failure.getMessage(), failure);
      }
    }
    Order order =
        new Order(state.job.priority(), state.job.sequence(), partition.index(), submission);
    return new PartitionTask(state, partition, order, needs);
  }

  private static void check(Job job, Partition partition) throws JobFailure {
    Synthesizer synthesizer = partition.synthesizer();
    if (synthesizer.curve() != partition.key().curve()) {
      throw new JobFailure(
          FailureClass.INPUT,
          job.name()
              + ": the input is for "
              + synthesizer.curve()
              + ", the key "
              + partition.key().path()
              + " for "
              + partition.key().curve());
    }
    long variables = synthesizer.variables();
    if (variables >= 0 && variables != partition.key().variables()) {
      throw new JobFailure(
          FailureClass.INPUT,
          job.name()
              + ": the witness has "
              + variables
              + " values, the key "
              + partition.key().path()
              + " wants "
              + partition.key().variables()
              + ": they belong to different circuits");
    }
  }

  private final class Progress implements Dispatcher.Progress {
    @Override
    public void begun() {
      change(() -> jobsWaiting--);
    }

    @Override
    public void ended() {
      change(() -> jobsEnded++);
    }

    @Override
    public void stopping() {
      change(() -> {});
    }

    private void change(Runnable action) {
      lock.lock();
      try {
        action.run();
        lock.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Returns when the sink has heard of the end of every job submitted so far. */
  public void awaitIdle() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (jobsEnded < jobsSubmitted) {
        lock.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Where the run stands; cheap, callable from any thread at any time. */
  public EngineSnapshot snapshot() {
    long submitted;
    long waiting;
    lock.lock();
    try {
      submitted = jobsSubmitted;
      waiting = jobsWaiting;
    } finally {
      lock.unlock();
    }
    return new EngineSnapshot(
        submitted,
        dispatcher.jobsProved,
        dispatcher.jobsFailed,
        dispatcher.jobsDropped,
        waiting,
        dispatcher.partitionsInFlight,
        dispatcher.partitionsProved,
        dispatcher.stopping,
        deviceSnapshots());
  }

  /** What is reserved now; cheaper than {@link #snapshot}, callable from any thread at any time. */
  public EngineSnapshot.Reserved reserved() {
    return dispatcher.reserved;
  }

  private List<EngineSnapshot.DeviceSnapshot> deviceSnapshots() {
    return dispatcher.devices().stream().map(device -> device.snapshot(startNanos)).toList();
  }

  /**
   * Stops the run: jobs that have not begun are dropped at once, no partition begins any more, and
   * what still runs when the grace time is over is cancelled and dropped. Returns at once; a second
   * call cancels what runs immediately. Safe to call from a signal handler's thread.
   *
   * @param reason for the summary, for example {@code SIGTERM}
   */
  public void stop(Duration grace, String reason) {
    dispatcher.post(() -> dispatcher.stop(grace, reason));
  }

  /**
   * No more jobs come: waits until every job has ended, then closes keys, buffers and backends.
   * After a stop it returns within the grace time and one second more, even if a native call does
   * not come back.
   */
  public EngineSummary finishAndClose() throws InterruptedException {
    dispatcher.post(dispatcher::closeWhenDone);
    dispatcher.join();
    EngineSummary result =
        new EngineSummary(
            jobsSubmitted,
            dispatcher.jobsProved,
            dispatcher.jobsFailed,
            dispatcher.jobsDropped,
            dispatcher.stopReason,
            dispatcher.abandoned,
            dispatcher.devices().stream().mapToLong(one -> one.executor.uploadedBytes()).sum(),
            deviceSnapshots(),
            dispatcher.keyLoads(),
            lockFigures());
    lock.lock();
    try {
      summary = result;
    } finally {
      lock.unlock();
    }
    return result;
  }

  private List<LockFigures> lockFigures() {
    List<LockFigures> figures = new ArrayList<>(List.of(lock.figures()));
    figures.addAll(dispatcher.lockFigures());
    return figures;
  }

  /** What was taken and not given back; all zero after a run that was not abandoned. */
  record Leaks(long reservedBytes, int buffers, int partitions, int keys) {}

  Leaks leaks() {
    int buffers = 0;
    int keys = 0;
    for (DeviceState device : dispatcher.devices()) {
      buffers += device.executor.pool().inUse();
      keys += device.executor.openKeys();
    }
    return new Leaks(dispatcher.reservedAtEnd, buffers, dispatcher.partitionsInFlight, keys);
  }
}
