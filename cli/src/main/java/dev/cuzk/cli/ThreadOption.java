package dev.cuzk.cli;

import java.util.concurrent.ForkJoinPool;
import picocli.CommandLine.Option;

/** How many threads of the CPU a command computes on at a time. */
final class ThreadOption {
  private static final int MOST = 4096;

  @Option(
      names = {"-t", "--threads"},
      paramLabel = "N",
      description = "CPU threads, all pools together (affinity and cgroup).")
  Integer threads;

  /** Refuses what no machine has. */
  void check(BaseCommand command) {
    if (threads != null && (threads < 1 || threads > MOST)) {
      throw command.usage("--threads must be 1 to " + MOST + ", found " + threads);
    }
  }

  int or(HostLimits limits) {
    return threads == null ? limits.threads() : threads;
  }

  /**
   * A pool of so many threads, for work that its caller waits for: whoever else computes meanwhile
   * would be one too many.
   */
  ForkJoinPool pool() {
    return new ForkJoinPool(threads == null ? HostLimits.ofProcess().threads() : threads);
  }
}
