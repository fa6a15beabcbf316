package dev.cuzk.engine;

import dev.cuzk.proof.Proof;
import dev.cuzk.proof.VerifyingKey;
import dev.cuzk.report.EngineFigures.LockFigures;
import dev.cuzk.report.Timeline;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Verifies proofs on threads of its own, the best by {@link Order} first. Proofs that come quickly
 * are verified in groups of up to {@value #MAX_GROUP}; one waits for others no longer than the
 * group delay, and not at all when no other is on its way or when it took longer to prove than the
 * delay.
 */
final class Finalizer {
  static final int MAX_GROUP = 64;

  private static final Comparator<PartitionTask> BY_ORDER =
      Comparator.comparing(PartitionTask::order);

  /** How long a small proof, one that is made in less, may wait for others. */
  private static final long GROUP_DELAY_NANOS = 50_000_000;

  /** Hears the verdicts; called on the finalizer's threads. */
  interface Listener {
    /** All valid, or not to be verified. */
    void valid(List<PartitionTask> tasks);

    void invalid(PartitionTask task);

    /** A repetition with the same r and s has come. */
    void diagnosed(PartitionTask task, boolean samePoints, boolean valid);

    void failed(PartitionTask task, Throwable failure);

    void unwanted(PartitionTask task);
  }

  private final ProofChecker checker;
  private final boolean selfVerify;
  private final Timeline timeline;
  private final Listener listener;
  private final AtomicInteger upstream;
  private final Scheduler scheduler;
  private final Processors processors;
  private final int threads;
  private final List<Scheduler.Worker> workers = new ArrayList<>();

  private final MeteredLock lock;

  // Guarded by the lock, under which whole runs change hands: sorting is done outside.
  private List<List<PartitionTask>> runs = new ArrayList<>();
  private int waiting;
  private long dueNanos;
  private boolean closing;

  /** {@code upstream} counts the partitions that may still come. */
  Finalizer(
      EngineOptions options,
      Processors processors,
      ProofChecker checker,
      Timeline timeline,
      AtomicInteger upstream,
      Listener listener) {
    this.processors = processors;
    this.checker = checker;
    this.selfVerify = options.selfVerify();
    this.timeline = timeline;
    this.upstream = upstream;
    this.listener = listener;
    this.scheduler = options.scheduler();
    this.lock = new MeteredLock("finalizer", scheduler);
    this.threads = options.verifyThreads();
  }

  void start() {
    for (int i = 0; i < threads; i++) {
      workers.add(scheduler.start("cuzk-verify-" + i, this::run));
    }
  }

  /** Takes proofs over; they no longer count as on their way. */
  void add(List<PartitionTask> tasks) {
    for (PartitionTask task : tasks) {
      if (task.upstream.compareAndSet(true, false)) {
        upstream.decrementAndGet();
      }
    }
    long due = due(tasks);
    List<PartitionTask> run = List.copyOf(tasks);
    lock.lock();
    try {
      tasks.forEach(task -> task.lockWaitNanos = lock.waitedNanos());
      enqueue(run, due);
    } finally {
      lock.unlock();
    }
  }

  private void enqueue(List<PartitionTask> run, long due) {
    if (waiting == 0 || due - dueNanos < 0) {
      dueNanos = due;
    }
    runs.add(run);
    waiting += run.size();
    lock.signal();
  }

  /** When the first of them has waited for others long enough; one that is not small, at once. */
  private static long due(List<PartitionTask> tasks) {
    long due = dueOf(tasks.get(0));
    for (PartitionTask task : tasks) {
      long own = dueOf(task);
      due = own - due < 0 ? own : due;
    }
    return due;
  }

  private static long dueOf(PartitionTask task) {
    boolean small = task.proveSeconds * 1e9 < GROUP_DELAY_NANOS;
    return task.provedNanos + (small ? GROUP_DELAY_NANOS : 0);
  }

  LockFigures lockFigures() {
    return lock.figures();
  }

  void close() {
    lock.lock();
    try {
      closing = true;
      lock.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean join(long millis) throws InterruptedException {
    long deadline = scheduler.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    boolean ended = true;
    for (Scheduler.Worker worker : workers) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - scheduler.nanoTime());
      ended &= worker.join(Math.max(1, left));
    }
    return ended;
  }

  private void run() {
    while (true) {
      List<PartitionTask> group = take();
      if (group.isEmpty()) {
        return;
      }
      processors.beginVerification();
      try {
        finish(group);
      } finally {
        processors.endVerification();
      }
    }
  }

  /** The best of those that wait; what is more than a group goes back for another thread. */
  private List<PartitionTask> take() {
    List<PartitionTask> all = new ArrayList<>();
    takeAll().forEach(all::addAll);
    all.sort(BY_ORDER);
    if (all.size() <= MAX_GROUP) {
      return all;
    }
    List<PartitionTask> rest = List.copyOf(all.subList(MAX_GROUP, all.size()));
    long due = due(rest);
    lock.lock();
    try {
      enqueue(rest, due);
    } finally {
      lock.unlock();
    }
    return all.subList(0, MAX_GROUP);
  }

  /** Waits until a group is due; empty at the end. */
  private List<List<PartitionTask>> takeAll() {
    lock.lock();
    try {
      while (true) {
        if (waiting == 0) {
          if (closing) {
            return List.of();
          }
          lock.awaitUninterruptibly();
          continue;
        }
        long left = nanosToWait();
        if (left <= 0) {
          List<List<PartitionTask>> taken = runs;
          runs = new ArrayList<>();
          waiting = 0;
          return taken;
        }
        lock.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      return List.of();
    } finally {
      lock.unlock();
    }
  }

  /** How long the proofs that are there may still wait for others. */
  private long nanosToWait() {
    if (waiting >= MAX_GROUP || closing || upstream.get() == 0 || !selfVerify) {
      return 0;
    }
    return Math.min(GROUP_DELAY_NANOS, dueNanos - scheduler.nanoTime());
  }

  private void finish(List<PartitionTask> group) {
    long now = scheduler.nanoTime();
    Map<Object, List<PartitionTask>> byKey = new LinkedHashMap<>();
    for (PartitionTask task : group) {
      if (task.job.ended()) {
        listener.unwanted(task);
        continue;
      }
      event(Timeline.Event.FIN_START, task, now);
      long queued = task.provedNanos + task.lockWaitNanos;
      if (task.lockWaitNanos > 0) {
        stage(EngineStage.LOCK_WAIT, task, task.provedNanos, queued);
      }
      stage(EngineStage.VERIFY_WAIT, task, queued, now);
      byKey.computeIfAbsent(task.partition.key(), key -> new ArrayList<>()).add(task);
    }
    for (List<PartitionTask> tasks : byKey.values()) {
      try {
        verify(tasks);
      } catch (Throwable failure) {
        tasks.forEach(task -> listener.failed(task, failure));
      }
    }
  }

  private void verify(List<PartitionTask> tasks) throws Exception {
    MeteredLock.slow("verifying proofs");
    long start = scheduler.nanoTime();
    boolean[] valid = new boolean[tasks.size()];
    if (selfVerify) {
      VerifyingKey key = tasks.get(0).partition.key().verifyingKey();
      List<Proof> proofs = new ArrayList<>(tasks.size());
      List<List<BigInteger>> publicInputs = new ArrayList<>(tasks.size());
      for (PartitionTask task : tasks) {
        proofs.add(Proof.fromLittleEndian(key.curve(), task.points));
        publicInputs.add(task.publicInputs);
        event(Timeline.Event.FIN_END, task, scheduler.nanoTime());
      }
      valid = checker.check(key, proofs, publicInputs);
    } else {
      Arrays.fill(valid, true);
    }
    long end = scheduler.nanoTime();
    List<PartitionTask> good = new ArrayList<>(tasks.size());
    for (int i = 0; i < tasks.size(); i++) {
      PartitionTask task = tasks.get(i);
      long share = (end - start) / tasks.size();
      task.verifySeconds += share / 1e9;
      event(Timeline.Event.VERIFY_END, task, end);
      stage(EngineStage.VERIFY, task, start + share * i, start + share * (i + 1));
      task.verified = selfVerify && valid[i];
      if (task.purpose == PartitionTask.Purpose.DIAGNOSE) {
        boolean same = Arrays.equals(task.points, task.diagnosedPoints);
        listener.diagnosed(task, same, valid[i]);
      } else if (valid[i]) {
        good.add(task);
      } else {
        listener.invalid(task);
      }
    }
    if (!good.isEmpty()) {
      listener.valid(good);
    }
  }

  private void event(Timeline.Event event, PartitionTask task, long nanos) {
    timeline.event(event, task.jobName(), task.partition.index(), task.device, nanos);
  }

  private void stage(EngineStage stage, PartitionTask task, long start, long end) {
    timeline.stage(
        stage.stableName(), task.jobName(), task.partition.index(), task.device, start, end);
  }
}
