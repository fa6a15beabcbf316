package dev.cuzk.cli;

import dev.cuzk.batch.Reading;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Shows how far the reading of a large file has come, as a run shows its own progress: a line at
 * the bottom of a terminal, or a plain one now and then in a log. A file that is read sooner than
 * the first line is due is not mentioned.
 */
final class ReadingProgress implements Reading {
  private final Console console;
  private final long intervalNanos;
  private String file;
  private long due;
  private boolean shown;

  private ReadingProgress(Console console, Duration interval) {
    this.console = console;
    this.intervalNanos = interval.toNanos();
  }

  static Reading of(Session session) throws CommandFailure {
    Console console = session.console();
    Duration interval = Progress.logInterval(session.environment());
    return switch (console.progressStyle()) {
      case NONE -> UNHEARD;
      case STATUS_LINES -> new ReadingProgress(console, Progress.TERMINAL_INTERVAL);
      case LOG_LINES -> new ReadingProgress(console, interval);
    };
  }

  @Override
  public synchronized void progressed(String name, long done, long total) {
    long now = System.nanoTime();
    if (!name.equals(file)) {
      file = name;
      due = now + intervalNanos;
    }
    if (done == total) {
      file = null;
      if (shown) {
        console.clearStatus();
      }
      shown = false;
    } else if (now - due >= 0) {
      due = now + intervalNanos;
      show(line(name, done, total));
    }
  }

  private void show(String line) {
    shown = true;
    if (console.progressStyle() == Console.ProgressStyle.STATUS_LINES) {
      console.showStatus(List.of(line));
    } else {
      console.print("cuzk: " + line);
    }
  }

  static String line(String name, long done, long total) {
    return String.format(
        Locale.ROOT,
        "%s: taking its digest, %s of %s (%.0f %%)",
        name,
        MemorySize.format(done),
        MemorySize.format(total),
        100.0 * done / total);
  }
}
