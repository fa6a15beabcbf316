package dev.cuzk.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.engine.simulation.FakeBackend;
import dev.cuzk.engine.simulation.FakeBackend.Model;
import dev.cuzk.engine.simulation.SimulatedKey;
import dev.cuzk.engine.simulation.VirtualScheduler;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.report.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How proofs are grouped for verification, by a real engine in virtual time. */
class FinalizerTest {
  private static final double MS = 1e6;

  private final VirtualScheduler scheduler = new VirtualScheduler(7);
  private final EngineFixture fixture = new EngineFixture(scheduler);
  private final ProvingKey key = new SimulatedKey("small", 8);

  /** Jobs by the moment at which their verification ended: one entry a group. */
  private final Map<Long, List<String>> groups = new LinkedHashMap<>();

  private final List<Double> waitsMs = new ArrayList<>();

  /** Proves jobs, all submitted at once. */
  private void run(EngineOptions.Builder options, double proofMs, List<Job> jobs) throws Exception {
    fixture.listener =
        new Timeline() {
          @Override
          public void event(Event event, String job, int partition, int device, long nanos) {
            if (event == Event.VERIFY_END) {
              groups.computeIfAbsent(nanos, end -> new ArrayList<>()).add(job);
            }
          }

          @Override
          public void stage(
              String stage, String job, int partition, int device, long start, long end) {
            if (stage.equals(EngineStage.VERIFY_WAIT.stableName())) {
              waitsMs.add((end - start) / MS);
            }
          }
        };
    scheduler.run(
        () -> {
          FakeBackend device = new FakeBackend(new Model(0, 20L << 30, proofMs), scheduler);
          Engine engine = fixture.engine(options, List.of(device));
          for (Job job : jobs) {
            engine.submit(job);
          }
          assertEquals(jobs.size(), engine.finishAndClose().jobsProved());
          assertEquals(List.of(), fixture.violations(engine));
          return null;
        });
  }

  private List<Job> jobs(int count) {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(fixture.job(i, 10, key, 1));
    }
    return jobs;
  }

  @Test
  void shouldVerifySmallProofsTogether() throws Exception {
    fixture.verifyMs = 40;
    run(fixture.options().verifyThreads(1), 0.1, jobs(500));
    assertEquals(500, groups.values().stream().mapToInt(List::size).sum());
    assertTrue(groups.values().stream().allMatch(group -> group.size() <= Finalizer.MAX_GROUP));
    // 40 ms a group and 0.1 ms a proof: what came meanwhile is more than a group.
    long full = groups.values().stream().filter(group -> group.size() == 64).count();
    assertTrue(full >= 6, groups.size() + " groups, " + full + " full");
  }

  @Test
  void shouldNotLetASmallProofWaitForOthersBeyondTheDelay() throws Exception {
    fixture.verifyMs = 1;
    run(fixture.options().verifyThreads(1), 20, jobs(40));
    assertTrue(groups.values().stream().anyMatch(group -> group.size() > 1), groups.toString());
    assertTrue(groups.values().stream().allMatch(group -> group.size() <= 8), groups.toString());
    assertTrue(waitsMs.stream().allMatch(wait -> wait <= 51.001), waitsMs.toString());
  }

  @Test
  void shouldVerifyAtOnceWhatTookLong() throws Exception {
    fixture.verifyMs = 1;
    // Two proofs may share a device: each then counts half of their time.
    run(fixture.options(), 200, jobs(10));
    assertEquals(10, groups.size());
    assertTrue(waitsMs.stream().allMatch(wait -> wait < 0.001), waitsMs.toString());
  }

  @Test
  void shouldVerifyTheUrgentFirst() throws Exception {
    fixture.verifyMs = 1_000;
    List<Job> jobs = jobs(200);
    for (int i = 200; i < 220; i++) {
      jobs.add(fixture.job(i, 40, key, 1));
    }
    run(fixture.options().verifyThreads(1), 0.1, jobs);
    List<List<String>> inOrder = new ArrayList<>(groups.values());
    // The first groups were taken before any urgent proof was there; the next has all of them.
    int first = 0;
    while (inOrder.get(first).stream().noneMatch(this::isUrgent)) {
      first++;
    }
    assertTrue(first <= 1, "group " + first);
    List<String> urgent = new ArrayList<>();
    for (List<String> group : inOrder.subList(0, first + 2)) {
      group.stream().filter(this::isUrgent).forEach(urgent::add);
    }
    assertEquals(20, urgent.size(), inOrder.toString());
    assertTrue(inOrder.size() >= 4, inOrder.size() + " groups");
  }

  private boolean isUrgent(String job) {
    return Integer.parseInt(job.substring("job".length())) >= 200;
  }
}
