package dev.cuzk.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.engine.simulation.FakeBackend;
import dev.cuzk.engine.simulation.FakeBackend.Model;
import dev.cuzk.engine.simulation.SimulatedKey;
import dev.cuzk.engine.simulation.VirtualScheduler;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.report.Timeline;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessorsTest {
  private static final long MIB = 1 << 20;

  private final FakeBackend cpu = new FakeBackend(new Model(-1, 1024 * MIB, 5));
  private final AtomicInteger started = new AtomicInteger();

  private Processors with(int threads) {
    return new Processors(threads, Scheduler.SYSTEM);
  }

  private void request(Processors processors, int syntheses) {
    for (int i = 0; i < syntheses; i++) {
      processors.requestSynthesis(started::incrementAndGet);
    }
  }

  private static Thread waiting(Runnable action) throws InterruptedException {
    Thread thread = new Thread(action);
    thread.start();
    while (thread.getState() != Thread.State.WAITING) {
      assertTrue(thread.isAlive(), "it should have to wait");
      Thread.sleep(1);
    }
    return thread;
  }

  @Test
  void shouldKeepOneThreadForVerificationAndOneForAProof() {
    Processors processors = with(8);
    request(processors, 20);
    assertEquals(7, started.get());
    processors.beginVerification();
    processors.endVerification();
    processors.beginProof(cpu);
    for (int i = 0; i < 3; i++) {
      processors.endSynthesis(1);
    }
    assertEquals(7 + 2, started.get(), "one less than before the proof");
    processors.beginVerification();
    processors.endVerification();
    processors.endProof(cpu);
    assertEquals(7 + 3, started.get());
  }

  @Test
  void shouldGiveAProofWhatIsLeft() {
    Processors processors = with(4);
    processors.beginProof(cpu);
    assertEquals(4, cpu.threadLimit());
    request(processors, 1);
    assertEquals(3, cpu.threadLimit());
    processors.beginVerification();
    assertEquals(2, cpu.threadLimit());
    processors.endVerification();
    processors.endSynthesis(1);
    assertEquals(4, cpu.threadLimit());
    processors.endProof(cpu);
  }

  @Test
  void shouldLetOneThreadServeAllInTurn() throws Exception {
    Processors processors = with(1);
    request(processors, 2);
    assertEquals(1, started.get());
    Thread proof = waiting(() -> processors.beginProof(cpu));
    Thread verification = waiting(processors::beginVerification);
    processors.endSynthesis(1);
    verification.join();
    assertEquals(1, started.get(), "a proof that waits goes before syntheses");
    assertTrue(proof.isAlive(), "verification goes first");
    processors.endVerification();
    proof.join();
    Thread next = waiting(processors::beginVerification);
    processors.endProof(cpu);
    next.join();
    processors.endVerification();
    assertEquals(2, started.get());
  }

  @Test
  void shouldLendIdleThreadsToASynthesisThatForks() {
    Processors processors = with(8);
    request(processors, 1);
    assertEquals(6, processors.takeIdle(100));
    assertEquals(0, processors.takeIdle(100));
    request(processors, 1);
    assertEquals(1, started.get());
    processors.endSynthesis(7);
    assertEquals(2, started.get());
    assertEquals(2, processors.takeIdle(2));
  }

  @Test
  void shouldCountThreadsThatOverwriteBuffersBeforeAllOthers() throws Exception {
    Processors processors = with(2);
    AtomicInteger overwriting = new AtomicInteger();
    request(processors, 3);
    processors.requestOverwrite(overwriting::incrementAndGet);
    assertEquals(2, started.get());
    assertEquals(0, overwriting.get(), "both threads synthesize");
    Thread verification = waiting(processors::beginVerification);
    processors.endSynthesis(1);
    assertEquals(1, overwriting.get(), "before the third synthesis and the verification");
    assertTrue(verification.isAlive());
    processors.endOverwrite();
    verification.join();
    assertEquals(2, started.get());
    processors.endVerification();
    assertEquals(3, started.get());
  }

  @Test
  void shouldShareWhatIsLeftBetweenAProofAndTheGpusThatLoadKeys() {
    Processors processors = with(8);
    FakeBackend gpu = new FakeBackend(new Model(0, 1024 * MIB, 5));
    FakeBackend other = new FakeBackend(new Model(1, 1024 * MIB, 5));
    processors.beginCopy(gpu);
    assertEquals(8, gpu.threadLimit());
    processors.beginCopy(other);
    processors.beginProof(cpu);
    assertEquals(8, gpu.threadLimit() + other.threadLimit() + cpu.threadLimit());
    assertTrue(Math.min(gpu.threadLimit(), cpu.threadLimit()) >= 2);
    request(processors, 10);
    assertEquals(5, started.get(), "one thread each is left to them");
    assertEquals(3, gpu.threadLimit() + other.threadLimit() + cpu.threadLimit());
    processors.endCopy(other);
    processors.endProof(cpu);
    processors.endSynthesis(3);
    processors.endCopy(gpu);
    assertEquals(5 + 5, started.get());
  }

  @Test
  void shouldHoldUpSynthesesWhileAKeyGoesToAGpu() {
    Processors processors = with(2);
    FakeBackend gpu = new FakeBackend(new Model(0, 1024 * MIB, 5));
    request(processors, 4);
    processors.beginCopy(gpu);
    assertEquals(1, gpu.threadLimit(), "it begins on one thread");
    processors.endSynthesis(1);
    processors.endSynthesis(1);
    assertEquals(3, started.get(), "one of two threads copies");
    assertEquals(1, gpu.threadLimit());
    processors.endSynthesis(1);
    processors.endSynthesis(1);
    assertEquals(4, started.get());
    assertEquals(2, gpu.threadLimit(), "it takes what is left");
    processors.endCopy(gpu);
    processors.endCopy(gpu);
    processors.beginCopy(gpu);
    processors.endCopies();
    request(processors, 2);
    assertEquals(6, started.get());
  }

  /** In simulated time nothing is missed: every change of what runs is looked at. */
  @Test
  void shouldNeverComputeOnMoreThreadsThanAllowed() throws Exception {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      int threads = 1 + seed % 5;
      VirtualScheduler scheduler = new VirtualScheduler(seed);
      scheduler.run(
          () -> {
            prove(scheduler, threads, random);
            return null;
          });
    }
  }

  private static void prove(VirtualScheduler scheduler, int threads, Random random)
      throws Exception {
    EngineFixture fixture = new EngineFixture(scheduler);
    FakeBackend device = new FakeBackend(new Model(-1, 512 * MIB, 40), scheduler);
    AtomicInteger java = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Runnable look = () -> most.accumulateAndGet(java.get() + device.threadsAtWork(), Math::max);
    ProofChecker checker =
        (key, proofs, publicInputs) -> {
          java.incrementAndGet();
          look.run();
          pass(scheduler, random.nextInt(30));
          look.run();
          java.decrementAndGet();
          return fixture.check(key, proofs, publicInputs);
        };
    EngineOptions options =
        fixture.options().threads(threads).synthesisThreads(threads).verifyThreads(threads).build();
    Engine engine =
        new Engine(options, List.of(device), null, checker, fixture.sink, Timeline.NONE);
    SimulatedKey key = new SimulatedKey("key", 10);
    for (int i = 0; i < 12; i++) {
      Job job = fixture.job(i, 10, key, 1);
      Synthesizer right = job.partitions().get(0).synthesizer();
      engine.submit(
          EngineFixture.with(
              job,
              new FakeSynthesizer(
                  key,
                  1 << 10,
                  target -> {
                    java.incrementAndGet();
                    look.run();
                    pass(scheduler, random.nextInt(100));
                    look.run();
                    java.decrementAndGet();
                    right.synthesize(target);
                  })));
    }
    engine.finishAndClose();
    assertEquals(List.of(), fixture.violations(engine));
    assertEquals(12, fixture.accepted.size());
    assertTrue(most.get() <= threads, most + " threads at work, allowed " + threads);
    assertEquals(threads, most.get(), "threads lie idle");
  }

  private static void pass(Scheduler scheduler, int millis) {
    try {
      scheduler.sleep(TimeUnit.MILLISECONDS.toNanos(millis));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldForkOnAPoolOfItsOwn() throws Exception {
    EngineFixture fixture = new EngineFixture();
    Scheduler machine = Scheduler.SYSTEM;
    FakeBackend device = new FakeBackend(new Model(-1, 512 * MIB, 1), machine);
    EngineOptions options =
        fixture.options().threads(3).synthesisThreads(3).verifyThreads(1).build();
    Engine engine =
        new Engine(options, List.of(device), null, fixture::check, fixture.sink, Timeline.NONE);
    SimulatedKey key = new SimulatedKey("key", 10);
    AtomicInteger parallelism = new AtomicInteger();
    CountDownLatch ran = new CountDownLatch(1);
    Job job = fixture.job(0, 10, key, 1);
    Synthesizer right = job.partitions().get(0).synthesizer();
    FakeSynthesizer plain =
        new FakeSynthesizer(
            key,
            1 << 10,
            target -> {
              ForkJoinPool pool = ForkJoinTask.getPool();
              parallelism.set(pool.getParallelism());
              pool.submit(ran::countDown).join();
              right.synthesize(target);
            });
    engine.submit(EngineFixture.with(job, new Forking(plain)));
    engine.finishAndClose();
    assertEquals(0, ran.getCount());
    assertEquals(3, parallelism.get());
    assertFalse(fixture.accepted.isEmpty());
  }

  private record Forking(FakeSynthesizer plain) implements Synthesizer {
    @Override
    public boolean forks() {
      return true;
    }

    @Override
    public CurveId curve() {
      return plain.curve();
    }

    @Override
    public long variables() {
      return plain.variables();
    }

    @Override
    public long hostBytes() {
      return plain.hostBytes();
    }

    @Override
    public void synthesize(Buffer target) throws InputException, UnsatisfiedException {
      plain.synthesize(target);
    }
  }
}
