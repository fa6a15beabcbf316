package dev.cuzk.engine;

import dev.cuzk.device.Backend;
import dev.cuzk.device.Backend.LoadedKey;
import dev.cuzk.device.Backend.ProofRequest;
import dev.cuzk.device.Backend.ProofResult;
import dev.cuzk.device.Backend.ProofTask;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.DeviceStatus;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.report.EngineFigures.LockFigures;
import dev.cuzk.report.Timeline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * The one thread that works with a device: it loads and closes keys and proves what is in its
 * queue, the best by {@link Order} first. Small proofs of one key go to the device together.
 * Results leave at once for the finalizer, so that nothing slow stands between two submissions.
 * Where a plan has room for several proofs, a second submission of the same key is on the device
 * before the first is done; for anything else the device must have nothing under way.
 */
final class DeviceExecutor {
  /** Hears what became of partitions; called on the executor's thread, must be quick. */
  interface Listener {
    void proved(List<PartitionTask> tasks, int device, double seconds);

    void failed(PartitionTask task, Throwable failure);

    /** Its job has ended: nobody wants it any more. */
    void unwanted(PartitionTask task);

    /** The device cannot hold it, although it was admitted: another process took the memory. */
    void outOfMemory(PartitionTask task, int device, DeviceException failure);

    /** The device answers nothing any more; these partitions were on it. */
    void lost(int device, DeviceException failure, List<PartitionTask> tasks);

    /** A GPU begins, or has ended, to load a key, which takes threads of the CPU. */
    void copying(int device, boolean begins);

    void keyLoaded(ProvingKey key, int device, double seconds);

    void keyClosed(PlannedKey key, int device);
  }

  /** Small proofs go together as long as they take no longer than this. */
  private static final double BATCH_SECONDS = 0.05;

  /** So many submissions are on the device at once, if the plan has room for several proofs. */
  private static final int SUBMISSIONS = 2;

  private record Failed(List<PartitionTask> partitions, DeviceException failure) {
    Failed and(Failed other) {
      List<PartitionTask> both = new ArrayList<>(partitions);
      both.addAll(other.partitions);
      return new Failed(both, failure);
    }
  }

  private final int index;
  private final Backend backend;
  private final boolean cpu;
  private final Processors processors;
  private final String name;
  private final WitnessPool pool;
  private final Timeline timeline;
  private final DeviceTimes times;
  private final Listener listener;
  private final Scheduler scheduler;
  private Scheduler.Worker worker;

  private final MeteredLock lock;
  private final PriorityQueue<PartitionTask> queue =
      new PriorityQueue<>(Comparator.comparing(PartitionTask::order));
  private final ArrayDeque<Runnable> commands = new ArrayDeque<>();

  /**
   * Keys that will be wanted, and have memory reserved; loaded while there is nothing else to do.
   */
  private final Map<PlannedKey, PartitionTask> expected = new LinkedHashMap<>();

  private boolean accepting = true;
  private boolean closing;

  // Of the executor's thread alone.
  private final DeviceKeys keys;
  private final Map<PlannedKey, Double> secondsPerProof = new HashMap<>();

  /** What is on the device, the oldest first; written by the executor's thread alone. */
  private volatile List<Submission> underWay = List.of();

  private volatile PartitionTask current;
  private volatile EngineStage stage;
  private volatile long busySinceNanos;
  private volatile long busyNanos;
  private volatile long proofs;
  private volatile long uploadedBytes;

  DeviceExecutor(
      int index,
      Backend backend,
      WitnessPool pool,
      Processors processors,
      Scheduler scheduler,
      Timeline timeline,
      Listener listener) {
    this.scheduler = scheduler;
    this.index = index;
    this.lock = new MeteredLock("device " + index, scheduler);
    this.backend = backend;
    this.cpu = backend.description().isCpu();
    this.processors = processors;
    this.name = backend.description().name();
    this.pool = pool;
    this.timeline = timeline;
    this.times = new DeviceTimes(timeline, index);
    this.keys = new DeviceKeys(index, backend, scheduler, timeline, listener);
    this.listener = listener;
  }

  void start() {
    worker = scheduler.start("cuzk-device-" + index, this::run);
  }

  WitnessPool pool() {
    return pool;
  }

  Backend backend() {
    return backend;
  }

  /** Queues a partition whose assignment is ready; false if this device takes nothing any more. */
  boolean enqueue(PartitionTask task) {
    int taskIndex = task.partition.index();
    timeline.event(
        Timeline.Event.GPU_QUEUE, task.jobName(), taskIndex, index, scheduler.nanoTime());
    lock.lock();
    try {
      if (accepting) {
        queue.add(task);
        lock.signal();
      }
      return accepting;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Tells of a partition whose assignment is being made, so that its key can be loaded meanwhile.
   */
  void expect(PartitionTask task) {
    if (cpu) {
      return;
    }
    lock.lock();
    try {
      expected.put(task.plannedKey(), task);
      lock.signal();
    } finally {
      lock.unlock();
    }
  }

  private void load(PlannedKey key, PartitionTask task) {
    if (task.job.ended()) {
      return;
    }
    stage = EngineStage.KEY_LOAD;
    try {
      keys.loaded(key, task);
    } catch (Throwable later) {
      // Whoever needs the key meets it again, with a partition to answer for it.
    } finally {
      stage = null;
    }
  }

  /** Closes a key that no admitted partition uses. */
  void evict(PlannedKey key) {
    lock.lock();
    expected.remove(key);
    lock.unlock();
    command(
        () -> {
          keys.close(key);
          listener.keyClosed(key, index);
        });
  }

  private void command(Runnable command) {
    lock.lock();
    try {
      commands.add(command);
      lock.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Takes matching partitions out of the queue. */
  List<PartitionTask> remove(Predicate<PartitionTask> condition) {
    lock.lock();
    try {
      List<PartitionTask> removed = queue.stream().filter(condition).toList();
      queue.removeAll(removed);
      return removed;
    } finally {
      lock.unlock();
    }
  }

  /** What is queued, the next first. */
  List<PartitionTask> queued() {
    List<PartitionTask> tasks;
    lock.lock();
    try {
      tasks = new ArrayList<>(queue);
    } finally {
      lock.unlock();
    }
    tasks.sort(Comparator.comparing(PartitionTask::order));
    return tasks;
  }

  /** Of the partitions under way, in the measure of {@link Admission.Need#work}. */
  long runningWork() {
    long work = 0;
    for (Submission each : underWay) {
      for (PartitionTask task : each.partitions) {
        work += task.processing.need().work();
      }
    }
    return work;
  }

  /** What the partitions under way have taken so far, for their work; 0 if there are none. */
  double runningSecondsPerByte() {
    List<Submission> now = underWay;
    long work = runningWork();
    return work == 0 || now.isEmpty()
        ? 0
        : (scheduler.nanoTime() - now.get(0).startNanos) / 1e9 / work;
  }

  /** Takes nothing any more and gives up what is queued. */
  List<PartitionTask> refuse() {
    lock.lock();
    try {
      accepting = false;
      List<PartitionTask> removed = new ArrayList<>(queue);
      queue.clear();
      expected.clear();
      return removed;
    } finally {
      lock.unlock();
    }
  }

  /** Cancels submissions under way if nobody wants any of their partitions. */
  void cancelUnwanted() {
    for (Submission each : underWay) {
      if (each.partitions.stream().allMatch(task -> task.job.ended())) {
        each.task.cancel();
      }
    }
  }

  /** Ends a key that is being loaded, too. */
  void interrupt() {
    worker.interrupt();
  }

  /** Ends the thread, which closes keys, idle buffers and the device. */
  void close() {
    lock.lock();
    try {
      closing = true;
      lock.signal();
    } finally {
      lock.unlock();
    }
  }

  boolean join(long millis) throws InterruptedException {
    return worker.join(millis);
  }

  LockFigures lockFigures() {
    return lock.figures();
  }

  long uploadedBytes() {
    return uploadedBytes;
  }

  int openKeys() {
    return keys.open();
  }

  EngineSnapshot.DeviceSnapshot snapshot(long startNanos, String state, int faults) {
    PartitionTask now = current;
    EngineStage doing = stage;
    long time = scheduler.nanoTime();
    long busy = busyNanos + (now == null ? 0 : time - busySinceNanos);
    int queued;
    lock.lock();
    try {
      queued = queue.size();
    } finally {
      lock.unlock();
    }
    String shown = doing == null ? "idle" : doing.stableName();
    return new EngineSnapshot.DeviceSnapshot(
        index,
        name,
        now == null ? "" : now.jobName(),
        now == null ? 0 : now.partition.index(),
        state.isEmpty() ? shown : state,
        Math.min(1, (double) busy / Math.max(1, time - startNanos)),
        queued,
        proofs,
        faults);
  }

  private void run() {
    while (true) {
      Runnable command = null;
      List<PartitionTask> batch = List.of();
      lock.lock();
      try {
        while (isIdle() && expected.isEmpty() && !closing) {
          lock.awaitUninterruptibly();
        }
        if (isIdle() && !closing) {
          Map.Entry<PlannedKey, PartitionTask> next = expected.entrySet().iterator().next();
          expected.remove(next.getKey());
          command = () -> load(next.getKey(), next.getValue());
        } else if (underWay.isEmpty()) {
          command = commands.poll();
        }
        if (command == null && commands.isEmpty() && mayFollow(queue.peek())) {
          batch = pollBatch();
        }
      } finally {
        lock.unlock();
      }
      if (command != null) {
        command.run();
      } else if (!batch.isEmpty()) {
        start(batch);
      } else if (!underWay.isEmpty()) {
        finish(List.of());
      } else {
        break;
      }
    }
    keys.closeAllBut(null);
    pool.drop();
    if (pool.inUse() == 0) {
      backend.close();
    }
  }

  private boolean isIdle() {
    return commands.isEmpty() && queue.isEmpty() && underWay.isEmpty();
  }

  /** Whether a partition may go to the device before what is there is done. */
  private boolean mayFollow(PartitionTask next) {
    if (next == null) {
      return false;
    }
    List<Submission> now = underWay;
    return now.isEmpty()
        || (now.size() < SUBMISSIONS
            && now.get(0).key().equals(next.plannedKey())
            && next.plannedKey().plan().residentKey()
            && next.plannedKey().plan().batch() > 1);
  }

  private List<PartitionTask> pollBatch() {
    PartitionTask first = queue.poll();
    if (first == null) {
      return List.of();
    }
    List<PartitionTask> batch = new ArrayList<>(List.of(first));
    PlannedKey key = first.plannedKey();
    int most = first.processing.need().batch();
    if (key.plan().residentKey()) {
      double each = secondsPerProof.getOrDefault(key, BATCH_SECONDS);
      most = (int) Math.min(most, BATCH_SECONDS / each);
    }
    while (batch.size() < most && !queue.isEmpty() && queue.peek().plannedKey().equals(key)) {
      batch.add(queue.poll());
    }
    return batch;
  }

  private void start(List<PartitionTask> batch) {
    List<PartitionTask> wanted = new ArrayList<>(batch.size());
    for (PartitionTask task : batch) {
      if (task.job.ended()) {
        listener.unwanted(task);
      } else {
        pickUp(task);
        wanted.add(task);
      }
    }
    if (wanted.isEmpty()) {
      return;
    }
    if (underWay.isEmpty()) {
      busySinceNanos = scheduler.nanoTime();
      current = wanted.get(0);
    }
    if (cpu) {
      processors.beginProof(backend);
      try {
        submit(wanted);
        if (!underWay.isEmpty()) {
          finish(List.of());
        }
      } finally {
        processors.endProof(backend);
      }
    } else {
      submit(wanted);
    }
  }

  /** What fails is tried again when nothing else is on the device any more. */
  private void submit(List<PartitionTask> tasks) {
    try {
      launch(tasks);
    } catch (DeviceException failure) {
      finish(List.of(new Failed(tasks, failure)));
    } catch (Throwable failure) {
      tasks.forEach(task -> listener.failed(task, failure));
      idleIfDone();
    }
  }

  /**
   * Waits for the oldest submission, and for all of them once one has failed: only then can keys be
   * closed, and what failed be tried again.
   */
  private void finish(List<Failed> before) {
    List<Failed> failed = new ArrayList<>(before);
    do {
      if (!underWay.isEmpty()) {
        Submission oldest = underWay.get(0);
        try {
          complete(oldest);
        } catch (DeviceException failure) {
          failed.add(new Failed(oldest.partitions, failure));
        } catch (Throwable failure) {
          oldest.partitions.forEach(task -> listener.failed(task, failure));
        }
      }
    } while (!failed.isEmpty() && !underWay.isEmpty());
    failed.stream()
        .filter(each -> isLost(each.failure))
        .reduce(Failed::and)
        .ifPresent(lost -> listener.lost(index, lost.failure, lost.partitions));
    failed.stream()
        .filter(each -> !isLost(each.failure))
        .forEach(each -> recover(each.partitions, true, each.failure));
    idleIfDone();
  }

  private void idleIfDone() {
    List<Submission> now = underWay;
    if (!now.isEmpty()) {
      current = now.get(0).partitions.get(0);
      return;
    }
    current = null;
    stage = null;
    busyNanos += scheduler.nanoTime() - busySinceNanos;
  }

  private void pickUp(PartitionTask task) {
    long now = scheduler.nanoTime();
    int taskIndex = task.partition.index();
    timeline.event(Timeline.Event.GPU_PICKUP, task.jobName(), taskIndex, index, now);
    timeline.stage(
        EngineStage.DEVICE_WAIT.stableName(),
        task.jobName(),
        taskIndex,
        index,
        task.readyNanos,
        now);
    task.queuedSeconds += (now - task.readyNanos) / 1e9;
    task.device = index;
  }

  private void attempt(List<PartitionTask> tasks, boolean mayRetry) {
    try {
      complete(launch(tasks));
    } catch (DeviceException failure) {
      recover(tasks, mayRetry, failure);
    } catch (Throwable failure) {
      tasks.forEach(task -> listener.failed(task, failure));
    }
  }

  private static boolean isLost(DeviceException failure) {
    return failure.status() == DeviceStatus.DEVICE_LOST
        || failure.status() == DeviceStatus.NO_DEVICE;
  }

  private void recover(List<PartitionTask> tasks, boolean mayRetry, DeviceException failure) {
    if (isLost(failure)) {
      listener.lost(index, failure, tasks);
      return;
    }
    switch (failure.status()) {
      case CANCELLED -> again(tasks);
      default -> {
        boolean memory = FailureClass.of(failure) == FailureClass.MEMORY;
        if (tasks.size() > 1) {
          // One of them may be at fault: it must not take the others with it.
          tasks.forEach(task -> attempt(List.of(task), mayRetry));
        } else if (memory && mayRetry) {
          dropCaches(tasks.get(0).plannedKey());
          attempt(tasks, false);
        } else if (memory) {
          // Whoever comes next may want it under a smaller plan.
          dropCaches(null);
          listener.outOfMemory(tasks.get(0), index, failure);
        } else {
          listener.failed(tasks.get(0), failure);
        }
      }
    }
  }

  /** A cancelled submission may have held partitions that are still wanted. */
  private void again(List<PartitionTask> tasks) {
    for (PartitionTask task : tasks) {
      if (task.job.ended()) {
        listener.unwanted(task);
      } else {
        attempt(List.of(task), true);
      }
    }
  }

  private void dropCaches(PlannedKey needed) {
    lock.lock();
    expected.clear();
    lock.unlock();
    keys.closeAllBut(needed);
    pool.drop();
  }

  private Submission launch(List<PartitionTask> tasks) throws DeviceException, InputException {
    stage = EngineStage.KEY_LOAD;
    LoadedKey key = keys.loaded(tasks.get(0).plannedKey(), tasks.get(0));
    List<ProofRequest> requests = new ArrayList<>(tasks.size());
    for (PartitionTask task : tasks) {
      task.attempts++;
      requests.add(new ProofRequest(task.witness, task.r, task.s, task.packed));
    }
    stage = EngineStage.PROVE;
    MeteredLock.slow("proving");
    long start = scheduler.nanoTime();
    ProofTask submitted = backend.submit(key, requests);
    Submission running = new Submission(submitted, tasks, start, scheduler.nanoTime() - start);
    tasks.forEach(task -> times.event(Timeline.Event.GPU_START, task, start));
    List<Submission> now = new ArrayList<>(underWay);
    now.add(running);
    now.forEach(each -> each.sharing = Math.max(each.sharing, now.size()));
    underWay = List.copyOf(now);
    cancelUnwanted();
    return running;
  }

  private void complete(Submission running) throws DeviceException {
    MeteredLock.slow("proving");
    List<PartitionTask> tasks = running.partitions;
    ProofResult result;
    try {
      result = running.task.await();
    } finally {
      underWay = underWay.stream().filter(each -> each != running).toList();
    }
    long start = running.startNanos;
    long end = scheduler.nanoTime();
    double each = (end - start) / 1e9 / tasks.size() / running.sharing;
    secondsPerProof.put(running.key(), Math.max(each, 1e-6));
    times.computing(start, result.times());
    for (int i = 0; i < tasks.size(); i++) {
      PartitionTask task = tasks.get(i);
      task.points = result.points().get(i);
      task.proveSeconds += each;
      task.provedNanos = end;
      times.launched(task, start, i, tasks.size(), running.launchNanos);
      times.stages(task, start, i, tasks.size(), result.times());
      times.event(Timeline.Event.GPU_END, task, end);
    }
    proofs += tasks.size();
    uploadedBytes += result.times().uploadedBytes();
    listener.proved(tasks, index, each);
  }
}
