package dev.cuzk.cli;

import dev.cuzk.batch.BatchInputs;
import dev.cuzk.batch.BatchOptions;
import dev.cuzk.device.DeviceException;
import dev.cuzk.engine.EngineOptions;
import dev.cuzk.engine.ExpectedProofs;
import dev.cuzk.engine.Forecast;
import dev.cuzk.engine.Job;
import dev.cuzk.engine.Partition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cuzk plan}: what {@code cuzk prove} with the same options would take. */
@Command(
    name = "plan",
    header = "Says what a run would take, without running it.",
    description = {
      "Takes what 'cuzk prove' takes and prints each partition with the memory it needs in host,"
          + " page-locked and device memory, the plan it would be proved under and the time that is"
          + " predicted for it. Needs no GPU.",
      "Times are a prediction from what was measured on one NVIDIA H200 (docs/TUNING.md), scaled by"
          + " the number of rows.",
      "Exit code 6 if a partition could never be proved on any of the devices, 3 if an input is"
          + " malformed."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk plan --key circuit.zkey witnesses/",
      "  cuzk plan --simulate-gpus 20GiB,20GiB --key circuit.zkey witnesses/",
      "  cuzk plan --gpu-memory 16GiB --json input.bin"
    })
final class PlanCommand extends ProveCommand {
  @Option(
      names = "--simulate-gpus",
      paramLabel = "SIZES",
      split = ",",
      description =
          "Run the real engine on simulated GPUs of these memory sizes in virtual time, and print"
              + " makespan, busy share, peak memory and gaps for each.")
  List<MemorySize> simulated = List.of();

  @Override
  int run() throws Exception {
    check();
    if (simulated.stream().anyMatch(size -> size.bytes() == 0)) {
      throw usage("--simulate-gpus: a GPU has more than 0 bytes of memory");
    }
    HostLimits limits = HostLimits.ofProcess();
    EngineOptions.Builder engine = engineOptions(limits);
    BatchOptions options = batchOptions(out == null ? Path.of("cuzk-out") : out);
    try (BatchInputs inputs =
        BatchInputs.read(options, console()::warning, ReadingProgress.of(session()))) {
      PlanDevices fleet = PlanDevices.of(devices, simulated, limits, largest(inputs), console());
      ExpectedProofs expected = new ExpectedProofs();
      inputs.jobs().forEach(job -> job.partitions().forEach(p -> expected.add(p.key(), 1)));
      engine.expectedProofs(expected);
      List<PlanReport.Row> rows = rows(inputs.jobs(), new Forecast(engine.build(), fleet.all()));
      boolean fits = rows.stream().allMatch(PlanReport.Row::fits);
      PlanReport report =
          new PlanReport(fleet, rows, fits ? fleet.simulate(engine, inputs.jobs()) : null);
      if (console().isJson()) {
        console().result(Json.write(report.json()));
      } else {
        report.lines().forEach(console()::result);
      }
      report.refusals().forEach(console()::error);
      return fits ? ExitCode.OK : ExitCode.MEMORY;
    }
  }

  private static int largest(BatchInputs inputs) {
    return inputs.jobs().stream()
        .flatMap(job -> job.partitions().stream())
        .mapToInt(partition -> partition.key().domainLog2())
        .max()
        .orElse(-1);
  }

  private static List<PlanReport.Row> rows(List<Job> jobs, Forecast forecast)
      throws DeviceException {
    List<PlanReport.Row> rows = new ArrayList<>();
    for (Job job : jobs) {
      for (Partition partition : job.partitions()) {
        rows.add(new PlanReport.Row(job, partition, forecast.of(partition)));
      }
    }
    return rows;
  }
}
