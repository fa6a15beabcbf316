package dev.cuzk.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.device.Backend;
import dev.cuzk.engine.ProofSink.Status;
import dev.cuzk.engine.simulation.FakeBackend;
import dev.cuzk.engine.simulation.FakeBackend.Model;
import dev.cuzk.engine.simulation.FaultInjectingBackend;
import dev.cuzk.engine.simulation.FaultInjectingBackend.Call;
import dev.cuzk.engine.simulation.FaultInjectingBackend.Fault;
import dev.cuzk.engine.simulation.FaultInjectingBackend.Kind;
import dev.cuzk.engine.simulation.FaultRule;
import dev.cuzk.engine.simulation.SimulatedKey;
import dev.cuzk.engine.simulation.VirtualScheduler;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every kind of fault at every call and every time, in virtual time: nothing stays behind. */
class InjectedFaultsTest {
  private static final long GIB = 1L << 30;

  private final List<FakeBackend> fakes = new ArrayList<>();

  private Backend device(VirtualScheduler scheduler, int ordinal, FaultRule... rules) {
    FakeBackend fake = new FakeBackend(new Model(ordinal, 20 * GIB, 100, 500, true), scheduler);
    fakes.add(fake);
    return new FaultInjectingBackend(
        fake, FaultInjectingBackend.Schedule.of(List.of(rules)), scheduler);
  }

  /**
   * Six jobs, the third with two partitions; on one or two devices of which the first is faulty.
   */
  private EngineFixture run(int devices, boolean repeat, FaultRule rule) throws Exception {
    VirtualScheduler scheduler = new VirtualScheduler(rule.hashCode());
    EngineFixture fixture = new EngineFixture(scheduler);
    fakes.clear();
    scheduler.run(
        () -> {
          List<Backend> backends = new ArrayList<>();
          for (int i = 0; i < devices; i++) {
            backends.add(i == 0 ? device(scheduler, 0, rule) : device(scheduler, i));
          }
          FakeBackend cpu = new FakeBackend(new Model(-1, 64 * GIB, 2_000), scheduler);
          Engine engine =
              fixture.engine(
                  EngineOptions.builder(64 * GIB, 16 * GIB)
                      .synthesisThreads(2)
                      .verifyThreads(1)
                      .notices(fixture.notices::add)
                      .scheduler(scheduler),
                  backends,
                  repeat ? () -> cpu : null);
          ProvingKey key = new SimulatedKey("key", 22);
          for (int i = 0; i < 6; i++) {
            engine.submit(fixture.job(i, 10, key, i == 2 ? 2 : 1));
          }
          EngineSummary summary = engine.finishAndClose();
          assertEquals(List.of(), fixture.violations(engine), rule.toString());
          assertEquals(6, summary.jobsProved() + summary.jobsFailed(), rule.toString());
          assertEquals(0, cpu.leaks());
          return null;
        });
    for (FakeBackend fake : fakes) {
      assertEquals(0, fake.leaks(), rule.toString());
      assertTrue(fake.isClosed(), rule.toString());
    }
    return fixture;
  }

  private static long proved(EngineFixture fixture) {
    return fixture.outcomes.values().stream()
        .filter(outcome -> outcome.status() == Status.PROVED)
        .count();
  }

  @Test
  void shouldLeaveNothingBehindWhateverFailsWhen() throws Exception {
    for (Call call : Call.values()) {
      for (Kind kind : Kind.values()) {
        if (kind == Kind.WRONG_POINT && call != Call.PROVE) {
          continue;
        }
        for (long number = 0; number <= 5; number++) {
          FaultRule rule = new FaultRule(0, call, number, new Fault(kind, 700));
          for (int devices = 1; devices <= 2; devices++) {
            EngineFixture fixture = run(devices, number % 2 == 1, rule);
            boolean harmless = kind == Kind.DELAY || (devices == 2 && kind == Kind.LOST);
            if (harmless && call != Call.PLAN) {
              assertEquals(6, proved(fixture), rule + " on " + devices);
            }
          }
        }
      }
    }
  }

  @Test
  void shouldRepairFlippedBitsAndKeepEvidence() throws Exception {
    FaultRule second = FaultRule.parse("0:prove:2:wrong-point");
    for (int devices = 1; devices <= 2; devices++) {
      EngineFixture fixture = run(devices, true, second);
      assertEquals(6, proved(fixture));
      assertTrue(fixture.accepted.stream().allMatch(ProofSink.ProvedPartition::verified));
      assertEquals(1, fixture.evidence.size());
      ProofSink.Evidence evidence = fixture.evidence.get(0);
      assertEquals(0, evidence.device());
      assertEquals(1, evidence.faults());
      assertEquals(2, evidence.publicInputs().size());
    }
  }

  @Test
  void shouldUseASmallerPlanWhenMemoryIsGone() throws Exception {
    // Three loads fail: while the assignment is made, for its proof, and after the caches were
    // dropped.
    VirtualScheduler scheduler = new VirtualScheduler(1);
    EngineFixture fixture = new EngineFixture(scheduler);
    scheduler.run(
        () -> {
          Backend backend =
              device(
                  scheduler,
                  0,
                  FaultRule.parse("0:load:1:out-of-memory"),
                  FaultRule.parse("0:load:2:out-of-memory"),
                  FaultRule.parse("0:load:3:out-of-memory"));
          Engine engine =
              fixture.engine(
                  EngineOptions.builder(64 * GIB, 16 * GIB)
                      .synthesisThreads(2)
                      .verifyThreads(1)
                      .scheduler(scheduler),
                  List.of(backend));
          engine.submit(fixture.job(0, 10, new SimulatedKey("key", 22), 1));
          assertEquals(1, engine.finishAndClose().jobsProved());
          assertEquals(List.of(), fixture.violations(engine));
          return null;
        });
    // With a resident key it would be 2.2 GiB.
    assertTrue(fakes.get(0).peakBytes() < 2 * GIB, fakes.get(0).peakBytes() + " bytes");
  }

  @Test
  void shouldFailAWrongWitnessAloneAndBlameNoDevice() throws Exception {
    VirtualScheduler scheduler = new VirtualScheduler(2);
    EngineFixture fixture = new EngineFixture(scheduler);
    scheduler.run(
        () -> {
          Engine engine =
              fixture.engine(
                  EngineOptions.builder(64 * GIB, 16 * GIB)
                      .synthesisThreads(2)
                      .verifyThreads(1)
                      .scheduler(scheduler),
                  List.of(device(scheduler, 0), device(scheduler, 1)));
          ProvingKey key = new SimulatedKey("key", 22);
          for (int i = 0; i < 40; i++) {
            engine.submit(fixture.job(i, 10, key, 1, i != 20));
          }
          EngineSummary summary = engine.finishAndClose();
          assertEquals(39, summary.jobsProved());
          assertTrue(summary.devices().stream().allMatch(one -> one.faults() == 0));
          return null;
        });
    assertEquals(FailureClass.UNSATISFIED, fixture.failureOf("job20"));
    assertTrue(fixture.outcomes.get("job20").failure().getMessage().contains("job20"));
    assertEquals(List.of(), fixture.evidence);
    // 41 proofs on two devices, half a second each, and the first key: nothing else was slowed.
    double seconds = scheduler.nanoTime() / 1e9;
    assertTrue(seconds < 11.5, "took " + seconds + " s");
  }

  @Test
  void shouldFailAJobAtAnyStageAndGoOn() throws Exception {
    Exception[] failures = {
      new InputException("input", "cut off"),
      new UnsatisfiedException("row 3"),
      new IllegalStateException("a bug")
    };
    for (Exception failure : failures) {
      VirtualScheduler scheduler = new VirtualScheduler(3);
      EngineFixture fixture = new EngineFixture(scheduler);
      scheduler.run(
          () -> {
            Engine engine =
                fixture.engine(
                    fixture.options().scheduler(scheduler), List.of(device(scheduler, 0)));
            ProvingKey key = new SimulatedKey("key", 12);
            engine.submit(fixture.job(0, 10, key, 3));
            engine.submit(
                EngineFixture.with(
                    fixture.job(1, 10, key, 1), FakeSynthesizer.failing(key, false, failure)));
            engine.submit(fixture.job(2, 10, key, 3));
            assertEquals(2, engine.finishAndClose().jobsProved());
            assertEquals(List.of(), fixture.violations(engine));
            return null;
          });
      assertEquals(FailureClass.of(failure), fixture.failureOf("job1"));
    }
  }
}
