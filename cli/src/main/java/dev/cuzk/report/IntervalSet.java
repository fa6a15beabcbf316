package dev.cuzk.report;

import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * A union of half-open time intervals in nanoseconds. Memory is bounded: beyond {@link #MAXIMUM}
 * disjoint intervals the shortest gaps are closed, so that what is lost is below the report's
 * resolution.
 */
final class IntervalSet {
  static final int MAXIMUM = 50_000;

  private final TreeMap<Long, Long> endByStart = new TreeMap<>();
  private long tolerance = 1;

  void add(long start, long end) {
    if (end <= start) {
      return;
    }
    long from = start;
    long to = end;
    Map.Entry<Long, Long> before = endByStart.floorEntry(from);
    if (before != null && before.getValue() >= from - tolerance) {
      from = before.getKey();
      to = Math.max(to, before.getValue());
    }
    Iterator<Map.Entry<Long, Long>> later = endByStart.tailMap(from, true).entrySet().iterator();
    while (later.hasNext()) {
      Map.Entry<Long, Long> next = later.next();
      if (next.getKey() > to + tolerance) {
        break;
      }
      to = Math.max(to, next.getValue());
      later.remove();
    }
    endByStart.put(from, to);
    while (endByStart.size() > MAXIMUM) {
      closeShortGaps();
    }
  }

  private void closeShortGaps() {
    tolerance *= 4;
    TreeMap<Long, Long> old = new TreeMap<>(endByStart);
    endByStart.clear();
    long from = old.firstEntry().getKey();
    long to = old.firstEntry().getValue();
    for (Map.Entry<Long, Long> interval : old.entrySet()) {
      if (interval.getKey() > to + tolerance) {
        endByStart.put(from, to);
        from = interval.getKey();
      }
      to = interval.getValue();
    }
    endByStart.put(from, to);
  }

  /** Total length of the part inside [start, end). */
  long overlap(long start, long end) {
    long[] sum = {0};
    forEachInside(start, end, (from, to) -> sum[0] += to - from);
    return sum[0];
  }

  /** The parts of [start, end) that are not in this set, in order. */
  void forEachGap(long start, long end, BiConsumer<Long, Long> gap) {
    long reached = start;
    Map.Entry<Long, Long> before = endByStart.floorEntry(start);
    long first = before == null ? start : before.getKey();
    for (Map.Entry<Long, Long> interval :
        endByStart.subMap(first, true, Math.max(first, end), false).entrySet()) {
      if (interval.getKey() > reached) {
        gap.accept(reached, interval.getKey());
      }
      reached = Math.max(reached, interval.getValue());
    }
    if (reached < end) {
      gap.accept(reached, end);
    }
  }

  /** The parts of this set inside [start, end), in order. */
  void forEachInside(long start, long end, BiConsumer<Long, Long> part) {
    Map.Entry<Long, Long> before = endByStart.floorEntry(start);
    long first = before == null ? start : before.getKey();
    for (Map.Entry<Long, Long> interval : endByStart.subMap(first, true, end, false).entrySet()) {
      long from = Math.max(start, interval.getKey());
      long to = Math.min(end, interval.getValue());
      if (to > from) {
        part.accept(from, to);
      }
    }
  }

  /** What of [start, end) is not in this set. */
  IntervalSet complement(long start, long end) {
    IntervalSet others = new IntervalSet();
    forEachGap(start, end, others::put);
    return others;
  }

  /** What is in this set and in the other. */
  IntervalSet intersection(IntervalSet other) {
    IntervalSet both = new IntervalSet();
    endByStart.forEach((from, to) -> other.forEachInside(from, to, both::put));
    return both;
  }

  /** Behind all others and apart from them: results of set operations stay exact. */
  private void put(long start, long end) {
    endByStart.put(start, end);
  }

  int size() {
    return endByStart.size();
  }
}
