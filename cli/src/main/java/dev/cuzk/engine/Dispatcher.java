package dev.cuzk.engine;

import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.DeviceStatus;
import dev.cuzk.engine.Admission.Grant;
import dev.cuzk.engine.EngineOptions.Halt;
import dev.cuzk.engine.ProofSink.Status;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.report.EngineFigures.LockFigures;
import dev.cuzk.report.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The engine's one decision-maker: a thread with a mailbox. Who runs where, which job has failed,
 * what a wrong proof means: all of it is decided here, in messages, so that no two decisions meet
 * and no lock is held between stages. Every stage owns the partition that it works on and answers
 * for it with exactly one message.
 */
final class Dispatcher
    implements SynthesisPool.Listener, DeviceExecutor.Listener, Finalizer.Listener {
  /** Hears how far the run is; called on engine threads, must be quick. */
  interface Progress {
    /** A job no longer waits: every partition of it has begun, or it has ended. */
    void begun();

    /** The sink has heard of a job's end. */
    void ended();

    /** No job begins any more. */
    void stopping();
  }

  /** After a stop's grace time, what does not come back is left behind after this long. */
  private static final long ABANDON_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  static final long IDLE_NANOS = TimeUnit.HOURS.toNanos(1);

  private final EngineOptions options;
  private final Timeline timeline;
  private final Acceptor acceptor;
  private final Progress progress;
  private final Processors processors;
  private final SynthesisPool synthesis;
  private final Finalizer finalizer;
  private final Admission admission;
  private final AdmissionWaits waits;
  private final Routing routing;
  private final Repeats repeats;
  private final long pinnedShare;
  private final AtomicInteger upstream = new AtomicInteger();
  private final List<DeviceState> devices = new CopyOnWriteArrayList<>();
  private final List<EngineSummary.KeyLoad> keyLoads = new CopyOnWriteArrayList<>();
  private final Scheduler scheduler;
  private final Mailbox mailbox;
  private final LockMeter admitting = new LockMeter("admission");
  private Scheduler.Worker worker;

  // Of the dispatcher's thread alone.
  private final Set<JobState> jobs = new LinkedHashSet<>();
  private final Set<JobState> timed = new LinkedHashSet<>();
  private boolean closing;
  private boolean haltedSoon;
  private long stopAtNanos;
  private boolean cancelled;
  private int liveTasks;

  // Written by the dispatcher, read by anyone.
  volatile boolean stopping;
  volatile String stopReason = "";
  volatile boolean abandoned;
  volatile long jobsProved;
  volatile long jobsFailed;
  volatile long jobsDropped;
  volatile long partitionsProved;
  volatile int partitionsInFlight;
  volatile long reservedAtEnd = -1;
  volatile EngineSnapshot.Reserved reserved = EngineSnapshot.Reserved.NOTHING;

  Dispatcher(
      EngineOptions options,
      List<? extends Backend> backends,
      Backend.Opener repeatBackend,
      ProofChecker checker,
      ProofSink sink,
      Timeline timeline,
      Progress progress) {
    this.options = options;
    this.scheduler = options.scheduler();
    this.mailbox = new Mailbox("dispatcher", scheduler);
    this.timeline = timeline;
    this.progress = progress;
    this.acceptor = new Acceptor(sink, scheduler, timeline, this::accepted, progress::ended);
    this.processors = new Processors(options.threads(), scheduler);
    this.synthesis =
        new SynthesisPool(
            options.synthesisThreads(),
            processors,
            new Blinding(options.insecureSeed()),
            scheduler,
            timeline,
            this);
    this.finalizer = new Finalizer(options, processors, checker, timeline, upstream, this);
    int inFlight = options.synchronous() ? 1 : options.maxInFlight();
    this.admission =
        new Admission(
            options.hostMemoryBudget(),
            options.pinnedMemoryBudget(),
            List.of(),
            inFlight,
            options.synthesisThreads());
    this.waits = new AdmissionWaits(admission, timeline, scheduler);
    this.routing = new Routing(this, admission);
    this.repeats = new Repeats(this, routing, options, repeatBackend);
    this.pinnedShare = options.pinnedMemoryBudget() / backends.size();
    backends.forEach(backend -> addDevice(backend, false));
  }

  void start() {
    finalizer.start();
    acceptor.start();
    worker = scheduler.start("cuzk-dispatcher", this::run);
  }

  /** The CPU joins a run on GPUs to repeat proofs. On the dispatcher's thread. */
  DeviceState addRepeatDevice(Backend backend) {
    return addDevice(backend, true);
  }

  private DeviceState addDevice(Backend backend, boolean repeatOnly) {
    Admission.DeviceBudget budget = DeviceState.budget(backend, options);
    long poolLimit = budget.cpu() ? options.hostMemoryBudget() : pinnedShare;
    int index = admission.addDevice(budget);
    WitnessPool pool = new WitnessPool("buffers " + index, backend, poolLimit, scheduler);
    DeviceState device =
        new DeviceState(
            index,
            budget,
            options,
            new DeviceExecutor(index, backend, pool, processors, scheduler, timeline, this),
            repeatOnly);
    devices.add(device);
    device.executor.start();
    return device;
  }

  List<DeviceState> devices() {
    return devices;
  }

  List<EngineSummary.KeyLoad> keyLoads() {
    return keyLoads;
  }

  /** After {@link #join}. */
  List<LockFigures> lockFigures() {
    List<LockFigures> figures = new ArrayList<>(List.of(mailbox.figures()));
    figures.add(admitting.figures());
    figures.add(finalizer.lockFigures());
    figures.add(processors.lockFigures());
    for (DeviceState device : devices) {
      figures.add(device.executor.lockFigures());
      figures.add(device.executor.pool().lockFigures());
    }
    return figures;
  }

  void keep(ProofSink.Evidence evidence) {
    acceptor.keep(evidence);
  }

  SynthesisPool synthesis() {
    return synthesis;
  }

  /** Runs an action on the dispatcher's thread. */
  void post(Runnable message) {
    mailbox.post(message);
  }

  // ---- the thread -----------------------------------------------------------------------------

  private void run() {
    while (!finished()) {
      try {
        long sent = mailbox.run(nanosToNextDeadline());
        checkDeadlines();
        long begin = scheduler.nanoTime();
        routing.balance(scheduler.nanoTime());
        admit();
        admitting.record(begin - sent, scheduler.nanoTime() - begin);
        reserved = admission.reserved();
      } catch (Throwable bug) {
        JobFailure failure = new JobFailure(FailureClass.INTERNAL, "internal error: " + bug, bug);
        List.copyOf(jobs).forEach(job -> end(job, Status.FAILED, failure));
      }
    }
    reservedAtEnd = admission.reservedBytes();
  }

  private boolean finished() {
    if (!closing || !jobs.isEmpty()) {
      return false;
    }
    if (liveTasks == 0 && !repeats.opening()) {
      return true;
    }
    abandoned = cancelled && scheduler.nanoTime() - stopAtNanos > ABANDON_NANOS;
    return abandoned;
  }

  private long nanosToNextDeadline() {
    long now = scheduler.nanoTime();
    long wait = IDLE_NANOS;
    for (JobState job : timed) {
      if (job.pendingEnd == null) {
        wait = Math.min(wait, job.deadlineNanos - now);
      }
    }
    if (stopping) {
      wait = Math.min(wait, stopAtNanos + (cancelled ? ABANDON_NANOS : 0) - now);
    }
    return Math.max(wait, cancelled ? TimeUnit.MILLISECONDS.toNanos(10) : 0);
  }

  private void checkDeadlines() {
    long now = scheduler.nanoTime();
    for (JobState job : List.copyOf(timed)) {
      if (now - job.deadlineNanos >= 0 && job.pendingEnd == null) {
        String limit = Durations.text(job.job.timeout());
        fail(
            job,
            new JobFailure(
                FailureClass.STOPPED,
                "job " + job.job.name() + ": not done within " + limit + " (--job-timeout)"));
      }
    }
    if (stopping && !cancelled && now - stopAtNanos >= 0) {
      cancelled = true;
      List.copyOf(jobs).forEach(job -> end(job, Status.DROPPED, stopped()));
      devices.forEach(device -> device.executor.interrupt());
    }
  }

  private void admit() {
    Admission.Decision decision = admission.admit();
    decision.evictions().forEach(one -> devices.get(one.device()).executor.evict(one.key()));
    decision.grants().forEach(this::begin);
    for (Admission.Request request : decision.hopeless()) {
      PartitionTask task = (PartitionTask) request;
      fail(task.job, repeats.hopeless(task));
      if (task.memory != null) {
        retire(task);
      }
    }
    if (!decision.hopeless().isEmpty()) {
      post(() -> {});
    }
    waits.note();
  }

  // ---- jobs begin -----------------------------------------------------------------------------

  /** Whether jobs are still begun. */
  boolean accepting() {
    return !stopping;
  }

  void submitted(JobState job, List<PartitionTask> tasks, JobFailure refused) {
    jobs.add(job);
    if (stopping || haltedSoon) {
      end(job, Status.DROPPED, stopped());
    } else if (refused != null) {
      fail(job, refused);
    } else if (tasks.isEmpty()) {
      end(job, Status.PROVED, null);
    } else {
      for (PartitionTask task : tasks) {
        String reason = admission.neverFits(task.needs()).orElse(null);
        if (reason != null) {
          fail(job, new JobFailure(FailureClass.MEMORY, task + ": " + reason));
          return;
        }
      }
      tasks.forEach(admission::offer);
    }
  }

  private void begin(Grant grant) {
    PartitionTask task = (PartitionTask) grant.request();
    DeviceState device = devices.get(grant.need().device());
    boolean first = task.memory == null;
    task.processing = grant;
    waits.admitted(task, device.index, first);
    if (!first) {
      task.readyNanos = task.admittedNanos;
      enqueue(task, device);
      return;
    }
    task.memory = grant;
    task.witnessOwner = device.executor.pool();
    JobState job = task.job;
    if (!job.begun() && job.job.timeout() != null) {
      job.deadlineNanos = scheduler.nanoTime() + job.job.timeout().toNanos();
      timed.add(job);
    }
    job.unadmitted--;
    if (job.unadmitted == 0) {
      progress.begun();
    }
    liveTasks++;
    partitionsInFlight = liveTasks;
    comes(task);
    device.executor.expect(task);
    synthesis.submit(task);
  }

  private void comes(PartitionTask task) {
    if (task.upstream.compareAndSet(false, true)) {
      upstream.incrementAndGet();
    }
  }

  private void enqueue(PartitionTask task, DeviceState device) {
    comes(task);
    if (!device.isCurrent(task.plannedKey()) || !device.executor.enqueue(task)) {
      post(() -> routing.reroute(task, null));
    }
  }

  // ---- stages report --------------------------------------------------------------------------

  @Override
  public void ready(PartitionTask task) {
    if (task.job.ended()) {
      unwanted(task);
      return;
    }
    task.readyNanos = scheduler.nanoTime();
    enqueue(task, devices.get(task.processing.need().device()));
  }

  @Override
  public void proved(List<PartitionTask> tasks, int device, double seconds) {
    List<Grant> grants = tasks.stream().map(task -> task.processing).toList();
    post(
        () -> {
          grants.forEach(admission::releaseDevice);
          long work = grants.get(0).need().work();
          admission.measured(device, work, seconds);
          admission.synthesized(work, tasks.get(0).synthesisSeconds);
          finalizer.add(tasks);
        });
  }

  @Override
  public void failed(PartitionTask task, Throwable failure) {
    if (task.witness == null && isLost(failure)) {
      post(() -> routing.borrowBuffer(task, failure));
      return;
    }
    post(() -> fail(task.job, task.failure(failure)));
    retire(task);
  }

  private static boolean isLost(Throwable failure) {
    return failure instanceof DeviceException device && device.status() == DeviceStatus.DEVICE_LOST;
  }

  @Override
  public void unwanted(PartitionTask task) {
    retire(task);
  }

  @Override
  public void outOfMemory(PartitionTask task, int device, DeviceException failure) {
    post(
        () -> {
          routing.shrink(task, devices.get(device));
          routing.reroute(task, failure);
        });
  }

  @Override
  public void lost(int device, DeviceException failure, List<PartitionTask> tasks) {
    post(
        () -> {
          DeviceState lost = devices.get(device);
          lost.health = DeviceState.Health.LOST;
          options.notices().accept(lost.label() + " is lost: " + failure.getMessage());
          routing.withdraw(lost, failure, tasks);
        });
  }

  @Override
  public void keyLoaded(ProvingKey key, int device, double seconds) {
    keyLoads.add(new EngineSummary.KeyLoad(key.path().toString(), device, seconds));
  }

  @Override
  public void copying(int device, boolean begins) {
    Backend gpu = devices.get(device).executor.backend();
    post(begins ? () -> processors.beginCopy(gpu) : () -> processors.endCopy(gpu));
  }

  @Override
  public void keyClosed(PlannedKey key, int device) {
    post(() -> admission.keyClosed(device, key));
  }

  @Override
  public void valid(List<PartitionTask> tasks) {
    tasks.forEach(PartitionTask::giveBuffer);
    post(
        () -> {
          for (PartitionTask task : tasks) {
            admission.releaseMemory(task.memory);
            repeats.blame(task.suspects, task);
          }
        });
    acceptor.accept(tasks);
  }

  @Override
  public void invalid(PartitionTask task) {
    post(() -> repeats.invalid(task));
  }

  @Override
  public void diagnosed(PartitionTask task, boolean samePoints, boolean valid) {
    post(() -> repeats.diagnosed(task, samePoints, valid));
  }

  private void accepted(List<PartitionTask> tasks, double secondsEach, JobFailure failure) {
    post(
        () -> {
          for (PartitionTask task : tasks) {
            accepted(task, secondsEach, failure);
          }
        });
  }

  private void accepted(PartitionTask task, double seconds, JobFailure failure) {
    JobState job = task.job;
    retired(task);
    if (failure != null) {
      fail(job, failure);
      return;
    }
    partitionsProved++;
    job.open--;
    job.add(task);
    job.writeSeconds += seconds;
    if (job.open == 0) {
      end(job, Status.PROVED, null);
    } else if (job.open == job.dropped) {
      end(job, Status.DROPPED, stopped());
    } else if (job.pendingEnd != null) {
      Runnable ending = job.pendingEnd;
      job.pendingEnd = null;
      ending.run();
    }
  }

  // ---- jobs end -------------------------------------------------------------------------------

  void fail(JobState job, JobFailure failure) {
    end(job, Status.FAILED, failure);
  }

  private void end(JobState job, Status status, JobFailure failure) {
    if (!job.tryEnd()) {
      if (!job.ended() && job.pendingEnd == null) {
        job.pendingEnd = () -> end(job, status, failure);
      }
      return;
    }
    jobs.remove(job);
    timed.remove(job);
    switch (status) {
      case PROVED -> jobsProved++;
      case FAILED -> jobsFailed++;
      case DROPPED -> jobsDropped++;
    }
    if (status != Status.PROVED) {
      drop(job);
    }
    if (job.unadmitted > 0 || job.job.partitions().isEmpty()) {
      progress.begun();
    }
    acceptor.finished(job.outcome(status, failure, scheduler.nanoTime()));
    if (status == Status.FAILED) {
      halt(job);
    }
  }

  /** Takes back what of a job has begun and waits somewhere. */
  private void drop(JobState job) {
    for (Admission.Request request : admission.remove(waiter -> of(waiter, job))) {
      PartitionTask task = (PartitionTask) request;
      if (task.memory != null) {
        retire(task);
      }
    }
    for (DeviceState device : devices) {
      device.executor.remove(task -> task.job == job).forEach(this::retire);
      device.executor.cancelUnwanted();
    }
  }

  private static boolean of(Admission.Request request, JobState job) {
    return ((PartitionTask) request).job == job;
  }

  private void halt(JobState failed) {
    if (options.halt() == Halt.NOW) {
      stop(Duration.ZERO, "job " + failed.job.name() + " failed (--halt now)");
    } else if (options.halt() == Halt.SOON && !haltedSoon) {
      haltedSoon = true;
      stopReason = "job " + failed.job.name() + " failed (--halt soon)";
      List<JobState> idle = jobs.stream().filter(job -> !job.begun()).toList();
      idle.forEach(job -> end(job, Status.DROPPED, stopped()));
    }
  }

  private JobFailure stopped() {
    return new JobFailure(FailureClass.STOPPED, "dropped: " + stopReason);
  }

  void stop(Duration grace, String reason) {
    long until = scheduler.nanoTime() + grace.toNanos();
    if (stopping) {
      stopAtNanos = scheduler.nanoTime();
      return;
    }
    stopAtNanos = until;
    stopReason = reason;
    stopping = true;
    progress.stopping();
    for (Admission.Request request : admission.remove(waiter -> !waiter.holdsMemory())) {
      ((PartitionTask) request).job.dropped++;
    }
    List<JobState> over = jobs.stream().filter(job -> job.open == job.dropped).toList();
    over.forEach(job -> end(job, Status.DROPPED, stopped()));
  }

  void closeWhenDone() {
    closing = true;
  }

  // ---- returning what a partition holds -------------------------------------------------------

  /** The partition's way is over: its buffer and its reservations go back. Called by its owner. */
  void retire(PartitionTask task) {
    if (task.witness == null) {
      post(() -> retired(task));
      return;
    }
    // By way of the mailbox: devices' threads take no lock of the processors.
    Runnable giving =
        () -> {
          task.giveBuffer();
          post(() -> retired(task));
        };
    post(() -> synthesis.overwrite(giving));
  }

  private void retired(PartitionTask task) {
    if (task.upstream.compareAndSet(true, false)) {
      upstream.decrementAndGet();
    }
    admission.releaseDevice(task.processing);
    admission.releaseMemory(task.memory);
    admission.leave();
    liveTasks--;
    partitionsInFlight = liveTasks;
  }

  // ---- the end --------------------------------------------------------------------------------

  /** Waits for the thread, then ends all others. */
  void join() throws InterruptedException {
    worker.join(0);
    processors.endCopies();
    long patience = abandoned ? 0 : 60;
    synthesis.close(patience);
    finalizer.close();
    devices.forEach(device -> device.executor.close());
    for (DeviceState device : devices) {
      device.executor.join(abandoned ? 1 : 0);
    }
    finalizer.join(abandoned ? 1 : 60_000);
    acceptor.close();
  }
}
