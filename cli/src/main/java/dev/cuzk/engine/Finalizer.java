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
import java.util.PriorityQueue;
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
  private final PriorityQueue<PartitionTask> queue =
      new PriorityQueue<>(Comparator.comparing(PartitionTask::order));
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
    lock.lock();
    try {
      tasks.forEach(task -> task.lockWaitNanos = lock.waitedNanos());
      queue.addAll(tasks);
      lock.signal();
    } finally {
      lock.unlock();
    }
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

  private List<PartitionTask> take() {
    lock.lock();
    try {
      while (true) {
        if (queue.isEmpty()) {
          if (closing) {
            return List.of();
          }
          lock.awaitUninterruptibly();
          continue;
        }
        long left = nanosToWait();
        if (left <= 0) {
          return pollGroup();
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
    if (queue.size() >= MAX_GROUP || closing || upstream.get() == 0 || !selfVerify) {
      return 0;
    }
    long now = scheduler.nanoTime();
    long left = GROUP_DELAY_NANOS;
    for (PartitionTask task : queue) {
      boolean small = task.proveSeconds * 1e9 < GROUP_DELAY_NANOS;
      left = Math.min(left, small ? task.provedNanos + GROUP_DELAY_NANOS - now : 0);
    }
    return left;
  }

  private List<PartitionTask> pollGroup() {
    List<PartitionTask> group = new ArrayList<>();
    while (group.size() < MAX_GROUP && !queue.isEmpty()) {
      group.add(queue.poll());
    }
    if (!queue.isEmpty()) {
      lock.signal();
    }
    return group;
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
