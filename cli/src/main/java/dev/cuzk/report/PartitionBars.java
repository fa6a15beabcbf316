package dev.cuzk.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Every time that a partition spent in a stage: what a Gantt chart is drawn from. Of more than
 * {@value #MOST} the longest are kept.
 */
final class PartitionBars {
  static final int MOST = 300_000;

  /** A stage of a partition; device −1 = none. */
  record Bar(String job, int partition, int device, String stage, double startMs, double ms) {}

  /** A partition and its bars in order. */
  record Row(String job, int partition, List<Bar> bars) {}

  private final PriorityQueue<Bar> longest =
      new PriorityQueue<>(Comparator.comparingDouble(Bar::ms));
  private long leftOut;

  private PartitionBars() {}

  /** Those that a report itself knows: beyond 1,000 jobs the slowest and failed ones'. */
  static PartitionBars of(RunReport report) {
    PartitionBars bars = new PartitionBars();
    for (JobReport job : report.jobs().jobs()) {
      for (JobReport.PartitionReport partition : job.partitions()) {
        for (TimelineRecorder.StageTime stage : partition.timeline().stages()) {
          bars.add(
              new Bar(
                  job.name(),
                  partition.index(),
                  stage.device(),
                  stage.name(),
                  stage.startMs(),
                  stage.ms()));
        }
      }
    }
    return bars;
  }

  /**
   * All of a run's, from its timeline.csv.
   *
   * @throws IOException if it cannot be read, or is no timeline; the message says what is wrong,
   *     without the file's name
   */
  static PartitionBars of(Path timeline) throws IOException {
    PartitionBars bars = new PartitionBars();
    try (BufferedReader lines = Files.newBufferedReader(timeline, StandardCharsets.UTF_8)) {
      String header = lines.readLine();
      if (!TimelineCsv.HEADER.equals(header)) {
        throw new IOException(
            "not a timeline of this version (line 1, expected " + TimelineCsv.HEADER + ")");
      }
      long number = 1;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        String[] fields = line.split(",", -1);
        if (fields.length < 8) {
          throw new IOException("line " + number + " has " + fields.length + " fields, not 8");
        }
        if (fields[1].equals(TimelineCsv.STAGE)) {
          bars.add(bar(fields, number));
        }
      }
    }
    return bars;
  }

  private static Bar bar(String[] fields, long line) throws IOException {
    try {
      return new Bar(
          fields[3],
          Integer.parseInt(fields[4]),
          Integer.parseInt(fields[5]),
          fields[2],
          Double.parseDouble(fields[0]),
          Double.parseDouble(fields[6]));
    } catch (NumberFormatException e) {
      throw new IOException("line " + line + " has a field that is not a number", e);
    }
  }

  private void add(Bar bar) {
    longest.add(bar);
    if (longest.size() > MOST) {
      longest.remove();
      leftOut++;
    }
  }

  /** Bars that were too many. */
  long leftOut() {
    return leftOut;
  }

  /** One a partition, by the start of its first bar. */
  List<Row> rows() {
    List<Bar> sorted = new ArrayList<>(longest);
    sorted.sort(Comparator.comparingDouble(Bar::startMs));
    Map<String, Row> rows = new LinkedHashMap<>();
    for (Bar bar : sorted) {
      rows.computeIfAbsent(
              bar.job() + "/" + bar.partition(),
              place -> new Row(bar.job(), bar.partition(), new ArrayList<>()))
          .bars()
          .add(bar);
    }
    return List.copyOf(rows.values());
  }
}
