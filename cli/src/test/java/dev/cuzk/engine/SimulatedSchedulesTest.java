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
import dev.cuzk.engine.simulation.SimulatedKey;
import dev.cuzk.engine.simulation.VirtualScheduler;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.report.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A thousand random schedules of the real engine on simulated devices of 16, 20, 24 and 80 GB,
 * kinds and sizes mixed, failures injected. Each seed is a batch, its devices, its faults and one
 * interleaving of the engine's threads.
 */
class SimulatedSchedulesTest {
  private static final int SCHEDULES = Integer.getInteger("cuzk.test.schedules", 1_000);
  private static final long[] MEMORIES = {16L << 30, 20L << 30, 24L << 30, 80L << 30};

  @Test
  @Timeout(120)
  void shouldKeepEveryPromiseInAThousandSchedules() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> results = new ArrayList<>();
      for (int i = 0; i < SCHEDULES; i++) {
        long seed = i;
        results.add(pool.submit(() -> new Schedule(seed).check()));
      }
      for (int i = 0; i < SCHEDULES; i++) {
        try {
          results.get(i).get();
        } catch (ExecutionException e) {
          throw new AssertionError("schedule " + i, e.getCause());
        }
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void shouldRepeatASeedExactly() throws Exception {
    for (long seed = 0; seed < 20; seed++) {
      Schedule first = new Schedule(seed);
      Schedule second = new Schedule(seed);
      first.check();
      second.check();
      assertEquals(first.scheduler.nanoTime(), second.scheduler.nanoTime());
      assertEquals(first.scheduler.switches(), second.scheduler.switches());
      assertEquals(first.fixture.synthesisOrder, second.fixture.synthesisOrder);
    }
  }

  private static final class Schedule {
    private final Random random;
    private final VirtualScheduler scheduler;
    private final EngineFixture fixture;
    private final List<FakeBackend> devices = new ArrayList<>();
    private final Map<String, Integer> priorities = new HashMap<>();
    private final List<Admitted> admissions = new ArrayList<>();

    private record Admitted(String job, int partition, long submitted, long admitted) {}

    Schedule(long seed) {
      random = new Random(seed);
      scheduler = new VirtualScheduler(seed);
      fixture = new EngineFixture(scheduler);
      fixture.synthesisMs = random.nextInt(4) * 200;
      fixture.verifyMs = random.nextInt(3) * 5;
      fixture.writeMs = random.nextInt(3) * 10;
      fixture.listener =
          new Timeline() {
            @Override
            public void event(Event event, String job, int partition, int device, long nanos) {}

            @Override
            public void stage(
                String stage, String job, int partition, int device, long start, long end) {
              if (stage.equals("queued")) {
                admissions.add(new Admitted(job, partition, start, scheduler.nanoTime()));
              }
            }
          };
    }

    void check() {
      try {
        scheduler.run(
            () -> {
              run();
              return null;
            });
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    private Backend device(int ordinal, boolean mayBeLost) {
      long memory = MEMORIES[random.nextInt(MEMORIES.length)];
      double proofMs = 20 << random.nextInt(7);
      FakeBackend device =
          new FakeBackend(
              new Model(ordinal, memory, random.nextInt(3) * 500, proofMs, random.nextBoolean()),
              scheduler);
      devices.add(device);
      return new FaultInjectingBackend(device, faults(mayBeLost), scheduler);
    }

    private FaultInjectingBackend.Schedule faults(boolean mayBeLost) {
      int rarity = random.nextInt(3) == 0 ? Integer.MAX_VALUE : 10 + random.nextInt(60);
      Random draws = new Random(random.nextLong());
      return (call, number) -> {
        if (draws.nextInt(rarity) != 0) {
          return null;
        }
        Kind kind = Kind.values()[draws.nextInt(Kind.values().length)];
        boolean flips = kind == Kind.WRONG_POINT && call != Call.PROVE;
        boolean never = flips || (kind == Kind.LOST && !mayBeLost);
        return never ? null : new Fault(kind, draws.nextInt(1000));
      };
    }

    private void run() throws Exception {
      List<Backend> backends = new ArrayList<>();
      int count = 1 + random.nextInt(4);
      for (int i = 0; i < count; i++) {
        backends.add(device(i, i > 0));
      }
      EngineOptions.Builder options =
          EngineOptions.builder(64L << 30, 16L << 30)
              .threads(1 + random.nextInt(6))
              .synthesisThreads(1 + random.nextInt(4))
              .verifyThreads(1 + random.nextInt(2))
              .maxInFlight(random.nextInt(3) * 4)
              .synchronous(random.nextInt(10) == 0)
              .notices(fixture.notices::add)
              .scheduler(scheduler);
      FakeBackend cpu = new FakeBackend(new Model(-1, 64L << 30, 500), scheduler);
      Engine engine = fixture.engine(options, backends, random.nextBoolean() ? () -> cpu : null);
      int jobs = 4 + random.nextInt(16);
      submit(engine, jobs);
      if (random.nextInt(4) == 0) {
        scheduler.sleep(random.nextInt(4000) * 1_000_000L);
        engine.stop(Duration.ofMillis(random.nextInt(3000)), "test");
      }
      EngineSummary summary = engine.finishAndClose();
      if (!summary.abandoned()) {
        assertEquals(List.of(), fixture.violations(engine));
        assertEquals(0, cpu.leaks());
        devices.forEach(device -> assertEquals(0, device.leaks()));
        devices.forEach(device -> assertTrue(device.isClosed()));
      }
      assertEquals(jobs, fixture.outcomes.size());
      assertEquals(jobs, summary.jobsProved() + summary.jobsFailed() + summary.jobsDropped());
      for (FakeBackend device : devices) {
        long memory = device.description().memoryTotal();
        assertTrue(device.peakBytes() <= memory, "a device was over-committed");
      }
      checkPartitions();
      checkOrder();
    }

    private void submit(Engine engine, int jobs) throws InterruptedException {
      // 2^21 to 2^25: keys of 1.3 to 21 GiB, of which the largest fits only streamed or nowhere.
      ProvingKey[] keys = new ProvingKey[4];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = new SimulatedKey("key" + i, 21 + random.nextInt(5));
      }
      for (int i = 0; i < jobs; i++) {
        boolean right = random.nextInt(8) != 0;
        ProvingKey key = keys[random.nextInt(keys.length)];
        Job job = fixture.job(i, random.nextInt(3), key, 1 + random.nextInt(6), right);
        if (random.nextInt(12) == 0) {
          job = limited(job, Duration.ofMillis(1 + random.nextInt(5000)));
        }
        priorities.put(job.name(), job.priority());
        engine.submit(job);
        if (random.nextInt(3) == 0) {
          scheduler.sleep(random.nextInt(500) * 1_000_000L);
        }
      }
    }

    private static Job limited(Job job, Duration timeout) {
      return new Job(
          job.sequence(),
          job.name(),
          job.kind(),
          job.priority(),
          timeout,
          job.partitions(),
          job.attachment());
    }

    private void checkPartitions() {
      Map<String, Integer> accepted = new HashMap<>();
      fixture.accepted.forEach(one -> accepted.merge(one.job().name(), 1, Integer::sum));
      for (ProofSink.JobOutcome outcome : fixture.outcomes.values()) {
        int found = accepted.getOrDefault(outcome.job().name(), 0);
        int all = outcome.job().partitions().size();
        boolean proved = outcome.status() == Status.PROVED;
        assertTrue(proved ? found == all : found <= all, outcome.job().name());
      }
      assertTrue(fixture.accepted.stream().allMatch(ProofSink.ProvedPartition::verified));
    }

    /** Nothing is overtaken by what comes after it more often than the bound allows. */
    private void checkOrder() {
      for (Admitted one : admissions) {
        long overtaking =
            admissions.stream()
                .filter(other -> after(one, other))
                .filter(other -> other.admitted > one.submitted && other.admitted < one.admitted)
                .count();
        assertTrue(overtaking <= Admission.MAX_OVERTAKING, one + " was overtaken " + overtaking);
      }
    }

    private boolean after(Admitted one, Admitted other) {
      int difference = priorities.get(one.job) - priorities.get(other.job);
      long older = number(other.job) - number(one.job);
      return difference > 0 || (difference == 0 && older > 0);
    }

    private static long number(String job) {
      return Long.parseLong(job.substring("job".length()));
    }
  }
}
