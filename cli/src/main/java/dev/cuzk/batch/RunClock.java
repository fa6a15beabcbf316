package dev.cuzk.batch;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * What a run does when a time is over, on a thread of its own, so that it happens while the run
 * waits for a pipe. Nothing happens after it was closed.
 */
final class RunClock implements AutoCloseable {
  private final ScheduledThreadPoolExecutor clock =
      new ScheduledThreadPoolExecutor(1, RunClock::thread, new ThreadPoolExecutor.DiscardPolicy());

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "cuzk-time-limit");
    thread.setDaemon(true);
    return thread;
  }

  void after(Duration delay, Runnable task) {
    clock.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
