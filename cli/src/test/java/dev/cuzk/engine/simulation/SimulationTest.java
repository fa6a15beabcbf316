package dev.cuzk.engine.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.device.Backend.MemoryNeeds;
import dev.cuzk.device.Plan;
import dev.cuzk.device.Stage;
import dev.cuzk.engine.EngineOptions;
import dev.cuzk.engine.Job;
import dev.cuzk.engine.Partition;
import dev.cuzk.engine.simulation.Simulation.Device;
import dev.cuzk.engine.simulation.Simulation.DeviceOutcome;
import dev.cuzk.engine.simulation.Simulation.Outcome;
import dev.cuzk.key.ProvingKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The cases of the two reports that ENGINE's rules come from, and what else schedules must show.
 */
@Timeout(20)
class SimulationTest {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  /** A snap partition: a 4,096 MiB buffer and as much again in temporaries beside the key. */
  private record SnapCosts(double uploadMs, double computeMs, double keyMs) implements FakeCosts {
    @Override
    public List<Plan> plans(ProvingKey key, Plan wish) {
      return List.of(Plan.RESIDENT);
    }

    @Override
    public MemoryNeeds needs(ProvingKey key, Plan plan) {
      return new MemoryNeeds(7 * GIB, 4096 * MIB + 4096 * MIB, 4096 * MIB, 64 * MIB);
    }

    @Override
    public double keyLoadMs(ProvingKey key, Plan plan) {
      return keyMs;
    }

    @Override
    public double[] stageMs(ProvingKey key, Plan plan) {
      double[] ms = new double[Stage.values().length];
      ms[Stage.UPLOAD.ordinal()] = uploadMs;
      ms[Stage.NTT.ordinal()] = computeMs * 0.2;
      ms[Stage.MSM_A.ordinal()] = computeMs * 0.8;
      return ms;
    }
  }

  private static EngineOptions.Builder options() {
    return EngineOptions.builder(200 * GIB, 100 * GIB).synthesisThreads(8).verifyThreads(4);
  }

  private static Job job(Simulation simulation, int partitions, double synthesisMs) {
    ProvingKey key = new SimulatedKey("snap", 27);
    List<Partition> parts = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      SimulatedSynthesizer synthesizer =
          new SimulatedSynthesizer(
              key.curve(), key.variables(), MIB, synthesisMs, simulation.scheduler());
      parts.add(new Partition(i, key, synthesizer));
    }
    return new Job(0, "snap", "snap", 20, null, parts, null);
  }

  private static Outcome run(long seed, int devices, long memory, FakeCosts costs)
      throws Exception {
    Simulation simulation = new Simulation(seed);
    List<Device> fakes = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      fakes.add(new Device(memory, costs));
    }
    return simulation.run(fakes, options(), List.of(job(simulation, 16, 500)));
  }

  @Test
  void shouldKeepTwoDevicesBusyThatWantedTheSameMillisecond() throws Exception {
    FakeCosts costs = new SnapCosts(0, 4_000, 1_000);
    for (long seed = 0; seed < 50; seed++) {
      Outcome one = run(seed, 1, 20 * GIB, costs);
      Outcome two = run(seed, 2, 20 * GIB, costs);
      assertEquals(List.of(), two.failures());
      assertEquals(1, two.jobsProved());
      for (DeviceOutcome device : two.devices()) {
        assertEquals(8, device.proofs());
        assertTrue(device.busyFraction() > 0.9, "busy " + device.busyFraction());
        assertTrue(device.peakBytes() <= 20 * GIB);
      }
      double speedup = one.makespanSeconds() / two.makespanSeconds();
      assertTrue(speedup >= 1.9, "two devices are " + speedup + " times as fast as one");
    }
  }

  @Test
  void shouldNotLetSlowFinalizersHoldUpADevice() throws Exception {
    for (long seed = 0; seed < 20; seed++) {
      Simulation simulation = new Simulation(seed).finishing(300, 300);
      Outcome outcome =
          simulation.run(
              List.of(new Device(80 * GIB, new SnapCosts(1, 200, 0))),
              options(),
              List.of(job(simulation, 60, 100)));
      DeviceOutcome device = outcome.devices().get(0);
      assertEquals(60, device.proofs());
      assertTrue(device.gapMs(0.5) <= 5, "median " + device.gapMs(0.5));
      assertTrue(device.gapMs(0.99) <= 20, "99th " + device.gapMs(0.99));
    }
  }

  @Test
  void shouldNameSlowUploadAsTheCauseOfGaps() throws Exception {
    // 4,096 MiB from pageable memory at 2 GB/s.
    Outcome outcome = run(1, 1, 80 * GIB, new SnapCosts(2_147, 2_000, 0));
    DeviceOutcome device = outcome.devices().get(0);
    assertTrue(device.use().gaps().size() >= 15);
    long uploads = device.use().gaps().stream().filter(gap -> gap.cause().equals("upload")).count();
    assertTrue(uploads >= 15, device.use().gaps().toString());
    assertEquals("upload", device.use().idle().get(0).cause());
  }

  @Test
  void shouldGiveUnequalDevicesWorkByTheirSpeed() throws Exception {
    Simulation simulation = new Simulation(3);
    FakeCosts fast = new SnapCosts(0, 1_000, 0);
    FakeCosts slow = new SnapCosts(0, 4_000, 0);
    Outcome outcome =
        simulation.run(
            List.of(new Device(80 * GIB, fast), new Device(80 * GIB, slow)),
            options(),
            List.of(job(simulation, 50, 100)));
    // 1.25 partitions a second together: 40 s, and what the last one on the slow device takes.
    assertTrue(outcome.makespanSeconds() < 44, "took " + outcome.makespanSeconds());
    assertTrue(outcome.devices().get(1).proofs() >= 8);
  }

  @Test
  void shouldLeaveTheLastPartitionsToTheFastDevice() throws Exception {
    Simulation simulation = new Simulation(4);
    FakeCosts fast = new SnapCosts(0, 1_000, 0);
    FakeCosts slow = new SnapCosts(0, 60_000, 0);
    Outcome outcome =
        simulation.run(
            List.of(new Device(80 * GIB, fast), new Device(80 * GIB, slow)),
            options(),
            List.of(job(simulation, 70, 100)));
    assertEquals(1, outcome.devices().get(1).proofs());
    assertTrue(outcome.makespanSeconds() < 72, "took " + outcome.makespanSeconds());
  }

  @Test
  void shouldSynthesizeFarEnoughAheadOfAFastDevice() throws Exception {
    // Eight threads make what one device proves: a partition takes eight times as long to make.
    Simulation simulation = new Simulation(5);
    Outcome outcome =
        simulation.run(
            List.of(new Device(80 * GIB, new SnapCosts(0, 1_000, 0))),
            options(),
            List.of(job(simulation, 80, 7_500)));
    assertTrue(
        outcome.devices().get(0).busyFraction() > 0.8,
        "busy " + outcome.devices().get(0).busyFraction());
  }
}
