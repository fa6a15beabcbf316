package dev.cuzk.engine;

import static dev.cuzk.engine.EngineFixture.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.device.Backend;
import dev.cuzk.engine.ProofSink.Status;
import dev.cuzk.engine.simulation.FakeBackend;
import dev.cuzk.engine.simulation.FakeBackend.Model;
import dev.cuzk.engine.simulation.FaultInjectingBackend;
import dev.cuzk.engine.simulation.FaultRule;
import dev.cuzk.engine.simulation.SimulatedKey;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PackedScalars;
import dev.cuzk.memory.ScalarTarget;
import dev.cuzk.report.Timeline;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class EngineTest {
  private final EngineFixture fixture = new EngineFixture();
  private final ProvingKey key = new SimulatedKey("a.zkey", 10);
  private final FakeBackend cpu = new FakeBackend(new Model(-1, 8L << 30, 0.2));

  private static FaultInjectingBackend faulty(Backend backend, String... rules) {
    return new FaultInjectingBackend(
        backend,
        FaultInjectingBackend.Schedule.of(Arrays.stream(rules).map(FaultRule::parse).toList()));
  }

  private static FakeBackend gpu(int ordinal) {
    return new FakeBackend(new Model(ordinal, 4L << 30, 0.2));
  }

  private EngineSummary run(Engine engine, Job... jobs) throws InterruptedException {
    for (Job job : jobs) {
      engine.submit(job);
    }
    EngineSummary summary = engine.finishAndClose();
    assertEquals(List.of(), fixture.violations(engine));
    assertEquals(jobs.length, fixture.outcomes.size());
    return summary;
  }

  @Test
  void shouldProveEveryPartitionOnce() throws Exception {
    Engine engine = fixture.engine(fixture.options(), List.of(cpu));
    EngineSummary summary =
        run(
            engine,
            fixture.job(0, 10, key, 3),
            fixture.job(1, 10, key, 1),
            fixture.job(2, 10, key, 0));
    assertEquals(3, summary.jobsProved());
    assertEquals(4, fixture.accepted.size());
    assertTrue(
        fixture.accepted.stream().allMatch(one -> one.verified() && one.times().device() == 0));
    assertEquals(1, cpu.keyLoads());
    assertTrue(cpu.isClosed());
    assertEquals(Status.PROVED, fixture.outcomes.get("job2").status());
  }

  /** On a GPU the packed form is all there is; the CPU gets the plain one. */
  @Test
  void shouldHoldAndUploadThePackedFormAloneWhereThatIsMade() throws Exception {
    ProvingKey large = new SimulatedKey("a.zkey", 14);
    PackingSynthesizer packing =
        new PackingSynthesizer(fixture.synthesizer(large, "plain", true), large);
    for (Backend device : List.of(gpu(0), cpu)) {
      EngineSummary summary =
          run(
              fixture.engine(fixture.options(), List.of(device)),
              EngineFixture.with(fixture.job(device == cpu ? 1 : 0, 10, large, 1), packing));
      assertEquals(1, summary.jobsProved());
      fixture.outcomes.clear();
    }
    assertEquals(List.of("plain"), fixture.synthesisOrder);
    assertEquals(1, packing.packed().get());
    assertTrue(fixture.accepted.stream().allMatch(ProofSink.ProvedPartition::verified));
    assertEquals(
        List.of(BigInteger.valueOf(3), BigInteger.valueOf(4)),
        fixture.accepted.get(0).publicInputs());
  }

  /** The fixture's assignment, packed where that is asked for. */
  private record PackingSynthesizer(Synthesizer plain, ProvingKey key, AtomicInteger packed)
      implements Synthesizer {
    PackingSynthesizer(Synthesizer plain, ProvingKey key) {
      this(plain, key, new AtomicInteger());
    }

    @Override
    public CurveId curve() {
      return key.curve();
    }

    @Override
    public long variables() {
      return key.variables();
    }

    @Override
    public long hostBytes() {
      return 0;
    }

    @Override
    public void synthesize(Buffer target) throws InputException, UnsatisfiedException {
      plain.synthesize(target);
    }

    @Override
    public long packedBytes() {
      return PackedScalars.byteSize(variables(), 10);
    }

    @Override
    public void synthesize(ScalarTarget target) {
      packed.incrementAndGet();
      target.put(0, new long[] {1, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}, 3);
      target.put(variables() - 1, new long[] {7, 0, 0, 0}, 1);
    }
  }

  @Test
  void shouldReportEveryStageAndEvent() throws Exception {
    run(fixture.engine(fixture.options(), List.of(cpu)), fixture.job(0, 10, key, 2));
    for (Timeline.Event event : Timeline.Event.values()) {
      assertEquals(2, fixture.stages.get(event.name()), event.name());
    }
    for (String stage : List.of("queued", "synthesis", "device_wait", "msm_h", "verify", "write")) {
      assertEquals(2, fixture.stages.get(stage), stage);
    }
    assertEquals(1, fixture.stages.get("key_load"));
  }

  @Test
  void shouldProveOneAtATimeWhenSynchronous() throws Exception {
    Engine engine = fixture.engine(fixture.options().synchronous(true), List.of(cpu));
    for (int i = 0; i < 20; i++) {
      engine.submit(fixture.job(i, 10, key, 1));
      assertTrue(engine.snapshot().partitionsInFlight() <= 1);
    }
    assertEquals(20, engine.finishAndClose().jobsProved());
    assertEquals(List.of(), fixture.violations(engine));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldFailOneJobAndGoOnWithTheOthers(boolean forks) throws Exception {
    Job bad =
        EngineFixture.with(
            fixture.job(1, 10, key, 1),
            FakeSynthesizer.failing(key, forks, new InputException("w", "x")));
    Job broken =
        EngineFixture.with(
            fixture.job(2, 10, key, 1),
            FakeSynthesizer.failing(key, forks, new UnsatisfiedException("y")));
    Job bug =
        EngineFixture.with(
            fixture.job(3, 10, key, 1),
            FakeSynthesizer.failing(key, forks, new IllegalStateException()));
    Engine engine = fixture.engine(fixture.options(), List.of(cpu));
    EngineSummary summary =
        run(engine, fixture.job(0, 10, key, 2), bad, broken, bug, fixture.job(4, 10, key, 1));
    assertEquals(2, summary.jobsProved());
    assertEquals(FailureClass.INPUT, fixture.failureOf("job1"));
    assertEquals("w: x", fixture.outcomes.get("job1").failure().getMessage());
    assertEquals(FailureClass.UNSATISFIED, fixture.failureOf("job2"));
    assertEquals(FailureClass.INTERNAL, fixture.failureOf("job3"));
  }

  @Test
  void shouldRefuseWhatCanNeverFitWithTheNumbers() throws Exception {
    ProvingKey large = new SimulatedKey("large.zkey", 22);
    Engine engine = fixture.engine(fixture.options(), List.of(cpu));
    run(engine, fixture.job(0, 10, large, 2), fixture.job(1, 10, key, 1));
    assertEquals(FailureClass.MEMORY, fixture.failureOf("job0"));
    String message = fixture.outcomes.get("job0").failure().getMessage();
    assertTrue(message.contains("needs ") && message.contains(" " + 1024 * MIB), message);
    assertEquals(Status.PROVED, fixture.outcomes.get("job1").status());
  }

  @Test
  void shouldRefuseAnAssignmentOfAnotherLength() throws Exception {
    Job job =
        EngineFixture.with(
            fixture.job(0, 10, key, 1),
            fixture.synthesizer(new SimulatedKey("b.zkey", 9), "other", true));
    run(fixture.engine(fixture.options(), List.of(cpu)), job);
    assertEquals(FailureClass.INPUT, fixture.failureOf("job0"));
    String message = fixture.outcomes.get("job0").failure().getMessage();
    assertTrue(message.contains("512") && message.contains("1024"), message);
  }

  @Test
  void shouldBlameTheWitnessAndNotTheDevice() throws Exception {
    Engine engine = fixture.engine(fixture.options(), List.of(gpu(0), gpu(1)));
    Job[] jobs = new Job[6];
    for (int i = 0; i < jobs.length; i++) {
      jobs[i] = fixture.job(i, 10, key, 1, false);
    }
    EngineSummary summary = run(engine, jobs);
    assertEquals(6, summary.jobsFailed());
    assertEquals(FailureClass.UNSATISFIED, fixture.failureOf("job0"));
    assertEquals(List.of(), fixture.accepted);
    assertTrue(summary.devices().stream().allMatch(device -> device.faults() == 0));
  }

  @Test
  void shouldBlameTheWitnessOnTheCpuAlone() throws Exception {
    run(fixture.engine(fixture.options(), List.of(cpu)), fixture.job(0, 10, key, 1, false));
    assertEquals(FailureClass.UNSATISFIED, fixture.failureOf("job0"));
  }

  @Test
  void shouldRepairAWrongProofOnTheCpu() throws Exception {
    FakeBackend repeat = new FakeBackend(new Model(-1, 8L << 30, 0.2));
    Engine engine =
        fixture.engine(
            fixture.options(), List.of(faulty(gpu(0), "0:prove:1:wrong-point")), () -> repeat);
    EngineSummary summary = run(engine, fixture.job(0, 10, key, 1), fixture.job(1, 10, key, 1));
    assertEquals(2, summary.jobsProved());
    assertEquals(1, summary.devices().get(0).faults());
    assertEquals(2, repeat.keyLoads() + summary.devices().get(1).proofs() - 1);
    assertTrue(repeat.isClosed());
    assertTrue(fixture.accepted.stream().anyMatch(one -> one.times().attempts() == 3));
    assertFalse(fixture.notices.isEmpty());
  }

  @Test
  void shouldRepairAWrongProofOnTheSameCpu() throws Exception {
    Engine engine =
        fixture.engine(fixture.options(), List.of(faulty(cpu, "0:prove:1:wrong-point")));
    EngineSummary summary = run(engine, fixture.job(0, 10, key, 1));
    assertEquals(1, summary.jobsProved());
    assertEquals(1, summary.devices().get(0).faults());
  }

  @Test
  void shouldQuarantineADeviceAtItsSecondFault() throws Exception {
    Backend bad = faulty(gpu(0), "0:prove:*:wrong-point");
    Engine engine = fixture.engine(fixture.options(), List.of(bad, gpu(1)));
    Job[] jobs = new Job[20];
    for (int i = 0; i < jobs.length; i++) {
      jobs[i] = fixture.job(i, 10, key, 1);
    }
    EngineSummary summary = run(engine, jobs);
    assertEquals(20, summary.jobsProved());
    assertEquals("quarantined", summary.devices().get(0).stage());
    assertTrue(fixture.accepted.stream().allMatch(one -> one.times().device() == 1));
  }

  @Test
  void shouldGiveUpWhenEveryDeviceIsWrong() throws Exception {
    Backend bad = faulty(gpu(0), "0:prove:1:wrong-point", "0:prove:3:wrong-point");
    Engine engine = fixture.engine(fixture.options().cpuRepeat(false), List.of(bad));
    run(engine, fixture.job(0, 10, key, 1));
    assertEquals(FailureClass.WRONG_PROOF, fixture.failureOf("job0"));
    assertEquals(List.of(), fixture.accepted);
  }

  @Test
  void shouldMoveWorkAwayFromALostDevice() throws Exception {
    Engine engine =
        fixture.engine(fixture.options(), List.of(faulty(gpu(0), "0:submit:2:lost"), gpu(1)));
    Job[] jobs = new Job[12];
    for (int i = 0; i < jobs.length; i++) {
      jobs[i] = fixture.job(i, 10, new SimulatedKey("k" + i, 10), 1);
    }
    EngineSummary summary = run(engine, jobs);
    assertEquals(12, summary.jobsProved());
    assertEquals("lost", summary.devices().get(0).stage());
  }

  @Test
  void shouldFailWithTheCauseWhenTheOnlyDeviceIsLost() throws Exception {
    Engine engine = fixture.engine(fixture.options(), List.of(faulty(gpu(0), "0:load:1:lost")));
    run(engine, fixture.job(0, 10, key, 3), fixture.job(1, 10, key, 1));
    assertEquals(FailureClass.DEVICE, fixture.failureOf("job0"));
    assertEquals(FailureClass.DEVICE, fixture.failureOf("job1"));
  }

  @Test
  void shouldTryAnotherDeviceWhenMemoryIsGone() throws Exception {
    Backend full = faulty(gpu(0), "0:load:*:out-of-memory");
    Engine engine = fixture.engine(fixture.options(), List.of(full, gpu(1)));
    EngineSummary summary = run(engine, fixture.job(0, 10, key, 4));
    assertEquals(1, summary.jobsProved());
    assertEquals(0, summary.devices().get(0).proofs());
  }

  @Test
  void shouldFailThePartitionAloneWhenNoDeviceHasRoom() throws Exception {
    Engine engine =
        fixture.engine(
            fixture.options(),
            List.of(faulty(cpu, "0:load:1:out-of-memory", "0:load:2:out-of-memory")));
    engine.submit(fixture.job(0, 10, key, 1));
    engine.awaitIdle();
    assertEquals(FailureClass.MEMORY, fixture.failureOf("job0"));
    engine.submit(fixture.job(1, 10, key, 1));
    assertEquals(1, engine.finishAndClose().jobsProved());
    assertEquals(List.of(), fixture.violations(engine));
  }

  @Test
  void shouldFailTheJobWhenItsProofsCannotBeWritten() throws Exception {
    fixture.refusal = new JobFailure(FailureClass.OUTPUT, "disk full");
    run(fixture.engine(fixture.options(), List.of(cpu)), fixture.job(0, 10, key, 3));
    assertEquals(FailureClass.OUTPUT, fixture.failureOf("job0"));
  }

  @Test
  void shouldEndAJobAtItsTimeLimit() throws Exception {
    Engine engine =
        fixture.engine(fixture.options(), List.of(new FakeBackend(new Model(-1, 8L << 30, 5_000))));
    Job slow = fixture.job(0, 10, key, 1);
    Job limited = new Job(0, "slow", "circom", 10, Duration.ofMillis(50), slow.partitions(), null);
    long start = System.nanoTime();
    run(engine, limited);
    assertTrue(System.nanoTime() - start < 2_000_000_000L);
    assertEquals(FailureClass.STOPPED, fixture.failureOf("slow"));
    assertTrue(fixture.outcomes.get("slow").failure().getMessage().contains("50ms"));
  }

  @Test
  void shouldStopWithinTheGraceTimeDuringALongNativeCall() throws Exception {
    FakeBackend stubborn = new FakeBackend(new Model(-1, 8L << 30, 0, 30_000, false));
    Engine engine = fixture.engine(fixture.options(), List.of(stubborn));
    for (int i = 0; i < 5; i++) {
      engine.submit(fixture.job(i, 10, key, 1));
    }
    Thread.sleep(50);
    long start = System.nanoTime();
    engine.stop(Duration.ofMillis(200), "SIGTERM");
    EngineSummary summary = engine.finishAndClose();
    assertTrue(System.nanoTime() - start < 1_200_000_000L);
    assertTrue(summary.abandoned());
    assertEquals("SIGTERM", summary.stopReason());
    assertEquals(5, summary.jobsDropped());
    assertEquals(Status.DROPPED, fixture.outcomes.get("job4").status());
  }

  @Test
  void shouldFinishWhatRunsWithinTheGraceTime() throws Exception {
    FakeBackend slow = new FakeBackend(new Model(-1, 8L << 30, 150));
    Engine engine = fixture.engine(fixture.options().maxInFlight(1), List.of(slow));
    engine.submit(fixture.job(0, 10, key, 1));
    engine.submit(fixture.job(1, 10, key, 1));
    Thread.sleep(50);
    engine.stop(Duration.ofSeconds(10), "SIGINT");
    engine.submit(fixture.job(2, 10, key, 1));
    EngineSummary summary = engine.finishAndClose();
    assertEquals(List.of(), fixture.violations(engine));
    assertEquals(1, summary.jobsProved());
    assertEquals(2, summary.jobsDropped());
    assertFalse(summary.abandoned());
  }

  @Test
  void shouldCancelAtOnceWhenStoppedTwice() throws Exception {
    Engine engine =
        fixture.engine(fixture.options(), List.of(new FakeBackend(new Model(-1, 8L << 30, 9_000))));
    engine.submit(fixture.job(0, 10, key, 1));
    Thread.sleep(50);
    long start = System.nanoTime();
    engine.stop(Duration.ofSeconds(60), "SIGINT");
    engine.stop(Duration.ofSeconds(60), "SIGINT");
    EngineSummary summary = engine.finishAndClose();
    assertTrue(System.nanoTime() - start < 1_000_000_000L);
    assertEquals(1, summary.jobsDropped());
    assertEquals(List.of(), fixture.violations(engine));
  }

  @Test
  void shouldHaltAsTold() throws Exception {
    for (EngineOptions.Halt halt : EngineOptions.Halt.values()) {
      EngineFixture local = new EngineFixture();
      FakeBackend device = new FakeBackend(new Model(-1, 8L << 30, 20));
      Engine engine = local.engine(local.options().halt(halt).maxInFlight(1), List.of(device));
      engine.submit(local.job(0, 10, key, 1, false));
      for (int i = 1; i < 10; i++) {
        engine.submit(local.job(i, 10, key, 1));
      }
      EngineSummary summary = engine.finishAndClose();
      assertEquals(List.of(), local.violations(engine), halt.name());
      assertEquals(1, summary.jobsFailed(), halt.name());
      assertEquals(halt == EngineOptions.Halt.NEVER ? 9 : 0, summary.jobsProved(), halt.name());
    }
  }

  @Test
  void shouldBlockSubmissionWhileManyJobsWait() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    Synthesizer right = fixture.synthesizer(key, "gate", true);
    Job first =
        EngineFixture.with(
            fixture.job(0, 10, key, 1),
            new FakeSynthesizer(
                key,
                0,
                target -> {
                  try {
                    gate.await();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  right.synthesize(target);
                }));
    Engine engine = fixture.engine(fixture.options().synchronous(true), List.of(cpu));
    engine.submit(first);
    Thread submitter =
        new Thread(
            () -> {
              try {
                for (int i = 1; i <= Engine.MAX_WAITING_JOBS + 100; i++) {
                  engine.submit(fixture.job(i, 10, key, 1));
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    submitter.start();
    submitter.join(500);
    assertTrue(submitter.isAlive());
    assertEquals(Engine.MAX_WAITING_JOBS, engine.snapshot().jobsWaiting());
    gate.countDown();
    submitter.join();
    assertEquals(Engine.MAX_WAITING_JOBS + 101, engine.finishAndClose().jobsProved());
    assertEquals(List.of(), fixture.violations(engine));
  }

  @Test
  void shouldRunHigherPrioritiesFirst() throws Exception {
    FakeBackend device = new FakeBackend(new Model(-1, 8L << 30, 20));
    Engine engine = fixture.engine(fixture.options().maxInFlight(1), List.of(device));
    engine.submit(fixture.job(0, 10, key, 1));
    Thread.sleep(5);
    engine.submit(fixture.job(1, 10, key, 2));
    engine.submit(fixture.job(2, 40, key, 2));
    engine.submit(fixture.job(3, 20, key, 1));
    engine.finishAndClose();
    assertEquals(
        List.of("job0/0", "job2/0", "job2/1", "job3/0", "job1/0", "job1/1"),
        fixture.synthesisOrder);
  }

  @Test
  void shouldKeepWithinDeviceMemoryWithManyKeys() throws Exception {
    FakeBackend device = new FakeBackend(new Model(0, 64 * MIB, 0.1));
    Engine engine = fixture.engine(fixture.options().deviceMemoryBudget(64 * MIB), List.of(device));
    Job[] jobs = new Job[30];
    for (int i = 0; i < jobs.length; i++) {
      jobs[i] = fixture.job(i, 10, new SimulatedKey("key" + i % 10, 14 + i % 2), 1);
    }
    for (Job job : jobs) {
      engine.submit(job);
    }
    assertEquals(30, engine.finishAndClose().jobsProved());
    assertEquals(List.of(), fixture.violations(engine));
    assertTrue(device.peakBytes() <= 64 * MIB);
  }

  @Test
  void shouldSpendLittleOnEachSmallProof() throws Exception {
    FakeBackend device = new FakeBackend(new Model(-1, 8L << 30, 0));
    ProvingKey small = new SimulatedKey("small", 6);
    Engine engine = fixture.engine(fixture.options(), List.of(device));
    long start = System.nanoTime();
    for (int i = 0; i < 5_000; i++) {
      engine.submit(fixture.job(i, 10, small, 1));
    }
    assertEquals(5_000, engine.finishAndClose().jobsProved());
    assertEquals(List.of(), fixture.violations(engine));
    double millis = (System.nanoTime() - start) / 1e6 / 5_000;
    assertTrue(millis < 20, "the engine took " + millis + " ms a proof");
  }

  @Test
  void shouldDrawEqualBlindingOnlyUnderASeed() throws Exception {
    assertEquals(proofUnder(7L), proofUnder(7L));
    assertNotEquals(proofUnder(7L), proofUnder(8L));
    assertNotEquals(proofUnder(null), proofUnder(null));
  }

  private Object proofUnder(Long seed) throws Exception {
    EngineFixture local = new EngineFixture();
    EngineOptions.Builder options = local.options();
    if (seed != null) {
      options.insecureSeed(seed);
    }
    FakeBackend device = new FakeBackend(new Model(-1, 8L << 30, 0));
    Engine engine = local.engine(options, List.of(device));
    engine.submit(local.job(0, 10, key, 1));
    engine.finishAndClose();
    return local.accepted.get(0).proof();
  }
}
