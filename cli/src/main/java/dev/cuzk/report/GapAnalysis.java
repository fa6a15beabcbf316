package dev.cuzk.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Why devices were idle. A device is busy while it computes by its own clock. Its idle times are
 * laid over what partitions were waiting for or doing meanwhile: each moment goes to the first
 * {@link Cause} that covers it, and what nothing covers is unexplained. The cause that has most of
 * a gap is the gap's cause. Not safe for use by several threads.
 */
public final class GapAnalysis {
  /** Gaps longer than this are listed. */
  static final long LISTED_NANOS = 100_000_000L;

  /** Of more gaps than this, the longest are kept. */
  static final int LISTED_GAPS = 1_000;

  static final long BUCKET_NANOS = 200_000_000L;
  static final int MAXIMUM_BUCKETS = 50_000;

  private static final int ALL_DEVICES = -1;

  /** After the device: they keep none from working. */
  private static final Set<String> AFTERWARDS =
      Set.of(
          StageNames.FINISH,
          StageNames.VERIFY_WAIT,
          StageNames.VERIFY,
          StageNames.ASSEMBLE,
          StageNames.WRITE);

  /** In the order in which they explain a moment. */
  enum Cause {
    KEY_LOAD("key load"),
    LOCK("lock"),
    UPLOAD("upload"),
    /** Results come down, or the host makes the last sums of a proof. */
    FINISH("finish"),
    /** A partition is on the device, and the host has not launched what comes next. */
    LAUNCH("launch"),
    DEVICE_MEMORY("device memory"),
    HOST_MEMORY("host memory"),
    SYNTHESIS("synthesis"),
    /** As many partitions are in flight as the user allows. */
    IN_FLIGHT("in-flight limit"),
    NO_WORK("no work"),
    UNEXPLAINED("unexplained");

    private final String printedName;

    Cause(String printedName) {
      this.printedName = printedName;
    }

    String printedName() {
      return printedName;
    }

    /** Null for a stage that explains no idle device. */
    private static Cause of(String stage) {
      return switch (stage) {
        case StageNames.KEY_LOAD -> KEY_LOAD;
        case StageNames.LOCK_WAIT -> LOCK;
        case StageNames.UPLOAD -> UPLOAD;
        case StageNames.DOWNLOAD, StageNames.FINISH -> FINISH;
        case StageNames.LAUNCH -> LAUNCH;
        case StageNames.DEVICE_MEMORY_WAIT -> DEVICE_MEMORY;
        case StageNames.HOST_MEMORY_WAIT, StageNames.PINNED_MEMORY_WAIT -> HOST_MEMORY;
        case StageNames.SYNTHESIS, StageNames.SYNTHESIS_WAIT -> SYNTHESIS;
        case StageNames.IN_FLIGHT_WAIT -> IN_FLIGHT;
        default -> null;
      };
    }

    /** Whether it holds for all devices, whichever the partition went to in the end. */
    private boolean general() {
      return this == DEVICE_MEMORY || this == HOST_MEMORY || this == SYNTHESIS || this == IN_FLIGHT;
    }
  }

  private final Map<Integer, IntervalSet> computing = new HashMap<>();
  private final Map<Integer, Map<Cause, IntervalSet>> causes = new HashMap<>();
  private final Map<Integer, IntervalSet> work = new HashMap<>();

  /** A device computed. */
  public void computing(int device, long start, long end) {
    at(computing, device).add(start, end);
  }

  /**
   * A partition was on a device. If the device gave no times of its own for it, it computed all the
   * while.
   */
  public void onDevice(int device, long start, long end) {
    if (at(computing, device).overlap(start, end) == 0) {
      computing(device, start, end);
    }
    cause(Cause.LAUNCH, device, start, end);
    at(work, device).add(start, end);
  }

  /** A partition spent time in a stage; device −1 concerns every device. */
  public void stage(String stage, int device, long start, long end) {
    Cause cause = Cause.of(stage);
    boolean general = cause == null ? stage.equals(StageNames.QUEUED) : cause.general();
    int concerned = general ? ALL_DEVICES : device;
    if (cause != null) {
      cause(cause, concerned, start, end);
    }
    if (!AFTERWARDS.contains(stage)) {
      at(work, concerned).add(start, end);
    }
  }

  private void cause(Cause cause, int device, long start, long end) {
    causes
        .computeIfAbsent(device, d -> new EnumMap<>(Cause.class))
        .computeIfAbsent(cause, c -> new IntervalSet())
        .add(start, end);
  }

  private static IntervalSet at(Map<Integer, IntervalSet> sets, int device) {
    return sets.computeIfAbsent(device, d -> new IntervalSet());
  }

  /** A device's use in [start, end): the whole run. */
  public DeviceUse use(int device, long start, long end) {
    IntervalSet busy = at(computing, device);
    Map<Cause, IntervalSet> idle = idleByCause(device, start, end);
    List<DeviceUse.Gap> gaps = new ArrayList<>();
    busy.forEachGap(
        start,
        end,
        (from, to) -> {
          if (to - from > LISTED_NANOS) {
            String cause = largest(idle, from, to).printedName();
            gaps.add(new DeviceUse.Gap((from - start) / 1e6, (to - from) / 1e6, cause));
          }
        });
    double wall = Math.max(1, end - start);
    List<DeviceUse.Share> shares = new ArrayList<>();
    idle.forEach(
        (cause, times) -> {
          long nanos = times.overlap(start, end);
          if (nanos > 0) {
            shares.add(new DeviceUse.Share(cause.printedName(), nanos / wall));
          }
        });
    shares.sort(Comparator.comparingDouble(DeviceUse.Share::fraction).reversed());
    return new DeviceUse(
        busy.overlap(start, end) / wall,
        idle.get(Cause.UNEXPLAINED).overlap(start, end) / wall,
        shares,
        longest(gaps),
        buckets(busy, start, end));
  }

  /** The device's idle times, each moment under one cause. */
  private Map<Cause, IntervalSet> idleByCause(int device, long start, long end) {
    Map<Cause, IntervalSet> byCause = new EnumMap<>(Cause.class);
    IntervalSet rest = at(computing, device).complement(start, end);
    for (Cause cause : Cause.values()) {
      IntervalSet covered = new IntervalSet();
      for (int concerned : new int[] {device, ALL_DEVICES}) {
        IntervalSet times = causes.getOrDefault(concerned, Map.of()).get(cause);
        if (times != null) {
          times.forEachInside(start, end, covered::add);
        }
      }
      if (cause == Cause.NO_WORK) {
        at(work, device).forEachInside(start, end, covered::add);
        at(work, ALL_DEVICES).forEachInside(start, end, covered::add);
        covered = covered.complement(start, end);
      } else if (cause == Cause.UNEXPLAINED) {
        covered = rest;
      }
      byCause.put(cause, rest.intersection(covered));
      rest = rest.intersection(covered.complement(start, end));
    }
    return byCause;
  }

  private static Cause largest(Map<Cause, IntervalSet> idle, long from, long to) {
    Cause best = Cause.UNEXPLAINED;
    long most = 0;
    for (Map.Entry<Cause, IntervalSet> each : idle.entrySet()) {
      long nanos = each.getValue().overlap(from, to);
      if (nanos > most) {
        best = each.getKey();
        most = nanos;
      }
    }
    return best;
  }

  private static List<DeviceUse.Gap> longest(List<DeviceUse.Gap> gaps) {
    if (gaps.size() <= LISTED_GAPS) {
      return gaps;
    }
    List<DeviceUse.Gap> kept = new ArrayList<>(gaps);
    kept.sort((a, b) -> Double.compare(b.ms(), a.ms()));
    kept = new ArrayList<>(kept.subList(0, LISTED_GAPS));
    kept.sort((a, b) -> Double.compare(a.startMs(), b.startMs()));
    return kept;
  }

  private static double[] buckets(IntervalSet busy, long start, long end) {
    long count = (end - start + BUCKET_NANOS - 1) / BUCKET_NANOS;
    if (count > MAXIMUM_BUCKETS) {
      return null;
    }
    double[] buckets = new double[(int) Math.max(0, count)];
    for (int i = 0; i < buckets.length; i++) {
      long from = start + i * BUCKET_NANOS;
      long to = Math.min(end, from + BUCKET_NANOS);
      buckets[i] = busy.overlap(from, to) / (double) Math.max(1, to - from);
    }
    return buckets;
  }
}
