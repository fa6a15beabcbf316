package dev.cuzk.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.device.Backend;
import dev.cuzk.engine.simulation.FakeBackend;
import dev.cuzk.engine.simulation.FakeBackend.Model;
import dev.cuzk.engine.simulation.FaultInjectingBackend;
import dev.cuzk.engine.simulation.FaultInjectingBackend.Call;
import dev.cuzk.engine.simulation.FaultInjectingBackend.Fault;
import dev.cuzk.engine.simulation.FaultInjectingBackend.Kind;
import dev.cuzk.engine.simulation.SimulatedKey;
import dev.cuzk.key.ProvingKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random failures on several devices: whatever happens, every job ends once and nothing stays. */
class EngineFaultsTest {
  private static FaultInjectingBackend.Schedule random(long seed, boolean mayBeLost) {
    Random random = new Random(seed);
    return (call, number) -> {
      synchronized (random) {
        if (random.nextInt(12) != 0) {
          return null;
        }
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        boolean flips = kind == Kind.WRONG_POINT && call != Call.PROVE;
        return flips || (kind == Kind.LOST && !mayBeLost) ? null : new Fault(kind, 1);
      }
    };
  }

  @Property(tries = 120)
  void shouldEndEveryJobOnceAndLeaveNothingBehind(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    EngineFixture fixture = new EngineFixture();
    List<FakeBackend> devices = new ArrayList<>();
    List<Backend> backends = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      FakeBackend device = new FakeBackend(new Model(i, 64L << 20, 0.05));
      devices.add(device);
      backends.add(new FaultInjectingBackend(device, random(random.nextLong(), i > 0)));
    }
    FakeBackend repeat = new FakeBackend(new Model(-1, 8L << 30, 0.05));
    EngineOptions.Builder options = fixture.options().deviceMemoryBudget(64L << 20);
    options.maxInFlight(random.nextInt(2) * 3);
    Engine engine = fixture.engine(options, backends, () -> repeat);
    ProvingKey[] keys = new ProvingKey[3];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = new SimulatedKey("key" + i, 10 + 2 * i);
    }
    int jobs = 30;
    for (int i = 0; i < jobs; i++) {
      boolean right = random.nextInt(8) != 0;
      engine.submit(
          fixture.job(i, random.nextInt(3), keys[random.nextInt(3)], 1 + random.nextInt(3), right));
    }
    if (random.nextInt(3) == 0) {
      engine.stop(Duration.ofMillis(random.nextInt(5)), "test");
    }
    EngineSummary summary = engine.finishAndClose();
    assertEquals(List.of(), fixture.violations(engine));
    assertEquals(jobs, fixture.outcomes.size());
    assertEquals(jobs, summary.jobsProved() + summary.jobsFailed() + summary.jobsDropped());
    for (FakeBackend device : devices) {
      assertTrue(device.isClosed());
      assertTrue(device.peakBytes() <= 64L << 20, "a device was over-committed");
    }
    long expected =
        fixture.outcomes.values().stream()
            .filter(outcome -> outcome.status() == ProofSink.Status.PROVED)
            .mapToLong(outcome -> outcome.job().partitions().size())
            .sum();
    assertTrue(fixture.accepted.size() >= expected);
    assertTrue(fixture.accepted.stream().allMatch(ProofSink.ProvedPartition::verified));
  }
}
