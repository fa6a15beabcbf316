package dev.cuzk.report;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes timeline.csv: {@value #HEADER}, milliseconds since the run's start with three decimals;
 * device −1 = none. What is written after a failure is lost; {@link #close} reports it.
 */
final class TimelineCsv {
  static final String HEADER = "time_ms,type,name,job,partition,device,duration_ms,detail";
  static final String TIMELINE = "TIMELINE";
  static final String STAGE = "STAGE";

  private final BufferedWriter writer;
  private final StringBuilder line = new StringBuilder(200);
  private IOException failure;

  /** {@code file} null: nowhere. */
  TimelineCsv(Path file) throws IOException {
    writer = file == null ? null : Files.newBufferedWriter(file, StandardCharsets.UTF_8);
    if (writer != null) {
      writer.write(HEADER);
      writer.write('\n');
    }
  }

  /**
   * Writes a row.
   *
   * @param nanos since the run's start
   * @param duration nanoseconds; −1 = none
   * @param detail may be empty
   */
  void row(
      long nanos,
      String type,
      String name,
      String job,
      int partition,
      int device,
      long duration,
      String detail) {
    if (writer == null || failure != null) {
      return;
    }
    line.setLength(0);
    appendMilliseconds(line, nanos);
    line.append(',').append(type).append(',').append(name).append(',').append(job).append(',');
    line.append(partition).append(',').append(device).append(',');
    if (duration >= 0) {
      appendMilliseconds(line, duration);
    }
    line.append(',').append(detail).append('\n');
    try {
      writer.append(line);
    } catch (IOException e) {
      failure = e;
    }
  }

  static void appendMilliseconds(StringBuilder line, long nanos) {
    long micros = nanos / 1_000;
    if (micros < 0) {
      line.append('-');
      micros = -micros;
    }
    long fraction = micros % 1_000;
    line.append(micros / 1_000).append('.');
    line.append((char) ('0' + fraction / 100));
    line.append((char) ('0' + fraction / 10 % 10));
    line.append((char) ('0' + fraction % 10));
  }

  void close() throws IOException {
    if (writer != null) {
      writer.close();
    }
    if (failure != null) {
      throw failure;
    }
  }
}
