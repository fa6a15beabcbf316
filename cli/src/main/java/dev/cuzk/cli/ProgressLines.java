package dev.cuzk.cli;

import dev.cuzk.engine.EngineSnapshot;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The words of progress. */
final class ProgressLines {
  private ProgressLines() {}

  /** One line for the batch: done and total, rate, time left. */
  static String batch(EngineSnapshot snapshot, long known, double seconds) {
    long ended = snapshot.jobsProved() + snapshot.jobsFailed() + snapshot.jobsDropped();
    StringBuilder text = new StringBuilder();
    text.append(resumed(snapshot, known) + ended).append('/').append(total(snapshot, known));
    text.append(known < 0 ? "+ jobs" : " jobs");
    if (snapshot.jobsFailed() > 0) {
      text.append(", ").append(snapshot.jobsFailed()).append(" failed");
    }
    double perMinute = seconds > 0 ? 60 * snapshot.jobsProved() / seconds : 0;
    text.append(String.format(Locale.ROOT, ", %.1f proofs/min", perMinute));
    timeLeft(snapshot, known, seconds)
        .ifPresent(left -> text.append(", ").append(left).append(" left"));
    if (snapshot.stopping()) {
      text.append(", stopping");
    }
    return text.toString();
  }

  /** All jobs of the run; so far, while a list is still being read. */
  private static long total(EngineSnapshot snapshot, long known) {
    return known < 0 ? snapshot.jobsSubmitted() : known;
  }

  /** Jobs that were done before the run and never reached the engine. */
  private static long resumed(EngineSnapshot snapshot, long known) {
    return known < 0 ? 0 : Math.max(0, known - snapshot.jobsSubmitted());
  }

  private static Optional<String> timeLeft(EngineSnapshot snapshot, long known, double seconds) {
    long ended = snapshot.jobsProved() + snapshot.jobsFailed() + snapshot.jobsDropped();
    long open = snapshot.jobsSubmitted() - ended;
    if (ended == 0 || known < 0 || open <= 0 || snapshot.stopping()) {
      return Optional.empty();
    }
    return Optional.of(
        DurationConverter.format(Duration.ofSeconds(Math.round(seconds * open / ended))));
  }

  /**
   * The batch line, and a line for each device. What may be long stands last: a narrow terminal
   * cuts lines off.
   */
  static List<String> terminal(EngineSnapshot snapshot, long known, double seconds) {
    List<String> lines = new ArrayList<>();
    lines.add(batch(snapshot, known, seconds));
    for (EngineSnapshot.DeviceSnapshot device : snapshot.devices()) {
      String work =
          device.job().isEmpty() ? "" : ", " + device.job() + "[" + device.partition() + "]";
      lines.add(
          String.format(
              Locale.ROOT,
              "  %d: busy %3.0f %%, %s%s, %s",
              device.index(),
              100 * device.busyFraction(),
              device.stage(),
              work,
              device.name()));
    }
    return lines;
  }

  /** The {@code progress} line of {@code --json}. */
  static Map<String, Object> json(EngineSnapshot snapshot, long known, double seconds) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("type", "progress");
    object.put("time", BigDecimal.valueOf(System.currentTimeMillis(), 3));
    object.put("jobs", total(snapshot, known));
    object.put("proved", snapshot.jobsProved());
    object.put("failed", snapshot.jobsFailed());
    object.put("dropped", snapshot.jobsDropped());
    object.put("in_flight", snapshot.partitionsInFlight());
    object.put("wall_seconds", seconds);
    List<Object> devices = new ArrayList<>();
    for (EngineSnapshot.DeviceSnapshot device : snapshot.devices()) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("index", device.index());
      each.put("name", device.name());
      each.put("job", device.job());
      each.put("partition", device.partition());
      each.put("stage", device.stage());
      each.put("busy_fraction", device.busyFraction());
      devices.add(each);
    }
    object.put("devices", devices);
    return object;
  }
}
