package dev.cuzk.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cuzk.report.EngineFigures.DeviceMemory;
import dev.cuzk.report.EngineFigures.LockFigures;
import dev.cuzk.report.EngineFigures.MemorySample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A run that never was: two devices, many partitions one after the other, with a pause for memory
 * in the middle of the first device's work.
 */
final class SampleRun {
  static final int STAGES = 7;
  private static final double EACH_MS = 80;

  private final int partitions;
  private final String name;

  /** {@code name} begins the name of every job. */
  SampleRun(int partitions, String name) {
    this.partitions = partitions;
    this.name = name;
  }

  private List<TimelineRecorder.StageTime> stages(int i) {
    int device = i % 2;
    double start = 200 + (i / 2) * EACH_MS + (device == 0 && i >= partitions / 2 ? 1_500 : 0);
    return List.of(
        stage(StageNames.QUEUED, device, start - 190, 90),
        stage(StageNames.SYNTHESIS, device, start - 100, 70),
        stage(StageNames.DEVICE_WAIT, device, start - 30, 30),
        stage(StageNames.UPLOAD, device, start, 8),
        stage("ntt", device, start + 8, 20),
        stage("msm_h", device, start + 28, 50),
        stage(StageNames.VERIFY, device, start + 78, 5));
  }

  private static TimelineRecorder.StageTime stage(String name, int device, double from, double ms) {
    return new TimelineRecorder.StageTime(name, 0, device, from, ms);
  }

  private double wallMs() {
    return 200 + (partitions / 2) * EACH_MS + 1_700;
  }

  private DeviceUse use(int device) {
    double[] buckets = new double[(int) Math.ceil(wallMs() / 200)];
    double pause = 200 + (partitions / 4) * EACH_MS;
    for (int i = 0; i < buckets.length; i++) {
      double at = i * 200.0;
      boolean idle = at < 200 || (device == 0 && at >= pause && at < pause + 1_500);
      buckets[i] = idle || at > wallMs() - (device == 0 ? 200 : 1_700) ? 0 : 0.88;
    }
    List<DeviceUse.Gap> gaps = new ArrayList<>(List.of(new DeviceUse.Gap(0, 200, "synthesis")));
    gaps.add(
        device == 0
            ? new DeviceUse.Gap(pause, 1_500, "host memory")
            : new DeviceUse.Gap(wallMs() - 1_700, 1_700, "no work"));
    return new DeviceUse(
        0.8,
        0.01,
        List.of(
            new DeviceUse.Share("upload", 0.12),
            new DeviceUse.Share(device == 0 ? "host memory" : "no work", 0.07),
            new DeviceUse.Share("unexplained", 0.01)),
        gaps,
        buckets);
  }

  RunReport report() {
    JobTable jobs = new JobTable();
    for (int i = 0; i < partitions; i++) {
      jobs.add(
          new JobReport(
              i,
              name + i,
              "circom",
              "proved",
              0,
              null,
              null,
              null,
              new JobReport.Times(0.09, 0.07, 0.078, 0.005, 0, 0.25 + i * 1e-6),
              List.of(
                  new JobReport.PartitionReport(
                      0,
                      i % 2,
                      1,
                      true,
                      new TimelineRecorder.PartitionTimeline(stages(i), List.of(), 1 << 20)))));
    }
    List<RunReport.DeviceReport> devices = new ArrayList<>();
    List<DeviceFacts> facts = new ArrayList<>();
    for (int device = 0; device < 2; device++) {
      facts.add(new DeviceFacts(device, "GPU-" + device, "sample GPU", "0:0" + device, 1L << 34));
      devices.add(new RunReport.DeviceReport(facts.get(device), use(device), 0.82));
    }
    return new RunReport(
        new RunReport.Tool("1.2.3", "abc", 1),
        new HostFacts("host", "Linux", "6", "a processor", 8, 1L << 36, "java", 1),
        List.of(new RunReport.SettingReport("gpus", "all", "default")),
        "on",
        List.of("<b>not markup</b>"),
        devices,
        List.of(new RunReport.KeyReport("k.zkey", null, "not checked", "bn254", 4096, 0.25)),
        jobs,
        stageSums(),
        figures(facts),
        new RunReport.Summary(
            partitions, partitions, 0, 0, 0, wallMs() / 1e3, 1, 1, 1, 1L << 30, null, 0));
  }

  private List<TimelineRecorder.StageSum> stageSums() {
    return stages(0).stream()
        .map(
            stage ->
                new TimelineRecorder.StageSum(
                    stage.name(), partitions, stage.ms() * partitions / 1e3, stage.ms()))
        .toList();
  }

  private EngineFigures figures(List<DeviceFacts> facts) {
    LockFigures.Times times =
        new LockFigures.Times(
            0.5,
            12,
            40,
            List.of(
                new LockFigures.Bar(0.25, 100),
                new LockFigures.Bar(0.5, 4_000),
                new LockFigures.Bar(16, 50),
                new LockFigures.Bar(64, 1)));
    List<MemorySample> samples = new ArrayList<>();
    for (int i = 0; i * 200.0 < wallMs(); i++) {
      long wave = Math.round(4e9 * (1 + Math.sin(i / 9.0)));
      samples.add(
          new MemorySample(
              i * 200.0,
              3L << 30,
              wave,
              wave / 2,
              List.of(new DeviceMemory(6L << 30, 7L << 30), new DeviceMemory(wave, -1))));
    }
    double[] rates = new double[samples.size()];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = 2e9 + 1e9 * Math.cos(i / 5.0);
    }
    return new EngineFigures(
        facts,
        List.of(new LockFigures("device 0", 4_151, times, times)),
        samples,
        List.of(0.82, 0.82),
        new EngineFigures.UploadFigures(1L << 30, 0.5, 4e9, rates));
  }

  /** Writes report.json and timeline.csv. */
  void write(Path folder) throws IOException {
    Files.write(folder.resolve("report.json"), ReportJson.toBytes(report()));
    StringBuilder csv = new StringBuilder(TimelineCsv.HEADER).append('\n');
    for (int i = 0; i < partitions; i++) {
      for (TimelineRecorder.StageTime stage : stages(i)) {
        csv.append(
            String.format(
                Locale.ROOT,
                "%.3f,STAGE,%s,%s,0,%d,%.3f,%n",
                stage.startMs(),
                stage.name(),
                name + i,
                stage.device(),
                stage.ms()));
      }
    }
    Files.writeString(folder.resolve("timeline.csv"), csv);
  }

  /** Its report.json with a text that is markup in every place where users' names stand. */
  byte[] hostile() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode root = (ObjectNode) mapper.readTree(ReportJson.toBytes(report()));
    String text = "</script><img src=x onerror=document.title='broken'>";
    ((ObjectNode) root.get("keys").get(0)).put("path", text);
    ((ObjectNode) root.get("devices").get(0)).put("name", text);
    ((ObjectNode) root.get("host")).put("name", text);
    ((ObjectNode) root.get("jobs").get(0)).put("error", text);
    return mapper.writeValueAsBytes(root);
  }
}
