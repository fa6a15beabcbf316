package dev.cuzk.engine.simulation;

import dev.cuzk.device.Backend;
import dev.cuzk.engine.Engine;
import dev.cuzk.engine.EngineOptions;
import dev.cuzk.engine.EngineSnapshot;
import dev.cuzk.engine.EngineSummary;
import dev.cuzk.engine.Job;
import dev.cuzk.engine.ProofSink;
import dev.cuzk.report.DeviceUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs the real engine on fake devices in virtual time and says how the devices were used. */
public final class Simulation {
  /** A fake device. */
  public record Device(boolean cpu, long memoryBytes, FakeCosts costs) {
    /** A GPU. */
    public Device(long memoryBytes, FakeCosts costs) {
      this(false, memoryBytes, costs);
    }
  }

  /**
   * How a simulated run went.
   *
   * @param failures what went wrong, a line a job
   */
  public record Outcome(
      double makespanSeconds,
      long jobsProved,
      List<String> failures,
      List<DeviceOutcome> devices) {}

  /**
   * One device.
   *
   * @param busyFraction of the makespan
   * @param gapsMs milliseconds between one computation and the next, ascending
   */
  public record DeviceOutcome(
      double busyFraction, long peakBytes, long proofs, List<Double> gapsMs, DeviceUse use) {
    /** A quantile of the idle times between computations; 0 if there is none. */
    public double gapMs(double quantile) {
      int last = gapsMs.size() - 1;
      return last < 0 ? 0 : gapsMs.get((int) Math.ceil(quantile * last));
    }
  }

  private final VirtualScheduler scheduler;
  private final UseMeter meter = new UseMeter();
  private final List<String> failures = new ArrayList<>();
  private double verifyMs = 5;
  private double writeMs = 10;
  private long jobsProved;

  /** The seed chooses one of the possible interleavings of the engine's threads. */
  public Simulation(long seed) {
    scheduler = new VirtualScheduler(seed);
  }

  /** The clock of this simulation; for synthesizers. */
  public VirtualScheduler scheduler() {
    return scheduler;
  }

  /** Milliseconds for verifying a group of proofs and for writing one; 5 and 10 by default. */
  public Simulation finishing(double verifyMilliseconds, double writeMilliseconds) {
    verifyMs = verifyMilliseconds;
    writeMs = writeMilliseconds;
    return this;
  }

  /** Proves the jobs; once for each instance. */
  public Outcome run(List<Device> devices, EngineOptions.Builder options, List<Job> jobs)
      throws Exception {
    List<FakeBackend> fakes = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      Device device = devices.get(i);
      fakes.add(
          new FakeBackend(
              new FakeBackend.Model(
                  device.cpu() ? -1 : i, device.memoryBytes(), device.costs(), true),
              scheduler));
    }
    EngineSummary summary = scheduler.run(() -> prove(fakes, options, jobs));
    long makespan = Math.max(1, scheduler.nanoTime());
    List<DeviceOutcome> outcomes = new ArrayList<>();
    for (EngineSnapshot.DeviceSnapshot device : summary.devices()) {
      int index = device.index();
      DeviceUse use = meter.use(index, makespan);
      long peak = fakes.get(index).peakBytes();
      outcomes.add(
          new DeviceOutcome(use.busyFraction(), peak, device.proofs(), meter.gapsMs(index), use));
    }
    return new Outcome(makespan / 1e9, jobsProved, failures, outcomes);
  }

  private EngineSummary prove(
      List<? extends Backend> devices, EngineOptions.Builder options, List<Job> jobs)
      throws InterruptedException {
    Engine engine =
        new Engine(
            options.scheduler(scheduler).build(),
            devices,
            null,
            (key, proofs, publicInputs) -> {
              pass(verifyMs);
              boolean[] valid = new boolean[proofs.size()];
              Arrays.fill(valid, true);
              return valid;
            },
            new Sink(),
            meter);
    for (Job job : jobs) {
      engine.submit(job);
    }
    return engine.finishAndClose();
  }

  private void pass(double milliseconds) {
    try {
      scheduler.sleep((long) (milliseconds * 1e6));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Sink implements ProofSink {
    @Override
    public void accept(List<ProvedPartition> group) {
      pass(writeMs);
    }

    @Override
    public void finished(JobOutcome outcome) {
      if (outcome.status() == Status.PROVED) {
        jobsProved++;
      } else {
        failures.add(outcome.job().name() + ": " + outcome.failure().getMessage());
      }
    }
  }
}
