package dev.cuzk.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads report.json back, so that other forms of a report can be drawn from a finished run. */
public final class ReportReader {
  private ReportReader() {}

  /**
   * The report in a document.
   *
   * @throws IOException if it is no JSON, or no report of {@link RunReport#SCHEMA}; the message
   *     says what is wrong, without the file's name
   */
  public static RunReport read(byte[] document) throws IOException {
    JsonNode root;
    try {
      root = new ObjectMapper().readTree(document);
    } catch (JsonProcessingException e) {
      throw new IOException(
          "not valid JSON (line "
              + e.getLocation().getLineNr()
              + ", column "
              + e.getLocation().getColumnNr()
              + ")",
          e);
    }
    if (root == null || root.path("schema").asInt(0) != RunReport.SCHEMA) {
      throw new IOException(
          "not a report of a run (expected schema "
              + RunReport.SCHEMA
              + ", found "
              + (root == null || root.path("schema").isMissingNode() ? "none" : root.get("schema"))
              + ")");
    }
    if (!root.path("summary").isObject() || !root.path("jobs").isArray()) {
      throw new IOException("the report is not complete (summary or jobs are missing)");
    }
    JsonNode tool = root.path("tool");
    return new RunReport(
        new RunReport.Tool(
            tool.path("version").asText(), tool.path("build").asText(), tool.path("abi").asInt()),
        host(root.path("host")),
        settings(root.path("settings")),
        root.path("self_verification").asText(),
        texts(root.path("warnings")),
        devices(root.path("devices")),
        keys(root.path("keys")),
        jobs(root.path("jobs")),
        stages(root.path("stages")),
        figures(root),
        summary(root.path("summary")));
  }

  private static HostFacts host(JsonNode node) {
    return new HostFacts(
        node.path("name").asText(),
        node.path("system").asText(),
        node.path("kernel").asText(),
        node.path("cpu").asText(),
        node.path("processors").asInt(),
        node.path("memory_bytes").asLong(),
        node.path("java").asText(),
        node.path("process_id").asLong());
  }

  private static List<RunReport.SettingReport> settings(JsonNode node) {
    List<RunReport.SettingReport> settings = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      settings.add(
          new RunReport.SettingReport(
              entry.getKey(),
              entry.getValue().path("value").asText(),
              entry.getValue().path("source").asText()));
    }
    return settings;
  }

  private static List<String> texts(JsonNode node) {
    List<String> texts = new ArrayList<>();
    node.forEach(each -> texts.add(each.asText()));
    return texts;
  }

  private static List<RunReport.DeviceReport> devices(JsonNode node) {
    List<RunReport.DeviceReport> devices = new ArrayList<>();
    for (JsonNode each : node) {
      List<DeviceUse.Gap> gaps = new ArrayList<>();
      for (JsonNode gap : each.path("gaps")) {
        gaps.add(
            new DeviceUse.Gap(
                gap.path("start_ms").asDouble(),
                gap.path("ms").asDouble(),
                gap.path("cause").asText()));
      }
      List<DeviceUse.Share> idle = new ArrayList<>();
      for (JsonNode share : each.path("idle")) {
        idle.add(
            new DeviceUse.Share(share.path("cause").asText(), share.path("fraction").asDouble()));
      }
      devices.add(
          new RunReport.DeviceReport(
              new DeviceFacts(
                  each.path("index").asInt(),
                  each.path("uuid").asText(),
                  each.path("name").asText(),
                  each.path("pci").asText(),
                  each.path("memory_bytes").asLong()),
              new DeviceUse(
                  each.path("busy_fraction").asDouble(),
                  each.path("unexplained_fraction").asDouble(),
                  idle,
                  gaps,
                  numbers(each.path("utilisation_200ms"))),
              each.path("nvml_utilisation").asDouble(-1)));
    }
    return devices;
  }

  private static List<RunReport.KeyReport> keys(JsonNode node) {
    List<RunReport.KeyReport> keys = new ArrayList<>();
    for (JsonNode each : node) {
      keys.add(
          new RunReport.KeyReport(
              each.path("path").asText(),
              text(each, "sha256"),
              each.path("digest_state").asText(),
              each.path("curve").asText(),
              each.path("domain").asLong(),
              each.path("load_seconds").asDouble()));
    }
    return keys;
  }

  private static JobTable jobs(JsonNode node) {
    JobTable table = new JobTable();
    long sequence = 0;
    for (JsonNode job : node) {
      List<JobReport.PartitionReport> partitions = new ArrayList<>();
      for (JsonNode each : job.path("partitions")) {
        partitions.add(partition(each));
      }
      table.add(
          new JobReport(
              sequence++,
              job.path("name").asText(),
              job.path("kind").asText(),
              job.path("status").asText(),
              job.path("exit_class").asInt(),
              text(job, "error"),
              text(job, "input_sha256"),
              text(job, "key_sha256"),
              times(job.path("seconds")),
              partitions));
    }
    return table;
  }

  private static JobReport.PartitionReport partition(JsonNode node) {
    int index = node.path("index").asInt();
    int device = node.path("device").asInt();
    List<TimelineRecorder.StageTime> stages = new ArrayList<>();
    for (JsonNode stage : node.path("stages")) {
      stages.add(
          new TimelineRecorder.StageTime(
              stage.path("name").asText(),
              index,
              device,
              stage.path("start_ms").asDouble(),
              stage.path("ms").asDouble()));
    }
    List<TimelineRecorder.EventTime> events = new ArrayList<>();
    for (JsonNode event : node.path("events")) {
      events.add(
          new TimelineRecorder.EventTime(
              event.path("name").asText(), index, device, event.path("ms").asDouble()));
    }
    return new JobReport.PartitionReport(
        index,
        device,
        node.path("attempts").asInt(),
        node.path("verified").asBoolean(),
        new TimelineRecorder.PartitionTimeline(
            stages, events, node.path("gpu_timing").path("upload_bytes").asLong()));
  }

  private static JobReport.Times times(JsonNode node) {
    return new JobReport.Times(
        node.path("queued").asDouble(),
        node.path("synthesis").asDouble(),
        node.path("prove").asDouble(),
        node.path("verify").asDouble(),
        node.path("write").asDouble(),
        node.path("total").asDouble());
  }

  private static List<TimelineRecorder.StageSum> stages(JsonNode node) {
    List<TimelineRecorder.StageSum> stages = new ArrayList<>();
    for (JsonNode each : node) {
      stages.add(
          new TimelineRecorder.StageSum(
              each.path("name").asText(),
              each.path("count").asLong(),
              each.path("seconds").asDouble(),
              each.path("longest_ms").asDouble()));
    }
    return stages;
  }

  private static EngineFigures figures(JsonNode root) {
    List<EngineFigures.LockFigures> locks = new ArrayList<>();
    for (JsonNode each : root.path("locks")) {
      locks.add(
          new EngineFigures.LockFigures(
              each.path("name").asText(),
              each.path("acquisitions").asLong(),
              times(each, "hold"),
              times(each, "wait")));
    }
    List<EngineFigures.MemorySample> samples = new ArrayList<>();
    for (JsonNode each : root.path("memory_samples")) {
      List<EngineFigures.DeviceMemory> devices = new ArrayList<>();
      for (JsonNode device : each.path("devices")) {
        devices.add(
            new EngineFigures.DeviceMemory(
                device.path("reserved_bytes").asLong(), device.path("used_bytes").asLong(-1)));
      }
      samples.add(
          new EngineFigures.MemorySample(
              each.path("start_ms").asDouble(),
              each.path("rss_bytes").asLong(),
              each.path("host_bytes").asLong(),
              each.path("pinned_bytes").asLong(),
              devices));
    }
    JsonNode upload = root.path("upload");
    return new EngineFigures(
        List.of(),
        locks,
        samples,
        List.of(),
        new EngineFigures.UploadFigures(
            upload.path("bytes").asLong(),
            upload.path("seconds").asDouble(),
            upload.path("peak_bytes_per_second").asDouble(),
            numbers(upload.path("rate_200ms"))));
  }

  private static EngineFigures.LockFigures.Times times(JsonNode node, String what) {
    List<EngineFigures.LockFigures.Bar> bars = new ArrayList<>();
    for (JsonNode each : node.path(what + "_us_histogram")) {
      bars.add(
          new EngineFigures.LockFigures.Bar(
              each.path("up_to").asDouble(), each.path("count").asLong()));
    }
    return new EngineFigures.LockFigures.Times(
        node.path(what + "_us_p50").asDouble(),
        node.path(what + "_us_p99").asDouble(),
        node.path(what + "_us_longest").asDouble(),
        bars);
  }

  private static RunReport.Summary summary(JsonNode node) {
    return new RunReport.Summary(
        node.path("jobs").asLong(),
        node.path("proved").asLong(),
        node.path("resumed").asLong(),
        node.path("failed").asLong(),
        node.path("dropped").asLong(),
        node.path("wall_seconds").asDouble(),
        node.path("prove_seconds").asDouble(),
        node.path("synthesis_seconds").asDouble(),
        node.path("verify_seconds").asDouble(),
        node.path("upload_bytes").asLong(),
        text(node, "stopped"),
        node.path("exit_code").asInt());
  }

  private static double[] numbers(JsonNode node) {
    double[] values = node.isArray() ? new double[node.size()] : null;
    for (int i = 0; values != null && i < values.length; i++) {
      values[i] = node.get(i).asDouble();
    }
    return values;
  }

  private static String text(JsonNode node, String name) {
    JsonNode value = node.path(name);
    return value.isTextual() ? value.asText() : null;
  }
}
