package dev.cuzk.batch;

import dev.cuzk.engine.EngineSnapshot;
import dev.cuzk.engine.EngineSummary;
import dev.cuzk.report.DeviceFacts;
import dev.cuzk.report.EngineFigures;
import dev.cuzk.report.HostFacts;
import dev.cuzk.report.JobReport;
import dev.cuzk.report.JobTable;
import dev.cuzk.report.ReportJson;
import dev.cuzk.report.RunReport;
import dev.cuzk.report.TextReport;
import dev.cuzk.report.TimelineRecorder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gathers what a run's report says and writes report.json, report.txt and timeline.csv. */
final class RunSummary {
  private final BatchOptions options;
  private final RunEvents events;
  private final RunResult result;
  private final KeyTable keys;
  private final EngineSummary engine;
  private final List<EngineFigures.LockFigures> locks;
  private final List<DeviceFacts> devices;
  private final MemorySampler memory;
  private final TimelineRecorder timeline;

  /**
   * @param engine null if no engine was made
   * @param memory stopped; null if no engine was made
   * @param timeline closed
   */
  RunSummary(
      BatchOptions options,
      RunEvents events,
      RunResult result,
      KeyTable keys,
      EngineSummary engine,
      List<EngineFigures.LockFigures> locks,
      List<DeviceFacts> devices,
      MemorySampler memory,
      TimelineRecorder timeline) {
    this.options = options;
    this.events = events;
    this.result = result;
    this.keys = keys;
    this.engine = engine;
    this.locks = locks;
    this.devices = devices;
    this.memory = memory;
    this.timeline = timeline;
  }

  /** Writes all three files and returns where report.json is. */
  Path write(Path folder, int exitCode) throws IOException {
    Path timelineFile = folder.resolve(OutputFolder.TIMELINE);
    AtomicFiles.publish(AtomicFiles.temporaryFor(timelineFile), timelineFile);
    RunReport report = report(exitCode);
    Path json = folder.resolve(OutputFolder.REPORT_JSON);
    Map<Path, byte[]> contents = new LinkedHashMap<>();
    contents.put(json, ReportJson.toBytes(report));
    contents.put(
        folder.resolve(OutputFolder.REPORT_TEXT),
        TextReport.of(report).getBytes(StandardCharsets.UTF_8));
    AtomicFiles.writeAll(contents);
    return json;
  }

  private RunReport report(int exitCode) {
    List<TimelineRecorder.StageSum> stages = RunReport.stages(timeline);
    EngineFigures figures =
        new EngineFigures(
            deviceFacts(),
            locks,
            memory == null ? List.of() : memory.samples(),
            memory == null ? List.of() : memory.utilisations(),
            timeline.uploadFigures(engine == null ? 0 : engine.uploadedBytes()));
    JobTable table = events.table();
    JobReport.Times totals = table.totals();
    return new RunReport(
        new RunReport.Tool(options.toolVersion(), options.buildId(), options.abiVersion()),
        HostFacts.collect(),
        options.settings().stream()
            .map(s -> new RunReport.SettingReport(s.name(), s.value(), s.source()))
            .toList(),
        options.selfVerify() ? "on" : "off",
        warnings(),
        RunReport.devices(figures, timeline),
        keyReports(),
        table,
        stages,
        figures,
        new RunReport.Summary(
            table.count("proved")
                + table.count("resumed")
                + table.count("failed")
                + table.count("dropped"),
            table.count("proved"),
            table.count("resumed"),
            table.count("failed"),
            table.count("dropped"),
            timeline.wallSeconds(),
            totals.prove(),
            totals.synthesis(),
            totals.verify(),
            figures.upload().bytes(),
            result.stopReason(),
            exitCode));
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>(events.warnings());
    if (timeline.droppedRows() > 0) {
      warnings.add(
          "timeline.csv lacks " + timeline.droppedRows() + " rows: the disk was too slow for them");
    }
    return warnings;
  }

  private List<DeviceFacts> deviceFacts() {
    if (!devices.isEmpty() || engine == null) {
      return devices;
    }
    List<DeviceFacts> named = new ArrayList<>();
    for (EngineSnapshot.DeviceSnapshot device : engine.devices()) {
      named.add(new DeviceFacts(device.index(), "", device.name(), "", 0));
    }
    return named;
  }

  private List<RunReport.KeyReport> keyReports() {
    List<RunReport.KeyReport> reports = new ArrayList<>();
    for (KeyTable.Key key : keys.all()) {
      String path = key.provingKey().path().toString();
      double seconds =
          engine == null
              ? 0
              : engine.keyLoads().stream()
                  .filter(load -> load.path().equals(path))
                  .mapToDouble(EngineSummary.KeyLoad::seconds)
                  .sum();
      reports.add(
          new RunReport.KeyReport(
              key.name(),
              key.knownSha256(),
              key.digestState(),
              key.provingKey().curve().printedName(),
              1L << key.provingKey().domainLog2(),
              seconds));
    }
    return reports;
  }
}
