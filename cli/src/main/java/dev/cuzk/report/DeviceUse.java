package dev.cuzk.report;

import java.util.List;

/**
 * How a device spent the run.
 *
 * @param busyFraction of the run's wall time
 * @param unexplainedFraction idle for no known cause, of the run's wall time
 * @param gaps idle times over 100 ms, in order
 * @param buckets busy fraction in each 200 ms; null for runs too long to list
 */
record DeviceUse(
    double busyFraction, double unexplainedFraction, List<Gap> gaps, double[] buckets) {

  /** An idle time; milliseconds since the run's start. */
  record Gap(double startMs, double ms, String cause) {}
}
