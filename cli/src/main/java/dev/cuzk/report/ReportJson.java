package dev.cuzk.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;

/** Writes a {@link RunReport} as report.json (docs/report.schema.json). */
public final class ReportJson {
  private ReportJson() {}

  /** The document, UTF-8. */
  public static byte[] toBytes(RunReport report) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
      json.setPrettyPrinter(new DefaultPrettyPrinter());
      json.writeStartObject();
      json.writeNumberField("schema", RunReport.SCHEMA);
      json.writeObjectFieldStart("tool");
      json.writeStringField("version", report.tool().version());
      json.writeStringField("build", report.tool().build());
      json.writeNumberField("abi", report.tool().abi());
      json.writeEndObject();
      host(json, report.host());
      settings(json, report.settings());
      json.writeStringField("self_verification", report.verification());
      json.writeArrayFieldStart("warnings");
      for (String warning : report.warnings()) {
        json.writeString(warning);
      }
      json.writeEndArray();
      devices(json, report.devices());
      keys(json, report.keys());
      jobs(json, report.jobs());
      stages(json, report.stages());
      figures(json, report.figures());
      summary(json, report.summary());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    bytes.write('\n');
    return bytes.toByteArray();
  }

  private static void host(JsonGenerator json, HostFacts host) throws IOException {
    json.writeObjectFieldStart("host");
    json.writeStringField("name", host.name());
    json.writeStringField("system", host.system());
    json.writeStringField("kernel", host.kernel());
    json.writeStringField("cpu", host.cpu());
    json.writeNumberField("processors", host.processors());
    json.writeNumberField("memory_bytes", host.memoryBytes());
    json.writeStringField("java", host.java());
    json.writeNumberField("process_id", host.processId());
    json.writeEndObject();
  }

  private static void settings(JsonGenerator json, List<RunReport.SettingReport> settings)
      throws IOException {
    json.writeObjectFieldStart("settings");
    for (RunReport.SettingReport setting : settings) {
      json.writeObjectFieldStart(setting.name());
      json.writeStringField("value", setting.value());
      json.writeStringField("source", setting.source());
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static void devices(JsonGenerator json, List<RunReport.DeviceReport> devices)
      throws IOException {
    json.writeArrayFieldStart("devices");
    for (RunReport.DeviceReport device : devices) {
      json.writeStartObject();
      json.writeNumberField("index", device.facts().index());
      json.writeStringField("uuid", device.facts().uuid());
      json.writeStringField("name", device.facts().name());
      json.writeStringField("pci", device.facts().pci());
      json.writeNumberField("memory_bytes", device.facts().memoryBytes());
      number(json, "busy_fraction", device.use().busyFraction());
      number(json, "unexplained_fraction", device.use().unexplainedFraction());
      if (device.nvmlUtilisation() < 0) {
        json.writeNullField("nvml_utilisation");
      } else {
        number(json, "nvml_utilisation", device.nvmlUtilisation());
      }
      json.writeArrayFieldStart("idle");
      for (DeviceUse.Share share : device.use().idle()) {
        json.writeStartObject();
        json.writeStringField("cause", share.cause());
        number(json, "fraction", share.fraction());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("gaps");
      for (DeviceUse.Gap gap : device.use().gaps()) {
        json.writeStartObject();
        number(json, "start_ms", gap.startMs());
        number(json, "ms", gap.ms());
        json.writeStringField("cause", gap.cause());
        json.writeEndObject();
      }
      json.writeEndArray();
      numbers(json, "utilisation_200ms", device.use().buckets());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void keys(JsonGenerator json, List<RunReport.KeyReport> keys) throws IOException {
    json.writeArrayFieldStart("keys");
    for (RunReport.KeyReport key : keys) {
      json.writeStartObject();
      json.writeStringField("path", key.path());
      json.writeStringField("sha256", key.sha256());
      json.writeStringField("digest_state", key.digestState());
      json.writeStringField("curve", key.curve());
      json.writeNumberField("domain", key.domain());
      number(json, "load_seconds", key.loadSeconds());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void jobs(JsonGenerator json, JobTable table) throws IOException {
    json.writeArrayFieldStart("jobs");
    for (JobReport job : table.jobs()) {
      json.writeStartObject();
      json.writeStringField("name", job.name());
      json.writeStringField("kind", job.kind());
      json.writeStringField("status", job.status());
      json.writeNumberField("exit_class", job.exitClass());
      if (job.error() != null) {
        json.writeStringField("error", job.error());
      }
      json.writeStringField("input_sha256", job.inputSha256());
      json.writeStringField("key_sha256", job.keySha256());
      times(json, job.times());
      json.writeArrayFieldStart("partitions");
      for (JobReport.PartitionReport partition : job.partitions()) {
        partition(json, partition);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeBooleanField("jobs_rolled_up", table.rolledUp());
    json.writeArrayFieldStart("job_classes");
    for (JobTable.ClassSum sum : table.classSums()) {
      json.writeStartObject();
      json.writeStringField("kind", sum.kind());
      json.writeStringField("status", sum.status());
      json.writeNumberField("exit_class", sum.exitClass());
      json.writeNumberField("jobs", sum.jobs());
      times(json, sum.times());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void times(JsonGenerator json, JobReport.Times times) throws IOException {
    json.writeObjectFieldStart("seconds");
    number(json, "queued", times.queued());
    number(json, "synthesis", times.synthesis());
    number(json, "prove", times.prove());
    number(json, "verify", times.verify());
    number(json, "write", times.write());
    number(json, "total", times.total());
    json.writeEndObject();
  }

  private static void partition(JsonGenerator json, JobReport.PartitionReport partition)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("index", partition.index());
    json.writeNumberField("device", partition.device());
    json.writeNumberField("attempts", partition.attempts());
    json.writeBooleanField("verified", partition.verified());
    TimelineRecorder.PartitionTimeline timeline = partition.timeline();
    milliseconds(json, "waits", TimingFields.sums(StageNames.WAITS, timeline.stages()));
    json.writeEndObject();
    milliseconds(json, "gpu_timing", TimingFields.sums(TimingFields.GPU_STAGES, timeline.stages()));
    json.writeNumberField(TimingFields.UPLOAD_BYTES, timeline.uploadBytes());
    json.writeEndObject();
    milliseconds(json, "fin_timing", TimingFields.sums(TimingFields.FIN_STAGES, timeline.stages()));
    json.writeEndObject();
    json.writeArrayFieldStart("events");
    for (TimelineRecorder.EventTime event : timeline.events()) {
      json.writeStartObject();
      json.writeStringField("name", event.name());
      number(json, "ms", event.ms());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("stages");
    for (TimelineRecorder.StageTime stage : timeline.stages()) {
      json.writeStartObject();
      json.writeStringField("name", stage.name());
      number(json, "start_ms", stage.startMs());
      number(json, "ms", stage.ms());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Begins an object of {@code name_ms} fields. */
  private static void milliseconds(JsonGenerator json, String name, Map<String, Double> sums)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, Double> sum : sums.entrySet()) {
      number(json, sum.getKey() + "_ms", sum.getValue());
    }
  }

  private static void stages(JsonGenerator json, List<TimelineRecorder.StageSum> stages)
      throws IOException {
    json.writeArrayFieldStart("stages");
    for (TimelineRecorder.StageSum stage : stages) {
      json.writeStartObject();
      json.writeStringField("name", stage.name());
      json.writeNumberField("count", stage.count());
      number(json, "seconds", stage.seconds());
      number(json, "longest_ms", stage.longestMs());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void figures(JsonGenerator json, EngineFigures figures) throws IOException {
    json.writeArrayFieldStart("locks");
    for (EngineFigures.LockFigures lock : figures.locks()) {
      json.writeStartObject();
      json.writeStringField("name", lock.name());
      json.writeNumberField("acquisitions", lock.acquisitions());
      times(json, "hold", lock.holding());
      times(json, "wait", lock.waiting());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("memory_samples");
    for (EngineFigures.MemorySample sample : figures.memorySamples()) {
      json.writeStartObject();
      number(json, "start_ms", sample.startMs());
      json.writeNumberField("rss_bytes", sample.rssBytes());
      json.writeNumberField("host_bytes", sample.hostBytes());
      json.writeNumberField("pinned_bytes", sample.pinnedBytes());
      json.writeNumberField("device_bytes", sample.deviceBytes());
      json.writeArrayFieldStart("devices");
      for (EngineFigures.DeviceMemory device : sample.devices()) {
        json.writeStartObject();
        json.writeNumberField("reserved_bytes", device.reservedBytes());
        if (device.usedBytes() < 0) {
          json.writeNullField("used_bytes");
        } else {
          json.writeNumberField("used_bytes", device.usedBytes());
        }
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeObjectFieldStart("upload");
    json.writeNumberField("bytes", figures.upload().bytes());
    number(json, "seconds", figures.upload().seconds());
    number(json, "bytes_per_second", figures.upload().bytesPerSecond());
    number(json, "peak_bytes_per_second", figures.upload().peakBytesPerSecond());
    numbers(json, "rate_200ms", figures.upload().rates());
    json.writeEndObject();
  }

  private static void times(JsonGenerator json, String what, EngineFigures.LockFigures.Times times)
      throws IOException {
    number(json, what + "_us_p50", times.p50());
    number(json, what + "_us_p99", times.p99());
    number(json, what + "_us_longest", times.longest());
    json.writeArrayFieldStart(what + "_us_histogram");
    for (EngineFigures.LockFigures.Bar bar : times.histogram()) {
      json.writeStartObject();
      number(json, "up_to", bar.upTo());
      json.writeNumberField("count", bar.count());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void summary(JsonGenerator json, RunReport.Summary summary) throws IOException {
    json.writeObjectFieldStart("summary");
    json.writeNumberField("jobs", summary.jobs());
    json.writeNumberField("proved", summary.proved());
    json.writeNumberField("resumed", summary.resumed());
    json.writeNumberField("failed", summary.failed());
    json.writeNumberField("dropped", summary.dropped());
    number(json, "wall_seconds", summary.wallSeconds());
    number(json, "prove_seconds", summary.proveSeconds());
    number(json, "synthesis_seconds", summary.synthesisSeconds());
    number(json, "verify_seconds", summary.verifySeconds());
    json.writeNumberField("upload_bytes", summary.uploadBytes());
    json.writeStringField("stopped", summary.stopped());
    json.writeNumberField("exit_code", summary.exitCode());
    json.writeEndObject();
  }

  /** An array; null where there is none. */
  private static void numbers(JsonGenerator json, String name, double[] values) throws IOException {
    if (values == null) {
      json.writeNullField(name);
      return;
    }
    json.writeArrayFieldStart(name);
    for (double value : values) {
      json.writeRawValue(decimal(value));
    }
    json.writeEndArray();
  }

  private static void number(JsonGenerator json, String name, double value) throws IOException {
    json.writeFieldName(name);
    json.writeRawValue(decimal(value));
  }

  /** Six decimals, without needless zeros: a microsecond of a second, a nanosecond of a ms. */
  private static String decimal(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return "0";
    }
    BigDecimal rounded =
        BigDecimal.valueOf(value).setScale(6, RoundingMode.HALF_EVEN).stripTrailingZeros();
    return rounded.scale() < 0 ? rounded.setScale(0).toPlainString() : rounded.toPlainString();
  }
}
