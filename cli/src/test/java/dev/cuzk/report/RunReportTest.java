package dev.cuzk.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.cuzk.format.TestFiles;
import dev.cuzk.report.EngineFigures.LockFigures.Bar;
import dev.cuzk.report.EngineFigures.LockFigures.Times;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunReportTest {
  @TempDir Path folder;

  private static JsonSchema schema() throws IOException {
    Path file = TestFiles.project("docs/report.schema.json");
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
        .getSchema(Files.readString(file));
  }

  private RunReport report(JobTable jobs) throws IOException {
    TimelineRecorder timeline = new TimelineRecorder(folder.resolve("timeline.csv"));
    long start = timeline.startNanos();
    while (System.nanoTime() < start + 4_000_000) {
      Thread.onSpinWait();
    }
    timeline.stage(StageNames.QUEUED, "j0", 0, -1, start, start + 1_500_000);
    timeline.stage(StageNames.SYNTHESIS, "j0", 0, -1, start + 1_500_000, start + 2_000_000);
    timeline.event(Timeline.Event.GPU_START, "j0", 0, 0, start + 2_000_000);
    timeline.computing(0, start + 2_200_000, start + 2_900_000);
    timeline.stage(StageNames.UPLOAD, "j0", 0, 0, start + 2_000_000, start + 2_200_000);
    timeline.uploaded("j0", 0, 0, 4_096, start + 2_000_000, start + 2_200_000);
    timeline.event(Timeline.Event.GPU_END, "j0", 0, 0, start + 3_000_000);
    timeline.stage(StageNames.WRITE, "j0", 0, 0, start + 3_100_000, start + 3_200_000);
    timeline.event(Timeline.Event.WRITE_END, "j0", 0, 0, start + 3_200_000);
    jobs.add(
        new JobReport(
            0,
            "j0",
            "circom",
            "proved",
            0,
            null,
            "0".repeat(64),
            null,
            new JobReport.Times(0.0015, 0.0005, 0.001, 0, 0, 0.003),
            List.of(
                new JobReport.PartitionReport(0, 0, 1, true, timeline.take("j0").partition(0)))));
    timeline.close();
    EngineFigures figures =
        new EngineFigures(
            List.of(new DeviceFacts(0, "GPU-1", "a card", "00:01.0", 1L << 34)),
            List.of(
                new EngineFigures.LockFigures(
                    "queue",
                    10,
                    new Times(0.5, 2, 3, List.of(new Bar(1, 8), new Bar(4, 2))),
                    new Times(0.1, 9, 9, List.of(new Bar(0.25, 9), new Bar(16, 1))))),
            List.of(
                new EngineFigures.MemorySample(
                    12.5, 9, 1, 2, List.of(new EngineFigures.DeviceMemory(3, -1)))),
            List.of(0.75),
            timeline.uploadFigures(4_096));
    return new RunReport(
        new RunReport.Tool("1.2.3", "abc", 1),
        HostFacts.collect(),
        List.of(new RunReport.SettingReport("gpus", "all", "default")),
        "on",
        List.of("a warning"),
        RunReport.devices(figures, timeline),
        List.of(new RunReport.KeyReport("k.zkey", "1".repeat(64), "computed", "bn254", 4096, 0.25)),
        jobs,
        RunReport.stages(timeline),
        figures,
        new RunReport.Summary(
            1, 1, 0, 0, 0, timeline.wallSeconds(), 0.001, 0.0005, 0, 1 << 20, null, 0));
  }

  @Test
  void shouldFollowItsSchema() throws IOException {
    JsonNode json = new ObjectMapper().readTree(ReportJson.toBytes(report(new JobTable())));
    assertEquals(List.of(), List.copyOf(schema().validate(json)));
    JsonNode partition = json.get("jobs").get(0).get("partitions").get(0);
    assertEquals(1.5, partition.get("waits").get("queued_ms").asDouble(), 1e-9);
    assertEquals(4, partition.get("stages").size());
    assertEquals(0.2, partition.get("gpu_timing").get("upload_ms").asDouble(), 1e-9);
    assertEquals(4_096, partition.get("gpu_timing").get("upload_bytes").asLong());
    assertEquals(0.1, partition.get("fin_timing").get("write_ms").asDouble(), 1e-9);
    assertEquals("WRITE_END", partition.get("events").get(2).get("name").asText());
    assertTrue(json.get("devices").get(0).get("busy_fraction").asDouble() > 0);
  }

  @Test
  void shouldBeRefusedByItsSchemaWhenAFieldIsMissing() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode json = mapper.readTree(ReportJson.toBytes(report(new JobTable())));
    ((ObjectNode) json.get("summary")).remove("exit_code");
    assertFalse(schema().validate(json).isEmpty());
  }

  @Test
  void shouldKeepSumsTheSlowestAndTheFailedBeyondAThousandJobs() throws IOException {
    JobTable jobs = new JobTable();
    for (int i = 1; i <= 3_000; i++) {
      boolean failed = i % 100 == 0;
      jobs.add(
          new JobReport(
              i,
              "n" + i,
              "circom",
              failed ? "failed" : "proved",
              failed ? 4 : 0,
              failed ? "wrong" : null,
              null,
              null,
              new JobReport.Times(0, 0, 0, 0, 0, i),
              List.of()));
    }
    JsonNode json = new ObjectMapper().readTree(ReportJson.toBytes(report(jobs)));
    assertEquals(List.of(), List.copyOf(schema().validate(json)));
    assertTrue(json.get("jobs_rolled_up").asBoolean());
    assertEquals(JobTable.SLOWEST + 30, json.get("jobs").size());
    assertEquals("n2999", json.get("jobs").get(json.get("jobs").size() - 2).get("name").asText());
    assertEquals(2_971, json.get("job_classes").get(0).get("jobs").asLong());
    assertEquals(2_971, jobs.count("proved"));
  }

  @Test
  void shouldSayTheSameAsText() throws IOException {
    String text = TextReport.of(report(new JobTable()));
    for (String part :
        List.of("proved 1", "a card", "GPU-1", "synthesis", "a warning", "gpus = all", "k.zkey")) {
      assertTrue(text.contains(part), part + " in\n" + text);
    }
    assertTrue(text.chars().allMatch(c -> c == '\n' || c >= ' '));
  }

  @Test
  void shouldWriteEveryRowOfTheTimeline() throws IOException {
    report(new JobTable());
    List<String> lines = Files.readAllLines(folder.resolve("timeline.csv"));
    assertEquals(TimelineCsv.HEADER, lines.get(0));
    assertEquals(10, lines.size());
    assertEquals("0.000,STAGE,queued,j0,0,-1,1.500,", lines.get(1));
    assertEquals("2.000,TIMELINE,GPU_START,j0,0,0,,", lines.get(3));
    assertEquals(
        "3.000,GPU_TIMING,,j0,0,0,,queued_ms=1.500;in_flight_wait_ms=0.000;"
            + "host_memory_wait_ms=0.000;pinned_memory_wait_ms=0.000;device_memory_wait_ms=0.000;"
            + "synthesis_wait_ms=0.000;device_wait_ms=0.000;synthesis_ms=0.500;key_load_ms=0.000;"
            + "launch_ms=0.000;upload_ms=0.200;sparse_product_ms=0.000;ntt_ms=0.000;"
            + "digits_ms=0.000;msm_a_ms=0.000;msm_b1_ms=0.000;msm_b2_ms=0.000;msm_l_ms=0.000;"
            + "msm_h_ms=0.000;download_ms=0.000;upload_bytes=4096",
        lines.get(6));
    assertEquals(
        "3.200,FIN_TIMING,,j0,0,0,,finish_ms=0.000;lock_wait_ms=0.000;verify_wait_ms=0.000;"
            + "verify_ms=0.000;assemble_ms=0.000;write_ms=0.100",
        lines.get(9));
  }

  @Test
  void shouldNotRememberStagesThatCameAfterTheirJob() throws IOException {
    try (TimelineRecorder timeline = new TimelineRecorder(null)) {
      for (int i = 0; i < 20_000; i++) {
        timeline.take("j" + i);
        timeline.stage(StageNames.WRITE, "j" + i, 0, 0, 0, 1);
      }
      assertTrue(timeline.rememberedJobs() <= 4_096);
    }
  }
}
