package dev.cuzk.cli;

import dev.cuzk.batch.BatchRunner;
import dev.cuzk.engine.EngineSnapshot;
import java.time.Duration;
import java.util.Optional;

/**
 * Shows where a run stands: lines at the bottom of a terminal, or one plain line now and then in a
 * log.
 */
final class Progress implements AutoCloseable {
  static final Duration TERMINAL_INTERVAL = Duration.ofMillis(250);
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(30);

  private final Console console;
  private final BatchRunner runner;
  private final boolean jsonLines;
  private final Thread thread;
  private final long begin = System.nanoTime();

  private Progress(Console console, BatchRunner runner, Duration interval, boolean jsonLines) {
    this.console = console;
    this.runner = runner;
    this.jsonLines = jsonLines;
    this.thread = new Thread(() -> loop(interval), "progress");
    thread.setDaemon(true);
  }

  /** Starts showing; closed before the last lines of the run are printed. */
  static Progress start(Session session, BatchRunner runner) throws CommandFailure {
    Console console = session.console();
    Duration logInterval = logInterval(session.environment());
    boolean terminal = console.progressStyle() == Console.ProgressStyle.STATUS_LINES;
    Progress progress =
        new Progress(console, runner, terminal ? TERMINAL_INTERVAL : logInterval, console.isJson());
    if (console.progressStyle() != Console.ProgressStyle.NONE || console.isJson()) {
      progress.thread.start();
    }
    return progress;
  }

  /** {@code CUZK_PROGRESS_SECONDS}, a positive number; else 30 s. */
  static Duration logInterval(Environment environment) throws CommandFailure {
    Optional<String> text = environment.variable("CUZK_PROGRESS_SECONDS");
    if (text.isEmpty()) {
      return LOG_INTERVAL;
    }
    if (!text.get().matches("[0-9]{1,6}(\\.[0-9]{1,3})?") || Double.parseDouble(text.get()) <= 0) {
      throw CommandFailure.usage(
          "environment variable CUZK_PROGRESS_SECONDS: '"
              + text.get()
              + "' is not a positive number of seconds");
    }
    return Duration.ofMillis(Math.max(1, Math.round(Double.parseDouble(text.get()) * 1000)));
  }

  private void loop(Duration interval) {
    try {
      while (true) {
        Thread.sleep(interval.toMillis());
        runner.snapshot().ifPresent(this::show);
      }
    } catch (InterruptedException e) {
      // Closed: the run is over.
      Thread.currentThread().interrupt();
    }
  }

  private void show(EngineSnapshot snapshot) {
    long known = runner.knownJobs();
    double seconds = (System.nanoTime() - begin) / 1e9;
    if (jsonLines) {
      console.result(Json.write(ProgressLines.json(snapshot, known, seconds)));
    }
    switch (console.progressStyle()) {
      case STATUS_LINES -> console.showStatus(ProgressLines.terminal(snapshot, known, seconds));
      case LOG_LINES -> console.print("cuzk: " + ProgressLines.batch(snapshot, known, seconds));
      case NONE -> {}
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(1_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    console.clearStatus();
  }
}
