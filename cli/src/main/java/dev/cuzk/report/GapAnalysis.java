package dev.cuzk.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Why devices were idle. Each idle time of a device is laid over what partitions were waiting for
 * or doing meanwhile; the cause that covers most of it is the gap's cause, and what nothing covers
 * is unexplained. Not safe for use by several threads.
 */
final class GapAnalysis {
  /** Gaps longer than this are listed. */
  static final long LISTED_NANOS = 100_000_000L;

  /** Of more gaps than this, the longest are kept. */
  static final int LISTED_GAPS = 1_000;

  static final long BUCKET_NANOS = 200_000_000L;
  static final int MAXIMUM_BUCKETS = 50_000;

  private static final int ALL_DEVICES = -1;

  private static final Set<String> AFTER_THE_DEVICE =
      Set.of(StageNames.VERIFY_WAIT, StageNames.VERIFY, StageNames.WRITE);

  /** In the order in which they win when several cover equally much. */
  enum Cause {
    KEY_LOAD,
    UPLOAD,
    LOCK,
    DEVICE_MEMORY,
    HOST_MEMORY,
    SYNTHESIS,
    NO_WORK,
    UNEXPLAINED;

    String printedName() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private final Map<Integer, IntervalSet> busy = new HashMap<>();
  private final Map<Integer, Map<Cause, IntervalSet>> causes = new HashMap<>();
  private final IntervalSet work = new IntervalSet();

  /** A device computed. */
  void busy(int device, long start, long end) {
    busy.computeIfAbsent(device, d -> new IntervalSet()).add(start, end);
  }

  /** A partition spent time in a stage; device −1 concerns every device. */
  void stage(String stage, int device, long start, long end) {
    switch (stage) {
      case StageNames.KEY_LOAD -> cause(Cause.KEY_LOAD, device, start, end);
      case StageNames.UPLOAD -> cause(Cause.UPLOAD, device, start, end);
      case StageNames.LOCK_WAIT -> cause(Cause.LOCK, device, start, end);
      case StageNames.DEVICE_MEMORY_WAIT -> cause(Cause.DEVICE_MEMORY, device, start, end);
      case StageNames.HOST_MEMORY_WAIT, StageNames.PINNED_MEMORY_WAIT ->
          cause(Cause.HOST_MEMORY, device, start, end);
      case StageNames.SYNTHESIS, StageNames.SYNTHESIS_WAIT ->
          cause(Cause.SYNTHESIS, ALL_DEVICES, start, end);
      default -> {
        // Other stages explain no idle device.
      }
    }
    if (!AFTER_THE_DEVICE.contains(stage)) {
      work.add(start, end);
    }
  }

  private void cause(Cause cause, int device, long start, long end) {
    causes
        .computeIfAbsent(device, d -> new EnumMap<>(Cause.class))
        .computeIfAbsent(cause, c -> new IntervalSet())
        .add(start, end);
  }

  /** A device's use in [start, end): the whole run. */
  DeviceUse use(int device, long start, long end) {
    IntervalSet computing = busy.getOrDefault(device, new IntervalSet());
    List<DeviceUse.Gap> gaps = new ArrayList<>();
    long[] unexplained = {0};
    computing.forEachGap(
        start,
        end,
        (from, to) -> {
          Map<Cause, Long> shares = shares(device, from, to);
          unexplained[0] += shares.getOrDefault(Cause.UNEXPLAINED, 0L);
          if (to - from > LISTED_NANOS) {
            gaps.add(
                new DeviceUse.Gap(
                    (from - start) / 1e6, (to - from) / 1e6, largest(shares).printedName()));
          }
        });
    double wall = Math.max(1, end - start);
    return new DeviceUse(
        computing.overlap(start, end) / wall,
        unexplained[0] / wall,
        longest(gaps),
        buckets(computing, start, end));
  }

  private Map<Cause, Long> shares(int device, long from, long to) {
    Map<Cause, Long> shares = new EnumMap<>(Cause.class);
    IntervalSet explained = new IntervalSet();
    for (int concerned : new int[] {device, ALL_DEVICES}) {
      causes
          .getOrDefault(concerned, Map.of())
          .forEach(
              (cause, intervals) -> {
                shares.merge(cause, intervals.overlap(from, to), Long::sum);
                intervals.forEachInside(from, to, explained::add);
              });
    }
    work.forEachGap(
        from,
        to,
        (a, b) -> {
          shares.merge(Cause.NO_WORK, b - a, Long::sum);
          explained.add(a, b);
        });
    shares.put(Cause.UNEXPLAINED, to - from - explained.overlap(from, to));
    return shares;
  }

  private static Cause largest(Map<Cause, Long> shares) {
    Cause best = Cause.UNEXPLAINED;
    long most = -1;
    for (Map.Entry<Cause, Long> share : shares.entrySet()) {
      if (share.getValue() > most) {
        best = share.getKey();
        most = share.getValue();
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

  private static double[] buckets(IntervalSet computing, long start, long end) {
    long count = (end - start + BUCKET_NANOS - 1) / BUCKET_NANOS;
    if (count > MAXIMUM_BUCKETS) {
      return null;
    }
    double[] buckets = new double[(int) Math.max(0, count)];
    for (int i = 0; i < buckets.length; i++) {
      long from = start + i * BUCKET_NANOS;
      long to = Math.min(end, from + BUCKET_NANOS);
      buckets[i] = computing.overlap(from, to) / (double) Math.max(1, to - from);
    }
    return buckets;
  }
}
