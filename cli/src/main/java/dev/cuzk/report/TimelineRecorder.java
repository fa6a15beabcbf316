package dev.cuzk.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Keeps what happened when. Callers only put a row into a bounded queue; a thread of its own writes
 * {@code timeline.csv} and follows the devices' idle times. When the disk cannot keep pace, rows
 * are dropped and counted rather than delaying a device.
 *
 * <p>Rows are of type TIMELINE (an event), STAGE (a stage with its duration), and GPU_TIMING and
 * FIN_TIMING ({@link TimingFields}), which this class makes of a partition's stages when GPU_END
 * and WRITE_END come: a stage must be told before the event that ends it.
 */
public final class TimelineRecorder implements Timeline, AutoCloseable {
  private static final int MOST_WAITING = 1 << 17;
  private static final long PAUSE_NANOS = 20_000_000;
  private static final int ROWS_OF_JOB = 10_000;
  private static final int REMEMBERED_JOBS = 4_096;

  private enum Kind {
    EVENT,
    STAGE,
    COMPUTING,
    UPLOADED
  }

  /** {@code bytes} is of UPLOADED alone. */
  private record Row(
      Kind kind,
      Event event,
      String stage,
      String job,
      int partition,
      int device,
      long bytes,
      long start,
      long end) {
    private StageTime stageTime(long runStart) {
      return new StageTime(stage, partition, device, (start - runStart) / 1e6, (end - start) / 1e6);
    }
  }

  /** A time that a partition spent in a stage. */
  public record StageTime(String name, int partition, int device, double startMs, double ms) {}

  /** When something happened to a partition. */
  public record EventTime(String name, int partition, int device, double ms) {}

  /** What is known of a job. */
  public static final class JobTimeline {
    private final long start;
    private final List<Row> rows = new ArrayList<>();

    private JobTimeline(long start) {
      this.start = start;
    }

    /** The part that concerns one partition. */
    public PartitionTimeline partition(int index) {
      List<StageTime> stages = new ArrayList<>();
      List<EventTime> events = new ArrayList<>();
      long bytes = 0;
      for (Row row : rows) {
        if (row.partition == index) {
          switch (row.kind) {
            case STAGE -> stages.add(row.stageTime(start));
            case EVENT ->
                events.add(
                    new EventTime(row.event.name(), index, row.device, (row.start - start) / 1e6));
            default -> bytes += row.bytes;
          }
        }
      }
      return new PartitionTimeline(stages, events, bytes);
    }
  }

  /** What is known of a partition. */
  public record PartitionTimeline(
      List<StageTime> stages, List<EventTime> events, long uploadBytes) {
    public static final PartitionTimeline EMPTY = new PartitionTimeline(List.of(), List.of(), 0);

    public PartitionTimeline {
      stages = List.copyOf(stages);
      events = List.copyOf(events);
    }
  }

  /** Times and number of all passes through a stage. */
  public record StageSum(String name, long count, double seconds, double longestMs) {}

  private final LongSupplier clock;
  private final long start;
  private final Path file;
  private final TimelineCsv csv;
  private final ConcurrentLinkedQueue<Row> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong dropped = new AtomicLong();
  private final Map<String, JobTimeline> jobs = new ConcurrentHashMap<>();
  private final Set<String> endedJobs = new LinkedHashSet<>();
  private final Thread thread = new Thread(this::drain, "cuzk-timeline");
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  // Of the thread alone until it has ended.
  private final GapAnalysis gaps = new GapAnalysis();
  private final PartitionTimings timings = new PartitionTimings();
  private final UploadRates uploads = new UploadRates();
  private final Map<String, Long> onDeviceSince = new HashMap<>();
  private final Map<String, StageSum> sums = new LinkedHashMap<>();

  private volatile boolean closed;
  private long end;

  /**
   * Starts the run's clock.
   *
   * @param csv where the rows are written; null = nowhere
   */
  public TimelineRecorder(Path csv) throws IOException {
    this(csv, System::nanoTime);
  }

  /** As {@link #TimelineRecorder(Path)}, by another clock: nanoseconds of it come with events. */
  public TimelineRecorder(Path csv, LongSupplier clock) throws IOException {
    this.clock = clock;
    this.start = clock.getAsLong();
    this.file = csv;
    this.csv = new TimelineCsv(csv);
    thread.setDaemon(true);
    thread.start();
  }

  /** The clock at the run's start. */
  public long startNanos() {
    return start;
  }

  @Override
  public void event(Event event, String job, int partition, int device, long nanos) {
    keep(new Row(Kind.EVENT, event, null, job, partition, device, 0, nanos, nanos));
  }

  @Override
  public void stage(
      String stage, String job, int partition, int device, long startNanos, long endNanos) {
    long until = Math.max(startNanos, endNanos);
    keep(new Row(Kind.STAGE, null, stage, job, partition, device, 0, startNanos, until));
  }

  @Override
  public void computing(int device, long startNanos, long endNanos) {
    put(new Row(Kind.COMPUTING, null, null, "", -1, device, 0, startNanos, endNanos));
  }

  @Override
  public void uploaded(
      String job, int partition, int device, long bytes, long startNanos, long endNanos) {
    keep(new Row(Kind.UPLOADED, null, null, job, partition, device, bytes, startNanos, endNanos));
  }

  private void keep(Row row) {
    put(row);
    jobs.compute(
        row.job,
        (name, known) -> {
          JobTimeline timeline = known == null ? new JobTimeline(start) : known;
          if (timeline.rows.size() < ROWS_OF_JOB) {
            timeline.rows.add(row);
          }
          return timeline;
        });
  }

  /** Wakes nobody: to wake a thread takes longer than all the rest. */
  private void put(Row row) {
    if (closed) {
      dropped.incrementAndGet();
    } else if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      dropped.incrementAndGet();
    } else {
      queue.add(row);
    }
  }

  /** What is known of a job that came to its end; it is forgotten here. */
  public JobTimeline take(String job) {
    JobTimeline timeline = jobs.remove(job);
    synchronized (endedJobs) {
      endedJobs.add(job);
      if (endedJobs.size() > REMEMBERED_JOBS) {
        // A row may arrive after its job's end; what it left behind goes with the oldest names.
        List<String> oldest =
            new ArrayList<>(endedJobs).subList(0, endedJobs.size() - REMEMBERED_JOBS / 2);
        oldest.forEach(jobs::remove);
        oldest.forEach(endedJobs::remove);
      }
    }
    return timeline == null ? new JobTimeline(start) : timeline;
  }

  int rememberedJobs() {
    return jobs.size();
  }

  private void drain() {
    try {
      drainUntilClosed();
    } finally {
      ended.complete(null);
    }
  }

  private void drainUntilClosed() {
    boolean last;
    do {
      last = closed;
      for (Row row = queue.poll(); row != null; row = queue.poll()) {
        waiting.decrementAndGet();
        take(row);
      }
      if (!last) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } while (!last);
  }

  private void take(Row row) {
    switch (row.kind) {
      case EVENT -> event(row);
      case STAGE -> stage(row);
      case COMPUTING -> gaps.computing(row.device, row.start, row.end);
      case UPLOADED -> {
        timings.uploaded(row.job, row.partition, row.bytes);
        uploads.add(row.bytes, row.start - start, row.end - start);
      }
    }
  }

  private void stage(Row row) {
    gaps.stage(row.stage, row.device, row.start, row.end);
    timings.stage(row.job, row.stageTime(start));
    double ms = (row.end - row.start) / 1e6;
    sums.merge(
        row.stage,
        new StageSum(row.stage, 1, ms / 1e3, ms),
        (a, b) ->
            new StageSum(
                a.name(),
                a.count() + 1,
                a.seconds() + b.seconds(),
                Math.max(a.longestMs(), b.longestMs())));
    write(row, TimelineCsv.STAGE, row.stage, row.end - row.start, "");
  }

  private void event(Row row) {
    write(row, TimelineCsv.TIMELINE, row.event.name(), -1, "");
    String place = row.job + "/" + row.partition;
    switch (row.event) {
      case GPU_START -> onDeviceSince.put(place, row.start);
      case GPU_END -> {
        Long since = onDeviceSince.remove(place);
        if (since != null) {
          gaps.onDevice(row.device, since, row.start);
        }
        String timing = timings.takeGpuTiming(row.job, row.partition);
        write(row, TimingFields.GPU_TIMING, "", -1, timing);
      }
      case WRITE_END -> {
        String timing = timings.takeFinTiming(row.job, row.partition);
        write(row, TimingFields.FIN_TIMING, "", -1, timing);
      }
      default -> {
        // Nothing follows from the others.
      }
    }
  }

  private void write(Row row, String type, String name, long duration, String detail) {
    csv.row(row.start - start, type, name, row.job, row.partition, row.device, duration, detail);
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
    end = clock.getAsLong();
    closed = true;
    LockSupport.unpark(thread);
    // Not Thread.join, which an interrupt ends.
    ended.join();
    csv.close();
  }

  /** Seconds from start to {@link #close}; to now while it is open. */
  public double wallSeconds() {
    return ((closed ? end : clock.getAsLong()) - start) / 1e9;
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

  /**
   * After {@link #close}: what crossed to the devices.
   *
   * @param bytes all of them, as the engine counted
   */
  public EngineFigures.UploadFigures uploadFigures(long bytes) {
    StageSum stage = sums.get(StageNames.UPLOAD);
    return new EngineFigures.UploadFigures(
        bytes, stage == null ? 0 : stage.seconds(), uploads.peakBytesPerSecond(), uploads.rates());
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "timeline to %s, %d rows dropped", file, dropped.get());
  }
}
