package dev.cuzk.cli;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * What signals mean for a run: the first stops it gracefully, the second ends the process at once;
 * SIGUSR1 is a request to stop that a scheduler sends before it takes the machine away. A run that
 * is still reading its inputs when the grace time is over (a pipe may never end) has nothing to
 * lose and is ended then, too.
 */
final class StopControl {
  private final Console console;
  private final Stopper stopper;
  private final BooleanSupplier begun;
  private final Duration grace;
  private Signals.Name first;

  /** Ends a run early; returns at once. */
  @FunctionalInterface
  interface Stopper {
    void stop(int exitCode, String reason);
  }

  /** {@code begun} says whether the run is done with reading its inputs. */
  StopControl(Console console, Stopper stopper, BooleanSupplier begun, Duration grace) {
    this.console = console;
    this.stopper = stopper;
    this.begun = begun;
    this.grace = grace;
  }

  /** A signal arrived. */
  void signal(Signals.Name name) {
    synchronized (this) {
      if (first != null && name != Signals.Name.USR1) {
        Runtime.getRuntime().halt(exitCodeOf(name));
      }
      if (first != null) {
        return;
      }
      first = name;
    }
    stopper.stop(exitCodeOf(name), "SIG" + name);
    console.print("cuzk: SIG" + name + ": finishing what runs; a second signal ends at once");
    Thread thread = new Thread(() -> endReading(exitCodeOf(name)), "cuzk-grace");
    thread.setDaemon(true);
    thread.start();
  }

  private void endReading(int exitCode) {
    try {
      Thread.sleep(grace.toMillis());
    } catch (InterruptedException e) {
      return;
    }
    if (!begun.getAsBoolean()) {
      console.error("stopped while inputs were still being read");
      Runtime.getRuntime().halt(exitCode);
    }
  }

  /** The contract's code of a run that this signal stopped. */
  static int exitCodeOf(Signals.Name name) {
    return name == Signals.Name.USR1 ? ExitCode.STOPPED : ExitCode.SIGNAL_BASE + name.number();
  }
}
