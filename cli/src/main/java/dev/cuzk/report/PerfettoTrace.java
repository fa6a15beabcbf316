package dev.cuzk.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes a run in the Chrome trace event format (JSON), which ui.perfetto.dev and chrome://tracing
 * open: a process for the host and for each device, in it lanes of slices, and counters for memory,
 * uploads and devices' use. Facts from the "Trace Event Format" document of the Chromium project.
 */
public final class PerfettoTrace {
  private static final int HOST = 1;
  private static final int FIRST_DEVICE = 10;

  private static final Set<String> ON_DEVICE;

  static {
    List<String> names = new ArrayList<>(StageNames.DEVICE);
    names.add(StageNames.KEY_LOAD);
    names.add(StageNames.LAUNCH);
    names.add(StageNames.DEVICE_WAIT);
    ON_DEVICE = Set.copyOf(names);
  }

  /** Slices of one thread of a trace must not overlap; a lane is free again at its end. */
  private static final class Lanes {
    private final List<Double> ends = new ArrayList<>();

    int take(double start, double end) {
      for (int i = 0; i < ends.size(); i++) {
        if (ends.get(i) <= start) {
          ends.set(i, end);
          return i;
        }
      }
      ends.add(end);
      return ends.size() - 1;
    }
  }

  private final JsonGenerator json;

  private PerfettoTrace(JsonGenerator json) {
    this.json = json;
  }

  /** The document, UTF-8. */
  public static byte[] of(RunReport report, RunPlots plots) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
      json.writeStartObject();
      json.writeStringField("displayTimeUnit", "ms");
      json.writeArrayFieldStart("traceEvents");
      PerfettoTrace trace = new PerfettoTrace(json);
      trace.processes(report.devices());
      trace.slices(plots.bars());
      trace.gaps(report.devices());
      trace.counters(report);
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  private void processes(List<RunReport.DeviceReport> devices) throws IOException {
    name("process_name", HOST, 0, "host");
    for (RunReport.DeviceReport device : devices) {
      DeviceFacts facts = device.facts();
      name("process_name", pid(facts.index()), 0, "device " + facts.index() + ": " + facts.name());
    }
  }

  private static int pid(int device) {
    return FIRST_DEVICE + device;
  }

  private void name(String what, int pid, int tid, String name) throws IOException {
    begin("M", what, pid, tid, 0);
    json.writeObjectFieldStart("args");
    json.writeStringField("name", name);
    json.writeEndObject();
    json.writeEndObject();
  }

  private void begin(String phase, String name, int pid, int tid, double ms) throws IOException {
    json.writeStartObject();
    json.writeStringField("ph", phase);
    json.writeStringField("name", name);
    json.writeNumberField("pid", pid);
    json.writeNumberField("tid", tid);
    json.writeNumberField("ts", Math.round(ms * 1e3));
  }

  private void slices(PartitionBars bars) throws IOException {
    List<PartitionBars.Bar> all = new ArrayList<>();
    bars.rows().forEach(row -> all.addAll(row.bars()));
    all.sort(Comparator.comparingDouble(PartitionBars.Bar::startMs));
    Map<String, Lanes> lanes = new LinkedHashMap<>();
    Map<String, Integer> threads = new LinkedHashMap<>();
    for (PartitionBars.Bar bar : all) {
      boolean onDevice = bar.device() >= 0 && ON_DEVICE.contains(bar.stage());
      boolean wait = StageNames.WAITS.contains(bar.stage());
      int pid = onDevice ? pid(bar.device()) : HOST;
      String group = onDevice ? (wait ? "waiting" : "work") : bar.stage();
      String place = pid + " " + group;
      int lane =
          lanes
              .computeIfAbsent(place, each -> new Lanes())
              .take(bar.startMs(), bar.startMs() + bar.ms());
      String thread = group + " " + (lane + 1);
      int tid = threads.computeIfAbsent(pid + " " + thread, each -> threads.size() + 2);
      slice(bar, pid, tid);
    }
    for (Map.Entry<String, Integer> thread : threads.entrySet()) {
      int space = thread.getKey().indexOf(' ');
      int pid = Integer.parseInt(thread.getKey().substring(0, space));
      name("thread_name", pid, thread.getValue(), thread.getKey().substring(space + 1));
    }
  }

  private void slice(PartitionBars.Bar bar, int pid, int tid) throws IOException {
    begin("X", bar.stage(), pid, tid, bar.startMs());
    json.writeNumberField("dur", Math.round(bar.ms() * 1e3));
    json.writeStringField("cat", "stage");
    json.writeObjectFieldStart("args");
    json.writeStringField("job", bar.job());
    json.writeNumberField("partition", bar.partition());
    json.writeEndObject();
    json.writeEndObject();
  }

  private void gaps(List<RunReport.DeviceReport> devices) throws IOException {
    for (RunReport.DeviceReport device : devices) {
      int pid = pid(device.facts().index());
      name("thread_name", pid, 1, "gaps");
      for (DeviceUse.Gap gap : device.use().gaps()) {
        begin("X", gap.cause(), pid, 1, gap.startMs());
        json.writeNumberField("dur", Math.round(gap.ms() * 1e3));
        json.writeStringField("cat", "gap");
        json.writeEndObject();
      }
    }
  }

  private void counters(RunReport report) throws IOException {
    for (EngineFigures.MemorySample sample : report.figures().memorySamples()) {
      counter("resident bytes", HOST, sample.startMs(), sample.rssBytes());
      counter("reserved host bytes", HOST, sample.startMs(), sample.hostBytes());
      counter("reserved pinned bytes", HOST, sample.startMs(), sample.pinnedBytes());
      for (int i = 0; i < sample.devices().size(); i++) {
        EngineFigures.DeviceMemory device = sample.devices().get(i);
        counter("reserved bytes", pid(i), sample.startMs(), device.reservedBytes());
      }
    }
    series("upload bytes per second", HOST, report.figures().upload().rates());
    for (RunReport.DeviceReport device : report.devices()) {
      series("busy", pid(device.facts().index()), device.use().buckets());
    }
  }

  private void series(String name, int pid, double[] values) throws IOException {
    for (int i = 0; values != null && i < values.length; i++) {
      counter(name, pid, i * (GapAnalysis.BUCKET_NANOS / 1e6), values[i]);
    }
  }

  private void counter(String name, int pid, double ms, double value) throws IOException {
    begin("C", name, pid, 0, ms);
    json.writeObjectFieldStart("args");
    json.writeNumberField("value", value);
    json.writeEndObject();
    json.writeEndObject();
  }
}
