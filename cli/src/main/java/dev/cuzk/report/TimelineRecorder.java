package dev.cuzk.report;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps what happened when. Callers only put a row into a bounded queue; a thread of its own writes
 * {@code timeline.csv} and follows the devices' idle times. When the disk cannot keep pace, rows
 * are dropped and counted rather than delaying a device.
 *
 * <p>Rows: {@code time_ms,type,name,job,partition,device,duration_ms} with type {@code event} or
 * {@code stage}; milliseconds since the run's start; device −1 = none.
 */
public final class TimelineRecorder implements Timeline, AutoCloseable {
  static final String HEADER = "time_ms,type,name,job,partition,device,duration_ms";

  private static final int QUEUE_ROWS = 1 << 16;
  private static final int STAGES_OF_JOB = 10_000;
  private static final int REMEMBERED_JOBS = 4_096;

  private record Row(
      Event event, String stage, String job, int partition, int device, long start, long end) {}

  /** A time that a partition spent in a stage. */
  public record StageTime(String name, int partition, int device, double startMs, double ms) {}

  private final long start = System.nanoTime();
  private final Path csv;
  private final BufferedWriter writer;
  private final ArrayBlockingQueue<Row> queue = new ArrayBlockingQueue<>(QUEUE_ROWS);
  private final AtomicLong dropped = new AtomicLong();
  private final Map<String, List<StageTime>> stagesByJob = new ConcurrentHashMap<>();
  private final Set<String> endedJobs = new LinkedHashSet<>();
  private final Thread thread = new Thread(this::drain, "cuzk-timeline");

  private final GapAnalysis gaps = new GapAnalysis();
  private final Map<String, Long> computingSince = new HashMap<>();
  private final Map<String, StageSum> sums = new LinkedHashMap<>();
  private volatile boolean closed;
  private volatile IOException writeFailure;
  private long end;

  /** Times and number of all passes through a stage. */
  public record StageSum(String name, long count, double seconds, double longestMs) {}

  /**
   * Starts the run's clock.
   *
   * @param csv where the rows are written; null = nowhere
   */
  public TimelineRecorder(Path csv) throws IOException {
    this.csv = csv;
    this.writer = csv == null ? null : Files.newBufferedWriter(csv, StandardCharsets.UTF_8);
    if (writer != null) {
      writer.write(HEADER);
      writer.write('\n');
    }
    thread.setDaemon(true);
    thread.start();
  }

  /** {@link System#nanoTime} of the run's start. */
  public long startNanos() {
    return start;
  }

  @Override
  public void event(Event event, String job, int partition, int device, long nanos) {
    put(new Row(event, null, job, partition, device, nanos, nanos));
  }

  @Override
  public void stage(
      String stage, String job, int partition, int device, long startNanos, long endNanos) {
    put(new Row(null, stage, job, partition, device, startNanos, endNanos));
    StageTime time =
        new StageTime(
            stage,
            partition,
            device,
            milliseconds(startNanos),
            Math.max(0, endNanos - startNanos) / 1e6);
    stagesByJob.compute(
        job,
        (name, known) -> {
          List<StageTime> stages =
              known == null ? Collections.synchronizedList(new ArrayList<>()) : known;
          if (stages.size() < STAGES_OF_JOB) {
            stages.add(time);
          }
          return stages;
        });
  }

  private void put(Row row) {
    if (closed || !queue.offer(row)) {
      dropped.incrementAndGet();
    }
  }

  /** The stages of a job that came to its end; they are forgotten here. */
  public List<StageTime> takeStages(String job) {
    List<StageTime> stages = stagesByJob.remove(job);
    synchronized (endedJobs) {
      endedJobs.add(job);
      if (endedJobs.size() > REMEMBERED_JOBS) {
        // A row may arrive after its job's end; what it left behind goes with the oldest names.
        List<String> oldest =
            new ArrayList<>(endedJobs).subList(0, endedJobs.size() - REMEMBERED_JOBS / 2);
        oldest.forEach(stagesByJob::remove);
        oldest.forEach(endedJobs::remove);
      }
    }
    return stages == null ? List.of() : List.copyOf(stages);
  }

  int rememberedJobs() {
    return stagesByJob.size();
  }

  private void drain() {
    List<Row> rows = new ArrayList<>();
    boolean last;
    do {
      last = closed;
      rows.clear();
      try {
        Row first = queue.poll(last ? 0 : 50, TimeUnit.MILLISECONDS);
        if (first != null) {
          rows.add(first);
        }
      } catch (InterruptedException e) {
        last = true;
      }
      queue.drainTo(rows);
      for (Row row : rows) {
        follow(row);
        write(row);
      }
    } while (!last || !rows.isEmpty());
  }

  private void follow(Row row) {
    if (row.stage() != null) {
      gaps.stage(row.stage(), row.device(), row.start(), row.end());
      double ms = Math.max(0, row.end() - row.start()) / 1e6;
      sums.merge(
          row.stage(),
          new StageSum(row.stage(), 1, ms / 1e3, ms),
          (a, b) ->
              new StageSum(
                  a.name(),
                  a.count() + 1,
                  a.seconds() + b.seconds(),
                  Math.max(a.longestMs(), b.longestMs())));
    } else if (row.event() == Event.GPU_START) {
      computingSince.put(row.job() + "/" + row.partition(), row.start());
    } else if (row.event() == Event.GPU_END) {
      Long since = computingSince.remove(row.job() + "/" + row.partition());
      if (since != null) {
        gaps.busy(row.device(), since, row.start());
      }
    }
  }

  private void write(Row row) {
    if (writer == null || writeFailure != null) {
      return;
    }
    try {
      boolean event = row.event() != null;
      StringBuilder line = new StringBuilder(80);
      appendMilliseconds(line, row.start() - start);
      line.append(event ? ",event," : ",stage,")
          .append(event ? row.event().name() : row.stage())
          .append(',')
          .append(row.job())
          .append(',')
          .append(row.partition())
          .append(',')
          .append(row.device())
          .append(',');
      if (!event) {
        appendMilliseconds(line, Math.max(0, row.end() - row.start()));
      }
      writer.append(line.append('\n'));
    } catch (IOException e) {
      writeFailure = e;
    }
  }

  private static void appendMilliseconds(StringBuilder line, long nanos) {
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

  private double milliseconds(long nanos) {
    return (nanos - start) / 1e6;
  }

  /**
   * Ends the run's clock and writes what is left; later rows are dropped.
   *
   * @throws IOException if a row could not be written
   */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    end = System.nanoTime();
    closed = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (writer != null) {
      writer.close();
    }
    if (writeFailure != null) {
      throw writeFailure;
    }
  }

  /** Seconds from start to {@link #close}; to now while it is open. */
  public double wallSeconds() {
    return ((closed ? end : System.nanoTime()) - start) / 1e9;
  }

  /** Rows that were not kept. */
  public long droppedRows() {
    return dropped.get();
  }

  /** After {@link #close}. */
  DeviceUse deviceUse(int device) {
    return gaps.use(device, start, end);
  }

  /** After {@link #close}: one entry a stage, in order of first appearance. */
  List<StageSum> stageSums() {
    return List.copyOf(sums.values());
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "timeline to %s, %d rows dropped", csv, dropped.get());
  }
}
