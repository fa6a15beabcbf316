package dev.cuzk.cli;

import dev.cuzk.device.Plan;
import dev.cuzk.engine.Forecast;
import dev.cuzk.engine.Job;
import dev.cuzk.engine.Partition;
import dev.cuzk.engine.simulation.Simulation;
import dev.cuzk.report.DeviceUse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code cuzk plan} prints. */
final class PlanReport {
  private static final String BASIS =
      "a prediction from what was measured on one NVIDIA H200 or 16 Xeon cores, scaled by rows";

  /** A partition and what it takes on each device. */
  record Row(Job job, Partition partition, List<Forecast.Entry> entries) {
    boolean fits() {
      return entries.stream().anyMatch(Forecast.Entry::fits);
    }

    /** On the first device that can take it; on the first of all if none can. */
    Forecast.Entry shown() {
      return entries.stream().filter(Forecast.Entry::fits).findFirst().orElse(entries.get(0));
    }

    String name() {
      return job.name() + ", partition " + partition.index();
    }
  }

  private final PlanDevices devices;
  private final List<Row> rows;
  private final Simulation.Outcome outcome;

  /** {@code outcome}: null if something can never fit. */
  PlanReport(PlanDevices devices, List<Row> rows, Simulation.Outcome outcome) {
    this.devices = devices;
    this.rows = rows;
    this.outcome = outcome;
  }

  /** One line for each partition that can never be proved. */
  List<String> refusals() {
    List<String> lines = new ArrayList<>();
    for (Row row : rows) {
      if (!row.fits()) {
        List<String> reasons = row.entries().stream().map(Forecast.Entry::refusal).toList();
        lines.add(
            row.name()
                + ": can never be proved here: "
                + String.join("; ", reasons)
                + ". Raise the budgets or use larger devices.");
      }
    }
    return lines;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    String form = "%-32s %9s  %-28s %10s %11s %10s %10s %10s";
    lines.add(
        String.format(
            Locale.ROOT,
            form,
            "job",
            "partition",
            "plan",
            "host",
            "page-locked",
            "key",
            "proof",
            "seconds"));
    for (Row row : rows) {
      Forecast.Entry entry = row.shown();
      lines.add(
          String.format(
              Locale.ROOT,
              form,
              row.job().name(),
              row.partition().index(),
              entry.plan(),
              MemorySize.format(entry.hostBytes()),
              MemorySize.format(entry.pinnedBytes()),
              MemorySize.format(entry.keyBytes()),
              MemorySize.format(entry.proofBytes()),
              row.fits() ? seconds(devices.seconds(row.partition(), entry)) : "never"));
    }
    if (outcome != null) {
      lines.add(
          String.format(
              Locale.ROOT,
              "partitions: %d, jobs: %d, predicted seconds: %s on %s (%s)",
              rows.size(),
              rows.stream().map(Row::job).distinct().count(),
              seconds(outcome.makespanSeconds()),
              String.join(", ", devices.names()),
              BASIS));
      for (int i = 0; i < outcome.devices().size(); i++) {
        lines.add(line(devices.names().get(i), outcome.devices().get(i)));
      }
      outcome.failures().forEach(lines::add);
    }
    return lines;
  }

  private String line(String name, Simulation.DeviceOutcome device) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: busy %.1f %%, partitions: %d, peak %s, gaps: median %.1f ms, 99th percentile %.1f"
                + " ms, longest %.1f ms",
            name,
            100 * device.busyFraction(),
            device.proofs(),
            MemorySize.format(device.peakBytes()),
            device.gapMs(0.5),
            device.gapMs(0.99),
            device.gapMs(1)));
    for (DeviceUse.Share share : device.use().idle()) {
      if (share.fraction() >= 0.001) {
        text.append(
            String.format(Locale.ROOT, "; %s %.1f %%", share.cause(), 100 * share.fraction()));
      }
    }
    return text.toString();
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.3f" : "%.0f", value);
  }

  Map<String, Object> json() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("fits", rows.stream().allMatch(Row::fits));
    object.put("partitions", rows.stream().map(this::partition).toList());
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < devices.names().size(); i++) {
      list.add(device(i));
    }
    object.put("devices", list);
    if (outcome != null) {
      object.put("predicted_seconds", outcome.makespanSeconds());
      object.put("basis", BASIS);
      object.put("failures", outcome.failures());
    }
    return object;
  }

  private Map<String, Object> partition(Row row) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("job", row.job().name());
    object.put("kind", row.job().kind());
    object.put("index", row.partition().index());
    object.put("priority", row.job().priority());
    List<Object> list = new ArrayList<>();
    for (Forecast.Entry entry : row.entries()) {
      Map<String, Object> needs = new LinkedHashMap<>();
      needs.put("device", entry.device());
      needs.put("plan", plan(entry.plan()));
      needs.put("host_bytes", entry.hostBytes());
      needs.put("pinned_bytes", entry.pinnedBytes());
      needs.put("key_bytes", entry.keyBytes());
      needs.put("proof_bytes", entry.proofBytes());
      needs.put("together", entry.together());
      if (entry.fits()) {
        needs.put("predicted_seconds", devices.seconds(row.partition(), entry));
      } else {
        needs.put("refusal", entry.refusal());
      }
      list.add(needs);
    }
    object.put("needs", list);
    return object;
  }

  private static Map<String, Object> plan(Plan plan) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("resident_key", plan.residentKey());
    object.put("batch", plan.batch());
    object.put("table_levels", plan.tableLevels());
    object.put("window_bits", plan.windowBits());
    object.put("chunk_log2", plan.chunkLog2());
    return object;
  }

  private Map<String, Object> device(int index) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("index", index);
    object.put("name", devices.names().get(index));
    object.put("memory_bytes", devices.memory().get(index));
    object.put("budget_bytes", devices.budgets().get(index));
    if (outcome != null) {
      Simulation.DeviceOutcome device = outcome.devices().get(index);
      object.put("busy_fraction", device.busyFraction());
      object.put("peak_bytes", device.peakBytes());
      object.put("partitions", device.proofs());
      Map<String, Object> gaps = new LinkedHashMap<>();
      gaps.put("count", device.gapsMs().size());
      gaps.put("p50_ms", device.gapMs(0.5));
      gaps.put("p99_ms", device.gapMs(0.99));
      gaps.put("longest_ms", device.gapMs(1));
      object.put("gaps", gaps);
      Map<String, Object> idle = new LinkedHashMap<>();
      device.use().idle().forEach(share -> idle.put(share.cause(), share.fraction()));
      object.put("idle_fractions", idle);
    }
    return object;
  }
}
