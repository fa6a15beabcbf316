package dev.cuzk.circuit;

import dev.cuzk.format.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;

/**
 * Work over a range of indices, cut into pieces for a given pool; never the common pool. May be
 * called from one of the pool's own threads.
 */
public final class ParallelRanges {
  /** Pieces a thread: enough that a slow piece does not leave the other threads idle. */
  private static final int PIECES_PER_THREAD = 4;

  private ParallelRanges() {}

  /** Work over indices first … first + count − 1. */
  @FunctionalInterface
  public interface Body {
    void run(long first, long count) throws InputException;
  }

  /**
   * Runs {@code body} over [0, total), in pieces whose size is a multiple of {@code grain} (the
   * last one may be shorter), and returns when all have run.
   *
   * @throws InputException the first one that a piece threw
   */
  public static void run(ForkJoinPool pool, long total, long grain, Body body)
      throws InputException {
    long pieces = (long) pool.getParallelism() * PIECES_PER_THREAD;
    long grains = (total + grain - 1) / grain;
    long size = Math.max(1, (grains + pieces - 1) / pieces) * grain;
    if (total <= size) {
      if (total > 0) {
        body.run(0, total);
      }
      return;
    }
    List<Callable<Void>> tasks = new ArrayList<>();
    for (long first = 0; first < total; first += size) {
      long from = first;
      long count = Math.min(size, total - first);
      tasks.add(
          () -> {
            body.run(from, count);
            return null;
          });
    }
    await(pool, tasks);
  }

  /** Runs all tasks on the pool and returns when all have run. */
  public static void await(ForkJoinPool pool, List<Callable<Void>> tasks) throws InputException {
    for (Future<Void> future : pool.invokeAll(tasks)) {
      try {
        future.get();
      } catch (ExecutionException e) {
        rethrow(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new java.util.concurrent.CancellationException("interrupted");
      }
    }
  }

  private static void rethrow(Throwable cause) throws InputException {
    // ForkJoinPool may wrap what another thread threw in an exception of the same type.
    for (Throwable link = cause; link != null; link = link.getCause()) {
      if (link instanceof InputException e) {
        throw e;
      }
    }
    if (cause instanceof RuntimeException e) {
      throw e;
    }
    if (cause instanceof Error e) {
      throw e;
    }
    throw new IllegalStateException(cause);
  }
}
