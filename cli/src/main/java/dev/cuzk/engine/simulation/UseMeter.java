package dev.cuzk.engine.simulation;

import dev.cuzk.report.DeviceUse;
import dev.cuzk.report.GapAnalysis;
import dev.cuzk.report.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Follows what simulated devices did when, as a run's report does with real ones. */
final class UseMeter implements Timeline {
  private final GapAnalysis analysis = new GapAnalysis();
  private final Map<String, Long> onDeviceSince = new HashMap<>();
  private final Map<Integer, List<long[]>> computing = new HashMap<>();

  @Override
  public void event(Event event, String job, int partition, int device, long nanos) {
    String name = job + '/' + partition;
    if (event == Event.GPU_START) {
      onDeviceSince.put(name, nanos);
    } else if (event == Event.GPU_END) {
      Long since = onDeviceSince.remove(name);
      if (since != null) {
        analysis.onDevice(device, since, nanos);
      }
    }
  }

  @Override
  public void stage(
      String stage, String job, int partition, int device, long startNanos, long endNanos) {
    analysis.stage(stage, device, startNanos, endNanos);
  }

  @Override
  public void computing(int device, long startNanos, long endNanos) {
    analysis.computing(device, startNanos, endNanos);
    computing.computeIfAbsent(device, none -> new ArrayList<>()).add(span(startNanos, endNanos));
  }

  private static long[] span(long start, long end) {
    return new long[] {start, end};
  }

  DeviceUse use(int device, long end) {
    return analysis.use(device, 0, end);
  }

  /** Milliseconds between one computation of a device and the next, in order of length. */
  List<Double> gapsMs(int device) {
    List<Double> gaps = new ArrayList<>();
    long reached = -1;
    for (long[] span : computing.getOrDefault(device, List.of())) {
      if (reached >= 0 && span[0] > reached) {
        gaps.add((span[0] - reached) / 1e6);
      }
      reached = span[1];
    }
    gaps.sort(null);
    return gaps;
  }
}
