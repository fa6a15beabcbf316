package dev.cuzk.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The jobs of a run as the report keeps them: all of them up to {@value #DETAILED}; beyond that
 * sums per class, the slowest, and all that failed. Safe for use by several threads.
 */
public final class JobTable {
  static final int DETAILED = 1_000;
  static final int SLOWEST = 100;

  private final List<JobReport> detailed = new ArrayList<>();
  private final List<JobReport> failed = new ArrayList<>();
  private final PriorityQueue<JobReport> slowest =
      new PriorityQueue<>(Comparator.comparingDouble(job -> job.times().total()));
  private final Map<String, ClassSum> sums = new LinkedHashMap<>();
  private boolean rolledUp;

  /** Sums over the jobs of one kind, status and exit class. */
  public record ClassSum(
      String kind, String status, int exitClass, long jobs, JobReport.Times times) {}

  /** Notes a job's end. */
  public synchronized void add(JobReport job) {
    sums.merge(
        job.kind() + "/" + job.status() + "/" + job.exitClass(),
        new ClassSum(job.kind(), job.status(), job.exitClass(), 1, job.times()),
        (a, b) ->
            new ClassSum(
                a.kind(),
                a.status(),
                a.exitClass(),
                a.jobs() + b.jobs(),
                a.times().plus(b.times())));
    if (!rolledUp && detailed.size() < DETAILED) {
      detailed.add(job);
      return;
    }
    if (!rolledUp) {
      rolledUp = true;
      detailed.forEach(this::rollUp);
      detailed.clear();
    }
    rollUp(job);
  }

  private void rollUp(JobReport job) {
    if (job.status().equals("failed")) {
      failed.add(failed.size() < DETAILED ? job : job.withoutPartitions());
      return;
    }
    slowest.add(job);
    if (slowest.size() > SLOWEST) {
      slowest.remove();
    }
  }

  /** Whether some jobs are present in the sums only. */
  public synchronized boolean rolledUp() {
    return rolledUp;
  }

  /** The kept jobs in the order of the run. */
  public synchronized List<JobReport> jobs() {
    List<JobReport> jobs = new ArrayList<>(detailed);
    jobs.addAll(failed);
    jobs.addAll(slowest);
    jobs.sort(Comparator.comparingLong(JobReport::sequence));
    return jobs;
  }

  /** Sums over all jobs. */
  public synchronized List<ClassSum> classSums() {
    return List.copyOf(sums.values());
  }

  /** Number of jobs with this status. */
  public synchronized long count(String status) {
    return sums.values().stream()
        .filter(sum -> sum.status().equals(status))
        .mapToLong(ClassSum::jobs)
        .sum();
  }

  /** Times summed over all jobs. */
  public synchronized JobReport.Times totals() {
    return sums.values().stream()
        .map(ClassSum::times)
        .reduce(JobReport.Times.ZERO, JobReport.Times::plus);
  }
}
