package dev.cuzk.cli;

import dev.cuzk.batch.BatchListener;
import dev.cuzk.batch.Reading;
import dev.cuzk.report.JobReport;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What a run prints: paths of proofs as text, or JSON lines. */
final class ProveOutput implements BatchListener {
  private final Console console;
  private final boolean json;
  private final boolean printPaths;
  private final byte[] lineEnd;
  private final Reading reading;

  ProveOutput(Console console, Reading reading, boolean printNul, boolean printPaths) {
    this.console = console;
    this.reading = reading;
    this.json = console.isJson();
    this.printPaths = printPaths;
    this.lineEnd = new byte[] {(byte) (printNul ? 0 : '\n')};
  }

  @Override
  public void warning(String message) {
    console.warning(message);
  }

  @Override
  public void reading(String file, long done, long total) {
    reading.progressed(file, done, total);
  }

  @Override
  public void started(Started line) {
    if (json) {
      Map<String, Object> object = object("start", line.time());
      object.put("version", line.version());
      object.put("jobs", line.jobs() < 0 ? null : line.jobs());
      object.put("out", line.out());
      object.put("devices", line.devices());
      print(object);
    }
  }

  @Override
  public void partition(PartitionLine line) {
    if (json) {
      Map<String, Object> object = object("partition", line.time());
      object.put("name", line.name());
      object.put("partition", line.partition());
      object.put("device", line.device());
      object.put("attempts", line.attempts());
      object.put("verified", line.verified());
      print(object);
    }
  }

  @Override
  public void job(JobLine line) {
    if (!json) {
      boolean proved = line.status() == JobStatus.PROVED || line.status() == JobStatus.RESUMED;
      if (proved && printPaths && !line.files().isEmpty()) {
        printPath(line.files().get(0));
      }
      return;
    }
    Map<String, Object> object = object("job", line.time());
    object.put("seq", line.sequence());
    object.put("name", line.name());
    object.put("kind", line.kind());
    object.put("status", line.status().name().toLowerCase(Locale.ROOT));
    object.put("exit_class", line.exitClass());
    object.put("files", line.files());
    object.put("public_count", line.publicCount());
    object.put("seconds", seconds(line.seconds()));
    if (line.error() != null) {
      object.put("error", line.error());
    }
    print(object);
  }

  /** A path as it is, in one write, so that a reader never sees half of one. */
  private void printPath(String path) {
    byte[] name = path.getBytes(StandardCharsets.UTF_8);
    byte[] line = Arrays.copyOf(name, name.length + 1);
    line[name.length] = lineEnd[0];
    console.resultBytes(line);
  }

  private static Map<String, Object> seconds(JobReport.Times seconds) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("queued", seconds.queued());
    object.put("synthesis", seconds.synthesis());
    object.put("prove", seconds.prove());
    object.put("verify", seconds.verify());
    object.put("write", seconds.write());
    object.put("total", seconds.total());
    return object;
  }

  @Override
  public void error(ErrorLine line) {
    console.error(line.message());
    if (line.failure() != null && console.verbosity() >= 2) {
      console.trace(line.failure());
    }
    if (json) {
      Map<String, Object> object = object("error", line.time());
      if (line.name() != null) {
        object.put("name", line.name());
      }
      object.put("exit_class", line.exitClass());
      object.put("message", line.message());
      print(object);
    }
  }

  @Override
  public void summary(Summary line) {
    if (json) {
      Map<String, Object> object = object("summary", line.time());
      object.put("jobs", line.jobs());
      object.put("proved", line.proved());
      object.put("resumed", line.resumed());
      object.put("failed", line.failed());
      object.put("dropped", line.dropped());
      object.put("wall_seconds", line.wallSeconds());
      object.put("proofs_per_minute", line.proofsPerMinute());
      object.put("report", line.report());
      object.put("exit_code", line.exitCode());
      print(object);
      return;
    }
    StringBuilder text = new StringBuilder("cuzk: ").append(line.proved()).append(" proved");
    append(text, line.resumed(), "were already");
    append(text, line.failed(), "failed");
    append(text, line.dropped(), "dropped");
    text.append(String.format(Locale.ROOT, " in %.1f s", line.wallSeconds()));
    if (line.report() != null) {
      text.append("; report: ").append(line.report());
    }
    console.note(text.toString());
  }

  private static void append(StringBuilder text, long count, String what) {
    if (count > 0) {
      text.append(", ").append(count).append(' ').append(what);
    }
  }

  @Override
  public void abandoned(int exitCode) {
    System.exit(exitCode);
  }

  @Override
  public boolean outputFailed() {
    return console.isOutBroken();
  }

  private static Map<String, Object> object(String type, double time) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("type", type);
    object.put("time", BigDecimal.valueOf(Math.round(time * 1e3), 3));
    return object;
  }

  private void print(Map<String, Object> object) {
    console.result(Json.write(object));
  }
}
