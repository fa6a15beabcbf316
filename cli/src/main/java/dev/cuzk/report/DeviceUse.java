package dev.cuzk.report;

import java.util.List;

/**
 * How a device spent the run.
 *
 * @param busyFraction of the run's wall time, by the device's own clock
 * @param unexplainedFraction idle for no known cause, of the run's wall time
 * @param idle what kept it idle, of the run's wall time, largest first; with {@code busyFraction}
 *     it makes 1
 * @param gaps idle times over 100 ms, in order
 * @param buckets busy fraction in each 200 ms; null for runs too long to list
 */
public record DeviceUse(
    double busyFraction,
    double unexplainedFraction,
    List<Share> idle,
    List<Gap> gaps,
    double[] buckets) {

  public DeviceUse {
    idle = List.copyOf(idle);
    gaps = List.copyOf(gaps);
  }

  /** Part of the run's wall time for which a device was idle for one cause. */
  public record Share(String cause, double fraction) {}

  /** An idle time; milliseconds since the run's start. */
  public record Gap(double startMs, double ms, String cause) {}
}
