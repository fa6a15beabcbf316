package dev.cuzk.batch;

import dev.cuzk.engine.EngineSnapshot;
import dev.cuzk.engine.EngineSummary;
import dev.cuzk.engine.FailureClass;
import dev.cuzk.engine.Job;
import dev.cuzk.engine.JobFailure;
import dev.cuzk.engine.Partition;
import dev.cuzk.engine.ProofSink;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.proof.VerifyingKey;
import dev.cuzk.report.DeviceFacts;
import dev.cuzk.report.EngineFigures.DeviceLoad;
import dev.cuzk.report.EngineFigures.LockFigures;
import dev.cuzk.report.JobReport;
import dev.cuzk.report.Timeline;
import dev.cuzk.report.TimelineRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The one way from inputs to a finished run: checks every listed input as far as headers tell,
 * opens the output folder and its journal, then the devices, submits what is not done yet, and
 * writes the report, however the run ends.
 */
public final class BatchRunner {
  static final long POLL_MILLISECONDS = 100;

  private final BatchOptions options;
  private final Starter starter;
  private final RunResult result = new RunResult();
  private final RunEvents events;
  private final RunClock clock = new RunClock();
  private final Object stopLock = new Object();
  private volatile boolean stopping;
  private volatile boolean haltRequested;
  private volatile RunningEngine engine;
  private volatile long knownJobs = -1;
  private volatile boolean inputsRead;

  private OutputFolder folder;
  private Journal journal;
  private Outputs outputs;
  private Resume resume;
  private TimelineRecorder timeline;
  private MemorySampler memory;
  private EngineSummary engineSummary;
  private List<DeviceFacts> devices = List.of();
  private long sequence;
  private final long startNanos = System.nanoTime();

  /** Makes the engine of a run. */
  interface Starter {
    RunningEngine start(ProofSink sink, Timeline timeline) throws Exception;

    List<DeviceFacts> devices();

    default void prepare(VerifyingKey key) {}

    default void expect(ProvingKey key, long proofs) {}

    default void requireProvable(ProvingKey key) throws JobFailure {}

    default List<DeviceLoad> loads() {
      return List.of();
    }
  }

  public BatchRunner(BatchOptions options, EngineFactory engines, BatchListener listener) {
    this(
        options,
        new Starter() {
          @Override
          public RunningEngine start(ProofSink sink, Timeline timeline) throws Exception {
            return RunningEngine.of(engines.create(sink, timeline));
          }

          @Override
          public List<DeviceFacts> devices() {
            return engines.devices();
          }

          @Override
          public void prepare(VerifyingKey key) {
            engines.prepare(key);
          }

          @Override
          public void expect(ProvingKey key, long proofs) {
            engines.expect(key, proofs);
          }

          @Override
          public void requireProvable(ProvingKey key) throws JobFailure {
            engines.requireProvable(key);
          }

          @Override
          public List<DeviceLoad> loads() {
            return engines.loads();
          }
        },
        listener);
  }

  BatchRunner(BatchOptions options, Starter starter, BatchListener listener) {
    this.options = options;
    this.starter = starter;
    this.events = new RunEvents(listener, result);
  }

  /** Where the engine stands; empty before it was made. Callable from any thread. */
  public Optional<EngineSnapshot> snapshot() {
    RunningEngine running = engine;
    return running == null ? Optional.empty() : Optional.of(running.snapshot());
  }

  /** Jobs of this run, done ones included; −1 while a list is being read or inputs are checked. */
  public long knownJobs() {
    return knownJobs;
  }

  /**
   * Ends the run early: takes no new work, finishes or drops what runs within the grace time. Safe
   * to call from any thread at any time; the first reason counts. A run that still reads its inputs
   * when the grace time is over is given up: {@link BatchListener#abandoned}.
   *
   * @param exitCode the run's exit code: 10, 129, 130 or 143
   */
  public void stop(int exitCode, String reason) {
    synchronized (stopLock) {
      result.stopped(exitCode, reason);
      if (!stopping) {
        clock.after(options.grace(), this::abandonReading);
      }
      stopping = true;
      if (engine != null) {
        engine.stop(options.grace(), reason);
      }
    }
  }

  /** Nothing has been proved yet, and nothing interrupts a thread that reads from a pipe. */
  private void abandonReading() {
    if (!inputsRead) {
      int exitCode = result.exitCode();
      events.runFailed(exitCode, result.stopReason() + " while inputs were being read", null);
      events.summary(summary(null, exitCode));
      events.abandoned(exitCode);
    }
  }

  /**
   * Does everything; never throws.
   *
   * @return the run's exit code
   */
  public int run() {
    if (options.timeLimit() != null) {
      clock.after(
          options.timeLimit(), () -> stop(FailureClass.STOPPED.exitCode(), "time limit reached"));
    }
    int failed = 0;
    try (KeyTable keys =
        new KeyTable(options.cache(), options.strict(), events::warning, events::reading)) {
      try {
        execute(keys);
      } catch (Throwable e) {
        failed = runFailed(e);
      }
      return finish(keys, failed);
    } finally {
      clock.close();
    }
  }

  private int runFailed(Throwable failure) {
    int exitCode =
        failure instanceof UsageException
            ? FailureClass.USAGE.exitCode()
            : FailureClass.of(failure).exitCode();
    events.runFailed(exitCode, message(failure), failure);
    if (exitCode == FailureClass.INTERNAL.exitCode()) {
      crashed(failure);
    }
    return exitCode;
  }

  private static String message(Throwable failure) {
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }

  private void crashed(Throwable failure) {
    if (folder != null) {
      CrashFile.append(folder.path().resolve(OutputFolder.CRASH), options.toolVersion(), failure);
    }
  }

  private void execute(KeyTable keys) throws Exception {
    try (InputReader reader = new InputReader(options, keys, events::warning)) {
      execute(reader, keys);
    }
  }

  private void execute(InputReader reader, KeyTable keys) throws Exception {
    List<JobSpec> listed = reader.readListed();
    inputsRead = true;
    if (options.shard() != null) {
      listed = listed.stream().filter(job -> options.shard().contains(job.name())).toList();
    }
    knownJobs = options.filesFrom() == null ? listed.size() : -1;
    ListReader.Opening list = options.filesFrom() == null ? null : ListReader.opening(options);
    prepareKeys(listed);
    openOutputs(reader, listed);
    List<JobState> done = new ArrayList<>();
    List<JobState> toProve = restore(listed, done);
    if (toProve.isEmpty() && list == null) {
      announce(List.of());
      done.forEach(this::endResumed);
      return;
    }
    if (list != null) {
      // Jobs to come are expected to use the key that is an option.
      keys.all().forEach(key -> starter.expect(key.provingKey(), 0));
    }
    toProve.forEach(job -> starter.expect(job.spec.key().provingKey(), job.open()));
    startEngine();
    try {
      done.forEach(this::endResumed);
      for (JobState job : toProve) {
        submit(job);
      }
      if (list != null) {
        submitList(reader, list, listed);
      }
    } finally {
      engineSummary = engine.finishAndClose();
      memory.stop();
    }
  }

  /** What the first proof will need of its key is made while outputs and devices are opened. */
  private void prepareKeys(List<JobSpec> listed) {
    if (listed.isEmpty()) {
      return;
    }
    KeyTable.Key key = listed.get(0).key();
    Thread thread =
        new Thread(
            () -> {
              try {
                starter.prepare(key.verifyingKey());
                if (!options.pair()) {
                  key.verifyingKeySha256();
                }
              } catch (RuntimeException e) {
                // It comes again, and is reported, where the result is needed.
                return;
              }
            },
            "cuzk-prepare");
    thread.setDaemon(true);
    thread.start();
  }

  private void openOutputs(InputReader reader, List<JobSpec> listed)
      throws UsageException, InputException, JobFailure, IOException {
    if (options.pair()) {
      if (options.proofFile() == null || options.publicFile() == null) {
        throw new UsageException("--proof and --public go together. Give both, or --out.");
      }
      if (listed.size() != 1 || options.filesFrom() != null) {
        throw new UsageException(
            "--proof and --public are for a run of one job, found "
                + (options.filesFrom() != null ? "a list" : Integer.toString(listed.size()))
                + ". Use --out DIR.");
      }
      Outputs.ToPair pair = new Outputs.ToPair(options);
      requireOtherFiles(pair, reader, listed);
      pair.prepare();
      outputs = pair;
      timeline(null);
      return;
    }
    Path out = options.shard() == null ? options.out() : options.shard().folder(options.out());
    requireResumable(out);
    requireOtherFiles(out, reader, listed);
    folder = OutputFolder.open(out);
    journal = Journal.open(folder.journal());
    if (journal.brokenLines() > 0) {
      events.warning(
          folder.journal()
              + ": "
              + journal.brokenLines()
              + " damaged lines were passed over; their proofs are made again.");
    }
    if (options.resume() && journal.isEmpty()) {
      throw nothingToResume(out);
    }
    journal.beginRun(options.toolVersion(), RunEvents.now());
    outputs = new Outputs.ToFolder(folder, options.format());
    resume = new Resume(journal, outputs, options.overwrite(), options.selfVerify());
    timeline(AtomicFiles.temporaryFor(out.resolve(OutputFolder.TIMELINE)));
  }

  private void timeline(Path file) throws JobFailure {
    try {
      timeline = new TimelineRecorder(file);
      events.timeline(timeline);
    } catch (IOException e) {
      throw Failures.unwritable(file, e);
    }
  }

  private void requireResumable(Path out) throws UsageException {
    if (options.resume() && !Files.exists(out.resolve(Journal.FILE))) {
      throw nothingToResume(out);
    }
  }

  private static UsageException nothingToResume(Path out) {
    return new UsageException(
        out + ": nothing to resume (no accepted proof in its journal). Run without --resume.");
  }

  private void requireOtherFiles(Outputs pair, InputReader reader, List<JobSpec> jobs)
      throws UsageException {
    Set<Path> inputs = new HashSet<>(reader.files());
    for (JobSpec job : jobs) {
      requireOther(inputs, pair.filesOf(job));
    }
    Path proof = InputReader.identity(Path.of(options.proofFile()));
    if (proof.equals(InputReader.identity(Path.of(options.publicFile())))) {
      throw new UsageException("--proof and --public name the same file. Name two.");
    }
  }

  private void requireOtherFiles(Path out, InputReader reader, List<JobSpec> jobs)
      throws UsageException {
    Set<Path> inputs = new HashSet<>(reader.files());
    Path proofs = out.resolve(OutputFolder.PROOFS);
    for (JobSpec job : jobs) {
      requireOther(inputs, Outputs.ToFolder.filesOf(proofs, job, options.format()));
    }
  }

  private static void requireOther(Set<Path> inputs, List<Path> files) throws UsageException {
    for (Path file : files) {
      if (inputs.contains(InputReader.identity(file))) {
        throw new UsageException(file + ": is an input of this run and would be overwritten.");
      }
    }
  }

  /** Puts the jobs that are done into one list and returns the others. */
  private List<JobState> restore(List<JobSpec> listed, List<JobState> done)
      throws UsageException, InputException {
    List<JobState> rest = new ArrayList<>();
    for (JobSpec spec : listed) {
      JobState job = state(spec);
      (resume != null && resume.restore(job) ? done : rest).add(job);
    }
    return rest;
  }

  private JobState state(JobSpec spec) {
    return new JobState(sequence++, spec);
  }

  private void endResumed(JobState job) {
    try {
      resume.materialise(job);
      events.resumed(job);
    } catch (JobFailure e) {
      events.failed(job.spec.name(), job.spec.kind(), e, job, JobReport.Times.ZERO);
    }
  }

  private void startEngine() throws Exception {
    ProofSink sink =
        new ProofWriter(outputs, journal, events, options.toolVersion(), this::jobFailed);
    RunningEngine made = starter.start(sink, timeline);
    devices = starter.devices();
    memory = MemorySampler.start(timeline.startNanos(), made::reserved, starter::loads);
    synchronized (stopLock) {
      engine = made;
      if (stopping) {
        engine.stop(options.grace(), result.stopReason());
      }
    }
    announce(
        engine.snapshot().devices().stream().map(EngineSnapshot.DeviceSnapshot::name).toList());
  }

  /** The first line of a run's output, before any of a job: also where no device is needed. */
  private void announce(List<String> deviceNames) {
    events.started(
        new BatchListener.Started(
            RunEvents.now(),
            options.toolVersion(),
            knownJobs,
            folder == null ? null : folder.path().toString(),
            deviceNames));
  }

  /** The engine halts by itself for what failed in it; a file that cannot be written is news. */
  private void jobFailed(JobFailure failure) {
    if (failure.failureClass() == FailureClass.INTERNAL) {
      crashed(failure);
    }
    if (options.halt() != BatchOptions.Halt.NEVER) {
      haltRequested = true;
    }
  }

  private void submit(JobState job) throws InterruptedException {
    if (stopping || haltRequested) {
      events.dropped(job.spec.name(), job.spec.kind(), job, JobReport.Times.ZERO);
      return;
    }
    List<Partition> partitions = new ArrayList<>();
    for (int i = 0; i < job.accepted.length; i++) {
      if (job.accepted[i] == null) {
        partitions.add(
            new Partition(
                i, job.spec.key().provingKey(), new JobSynthesizer(job.spec, i, job.inputDigest)));
      }
    }
    engine.submit(
        new Job(
            job.sequence,
            job.spec.name(),
            job.spec.kind(),
            job.spec.priority(),
            options.jobTimeout(),
            partitions,
            job));
  }

  private void submitList(InputReader reader, ListReader.Opening opening, List<JobSpec> listed)
      throws InterruptedException, InputException {
    Set<String> names = new HashSet<>();
    listed.forEach(job -> names.add(job.name()));
    try (ListReader list = new ListReader(opening, options.filesFromNul())) {
      while (!list.ended() && !stopping && !haltRequested) {
        Optional<ListReader.Entry> entry = list.poll(POLL_MILLISECONDS);
        if (entry.isPresent()) {
          submitEntry(reader, entry.get(), names);
        }
      }
      knownJobs = sequence;
    } catch (IOException e) {
      throw Digests.unreadable(Path.of(options.filesFrom()), e);
    }
  }

  private void submitEntry(InputReader reader, ListReader.Entry entry, Set<String> names)
      throws InterruptedException {
    List<JobSpec> specs;
    try {
      specs = reader.readEntry(entry);
    } catch (UsageException | InputException e) {
      refuse(Names.of(entry), JobSpec.CIRCOM, e);
      return;
    }
    for (JobSpec spec : specs) {
      if (options.shard() != null && !options.shard().contains(spec.name())) {
        continue;
      }
      try {
        submitListed(reader, entry, spec, names);
      } catch (UsageException | InputException | JobFailure e) {
        refuse(spec.name(), spec.kind(), e);
      }
    }
  }

  private void submitListed(
      InputReader reader, ListReader.Entry entry, JobSpec spec, Set<String> names)
      throws UsageException, InputException, JobFailure, InterruptedException {
    if (!names.add(spec.name())) {
      throw new UsageException(
          entry.path() + ": the job name \"" + spec.name() + "\" occurred before in this run.");
    }
    requireOther(Set.copyOf(reader.filesOf(spec)), outputs.filesOf(spec));
    JobState job = state(spec);
    if (resume.restore(job)) {
      endResumed(job);
      return;
    }
    starter.requireProvable(spec.key().provingKey());
    submit(job);
  }

  /** A job of a list that cannot be begun fails alone. */
  private void refuse(String name, String kind, Exception cause) {
    FailureClass failureClass =
        cause instanceof UsageException ? FailureClass.USAGE : FailureClass.of(cause);
    JobFailure failure = new JobFailure(failureClass, message(cause), cause);
    events.failed(name, kind, failure, null, JobReport.Times.ZERO);
    jobFailed(failure);
  }

  private List<LockFigures> lockFigures() {
    List<LockFigures> figures = new ArrayList<>();
    if (engineSummary != null) {
      figures.addAll(engineSummary.locks());
    }
    if (journal != null) {
      figures.add(journal.lockFigures());
    }
    return figures;
  }

  /** Writes what is written at the end of every run, and says how it went. */
  private int finish(KeyTable keys, int failed) {
    if (events.outputFailed()) {
      result.outputFailed();
    }
    int exitCode = failed != 0 ? failed : result.exitCode();
    String report = null;
    if (timeline != null) {
      RunSummary summary =
          new RunSummary(
              options,
              events,
              result,
              keys,
              engineSummary,
              lockFigures(),
              devices,
              memory,
              timeline);
      try {
        timeline.close();
        if (folder != null) {
          report = summary.write(folder.path(), exitCode).toString();
        }
      } catch (IOException e) {
        JobFailure failure =
            Failures.unwritable(folder.path().resolve(OutputFolder.REPORT_JSON), e);
        events.runFailed(FailureClass.OUTPUT.exitCode(), failure.getMessage(), failure);
        result.outputFailed();
        exitCode = failed != 0 ? failed : result.exitCode();
      }
    }
    closeJournal(exitCode);
    events.summary(summary(report, exitCode));
    return exitCode;
  }

  private BatchListener.Summary summary(String report, int exitCode) {
    double wall = (System.nanoTime() - startNanos) / 1e9;
    long proved = result.provedJobs();
    return new BatchListener.Summary(
        RunEvents.now(),
        proved + result.resumedJobs() + result.failedJobs() + result.droppedJobs(),
        proved,
        result.resumedJobs(),
        result.failedJobs(),
        result.droppedJobs(),
        wall,
        wall > 0 ? proved * 60 / wall : 0,
        report,
        exitCode);
  }

  private void closeJournal(int exitCode) {
    if (journal != null) {
      try {
        journal.endRun(exitCode, RunEvents.now());
      } catch (JobFailure e) {
        // The end line is for readers; what was accepted is on the disk already.
        events.warning(e.getMessage());
      }
      journal.close();
    }
    if (folder != null) {
      folder.close();
    }
  }
}
