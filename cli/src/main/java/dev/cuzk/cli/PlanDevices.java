package dev.cuzk.cli;

import dev.cuzk.device.DeviceException;
import dev.cuzk.device.DeviceSelection;
import dev.cuzk.device.Gpu;
import dev.cuzk.device.Nvml;
import dev.cuzk.device.Planner;
import dev.cuzk.engine.EngineOptions;
import dev.cuzk.engine.Forecast;
import dev.cuzk.engine.Job;
import dev.cuzk.engine.Partition;
import dev.cuzk.engine.simulation.PredictedCosts;
import dev.cuzk.engine.simulation.SimulatedSynthesizer;
import dev.cuzk.engine.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;

/**
 * The devices that a plan is for: those asked for, simulated ones, or what a run would take.
 *
 * @param names for the report
 * @param memory bytes of each
 * @param budgets what a run may use of it
 */
record PlanDevices(
    List<String> names, List<Long> memory, List<Long> budgets, boolean cpu, PredictedCosts costs) {

  static PlanDevices of(
      DeviceOptions options,
      List<MemorySize> simulated,
      HostLimits limits,
      int largestDomainLog2,
      Console console)
      throws DeviceException, CommandFailure {
    if (!simulated.isEmpty()) {
      List<Gpu> none = List.of();
      return gpus(none, simulated.stream().map(MemorySize::bytes).toList(), options);
    }
    DeviceSelection selection = Backends.select(options, largestDomainLog2);
    if (!selection.notice().isEmpty()) {
      console.note("cuzk: " + selection.notice());
    }
    if (selection.isCpu()) {
      long host = options.hostBudget(limits);
      PredictedCosts costs =
          new PredictedCosts(Planner.forCpu(), Math.max(1, options.threadsOr(limits)));
      return new PlanDevices(List.of("CPU"), List.of(host), List.of(host), true, costs);
    }
    List<Long> free = new ArrayList<>();
    for (Gpu gpu : selection.gpus()) {
      free.add(Nvml.load(gpu.uuid()).map(Nvml.Load::memoryFree).orElse(gpu.memoryTotal()));
    }
    return gpus(selection.gpus(), free, options);
  }

  private static PlanDevices gpus(List<Gpu> real, List<Long> memory, DeviceOptions options)
      throws DeviceException {
    List<String> names = new ArrayList<>();
    List<Long> budgets = new ArrayList<>();
    for (int i = 0; i < memory.size(); i++) {
      names.add(
          real.isEmpty()
              ? "GPU " + i + " (simulated, " + MemorySize.format(memory.get(i)) + ")"
              : "GPU " + real.get(i).ordinal() + " (" + real.get(i).name() + ")");
      budgets.add(
          options.gpuMemory == null
              ? Forecast.budget(memory.get(i))
              : Math.min(options.gpuMemory.bytes(), memory.get(i)));
    }
    PredictedCosts costs = new PredictedCosts(Planner.forGpus(), 0);
    return new PlanDevices(names, List.copyOf(memory), budgets, false, costs);
  }

  /** As the engine sees them. */
  List<Forecast.Device> all() {
    return budgets.stream().map(budget -> new Forecast.Device(cpu, budget, costs::choose)).toList();
  }

  /** The real engine with these jobs on fakes of these devices, in virtual time. */
  Simulation.Outcome simulate(EngineOptions.Builder engine, List<Job> jobs) throws Exception {
    Simulation simulation = new Simulation(0);
    List<Simulation.Device> fakes = new ArrayList<>();
    for (long bytes : memory) {
      fakes.add(new Simulation.Device(cpu, bytes, costs));
    }
    List<Job> simulatedJobs = jobs.stream().map(job -> withoutInputs(job, simulation)).toList();
    return simulation.run(fakes, engine, simulatedJobs);
  }

  private static Job withoutInputs(Job job, Simulation simulation) {
    List<Partition> partitions = new ArrayList<>();
    for (Partition partition : job.partitions()) {
      partitions.add(
          new Partition(
              partition.index(),
              partition.key(),
              new SimulatedSynthesizer(
                  partition.key().curve(),
                  partition.key().variables(),
                  partition.synthesizer().hostBytes(),
                  PredictedCosts.synthesisMs(partition.key()),
                  simulation.scheduler())));
    }
    return new Job(job.sequence(), job.name(), job.kind(), job.priority(), null, partitions, null);
  }

  /** Seconds predicted for one proof under a plan, the key being loaded. */
  double seconds(Partition partition, Forecast.Entry entry) {
    double sum = 0;
    for (double ms : costs.stageMs(partition.key(), entry.plan())) {
      sum += ms;
    }
    return sum / 1e3;
  }
}
