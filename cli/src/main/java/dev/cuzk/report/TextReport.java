package dev.cuzk.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes a {@link RunReport} for people: report.txt. Plain text, no control characters. */
public final class TextReport {
  private static final int LISTED_FAILURES = 100;
  private static final int LISTED_GAPS = 20;
  private static final int LISTED_SLOWEST = 5;

  private final StringBuilder text = new StringBuilder();

  private TextReport() {}

  /** The whole text, lines ended by a newline. */
  public static String of(RunReport report) {
    TextReport writer = new TextReport();
    writer.head(report);
    writer.failures(report.jobs());
    writer.slowest(report.jobs());
    writer.devices(report.devices());
    writer.keys(report.keys());
    writer.stages(report);
    writer.settings(report);
    return writer.text.toString();
  }

  private void line(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private void head(RunReport report) {
    RunReport.Summary sum = report.summary();
    line(
        "cuzk %s (build %s, ABI %d)",
        report.tool().version(), report.tool().build(), report.tool().abi());
    line(
        "host %s: %s, %d processors, %s",
        report.host().name(),
        report.host().cpu(),
        report.host().processors(),
        report.host().java());
    line("");
    line(
        "jobs: %d  proved %d, resumed %d, failed %d, dropped %d",
        sum.jobs(), sum.proved(), sum.resumed(), sum.failed(), sum.dropped());
    line(
        "exit code: %d%s", sum.exitCode(), sum.stopped() == null ? "" : " (" + sum.stopped() + ")");
    line("self-verification: %s", report.verification());
    line("wall time: %.3f s", sum.wallSeconds());
    if (sum.proved() > 0 && sum.wallSeconds() > 0) {
      line("rate: %.1f proofs a minute", sum.proved() * 60 / sum.wallSeconds());
    }
    line(
        "sums over proofs: synthesis %.3f s, prove %.3f s, verify %.3f s",
        sum.synthesisSeconds(), sum.proveSeconds(), sum.verifySeconds());
    for (String warning : report.warnings()) {
      line("warning: %s", warning);
    }
  }

  private void failures(JobTable table) {
    List<JobReport> failed =
        table.jobs().stream().filter(job -> job.status().equals("failed")).toList();
    if (failed.isEmpty()) {
      return;
    }
    line("");
    line("failed jobs (exit class: message)");
    for (JobReport job : failed.subList(0, Math.min(LISTED_FAILURES, failed.size()))) {
      line("  %s: %d: %s", job.name(), job.exitClass(), job.error());
    }
    if (failed.size() > LISTED_FAILURES) {
      line("  … and %d more in report.json", failed.size() - LISTED_FAILURES);
    }
  }

  private void slowest(JobTable table) {
    List<JobReport> proved =
        table.jobs().stream()
            .filter(job -> job.status().equals("proved"))
            .sorted((a, b) -> Double.compare(b.times().total(), a.times().total()))
            .limit(LISTED_SLOWEST)
            .toList();
    if (proved.isEmpty()) {
      return;
    }
    line("");
    line(
        "slowest jobs (seconds)%21s %9s %9s %9s %9s",
        "queued", "synthesis", "prove", "verify", "total");
    for (JobReport job : proved) {
      JobReport.Times times = job.times();
      line(
          "  %-34s %8.3f %9.3f %9.3f %9.3f %9.3f",
          job.name(),
          times.queued(),
          times.synthesis(),
          times.prove(),
          times.verify(),
          times.total());
    }
  }

  private void devices(List<RunReport.DeviceReport> devices) {
    for (RunReport.DeviceReport device : devices) {
      DeviceFacts facts = device.facts();
      DeviceUse use = device.use();
      line("");
      line(
          "device %d: %s%s%s",
          facts.index(),
          facts.name(),
          facts.uuid().isEmpty() ? "" : " " + facts.uuid(),
          facts.pci().isEmpty() ? "" : " " + facts.pci());
      line(
          "  busy %.1f %%, idle for unknown reasons %.1f %%",
          100 * use.busyFraction(), 100 * use.unexplainedFraction());
      if (!use.idle().isEmpty()) {
        line(
            "  idle for: %s",
            use.idle().stream()
                .map(
                    share ->
                        String.format(
                            Locale.ROOT, "%s %.1f %%", share.cause(), 100 * share.fraction()))
                .collect(Collectors.joining(", ")));
      }
      if (device.nvmlUtilisation() >= 0) {
        line("  NVML: used %.1f %% of the time", 100 * device.nvmlUtilisation());
      }
      if (use.buckets() != null && use.buckets().length > 0) {
        line("  use, each character %.1f s:", UseStrip.secondsEach(use.buckets()));
        UseStrip.lines(use.buckets()).forEach(strip -> line("  %s", strip));
      }
      List<DeviceUse.Gap> longest =
          use.gaps().stream()
              .sorted((a, b) -> Double.compare(b.ms(), a.ms()))
              .limit(LISTED_GAPS)
              .toList();
      if (!longest.isEmpty()) {
        line(
            "  gaps over 100 ms: %d%s",
            use.gaps().size(), use.gaps().size() > LISTED_GAPS ? ", the longest:" : "");
      }
      for (DeviceUse.Gap gap : longest) {
        line("    at %12.1f ms for %10.1f ms: %s", gap.startMs(), gap.ms(), gap.cause());
      }
    }
  }

  private void keys(List<RunReport.KeyReport> keys) {
    if (keys.isEmpty()) {
      return;
    }
    line("");
    line("keys");
    for (RunReport.KeyReport key : keys) {
      line(
          "  %s: %s, domain %d, sha256 %s (%s), loaded in %.3f s",
          key.path(),
          key.curve(),
          key.domain(),
          key.sha256() == null ? "unknown" : key.sha256(),
          key.digestState(),
          key.loadSeconds());
    }
  }

  private void stages(RunReport report) {
    if (report.stages().isEmpty()) {
      return;
    }
    line("");
    line("%-24s %10s %14s %12s %12s", "stage", "count", "sum (s)", "mean (ms)", "longest (ms)");
    for (TimelineRecorder.StageSum stage : report.stages()) {
      line(
          "%-24s %10d %14.3f %12.3f %12.3f",
          stage.name(),
          stage.count(),
          stage.seconds(),
          stage.seconds() * 1e3 / stage.count(),
          stage.longestMs());
    }
    EngineFigures figures = report.figures();
    for (EngineFigures.LockFigures lock : figures.locks()) {
      line(
          "lock %s: %d times, hold p50 %.1f µs p99 %.1f µs, wait p50 %.1f µs p99 %.1f µs",
          lock.name(),
          lock.acquisitions(),
          lock.holding().p50(),
          lock.holding().p99(),
          lock.waiting().p50(),
          lock.waiting().p99());
    }
    if (figures.upload().bytes() > 0) {
      line(
          "uploaded: %d bytes in %.3f s, %.2f GB/s, at most %.2f GB/s",
          figures.upload().bytes(),
          figures.upload().seconds(),
          figures.upload().bytesPerSecond() / 1e9,
          figures.upload().peakBytesPerSecond() / 1e9);
    }
  }

  private void settings(RunReport report) {
    if (report.settings().isEmpty()) {
      return;
    }
    line("");
    line("settings");
    for (RunReport.SettingReport setting : report.settings()) {
      line("  %s = %s (%s)", setting.name(), setting.value(), setting.source());
    }
  }
}
