package dev.cuzk.cli;

/**
 * What signals mean for a run: the first stops it gracefully, the second ends the process at once;
 * SIGUSR1 is a request to stop that a scheduler sends before it takes the machine away.
 */
final class StopControl {
  private final Console console;
  private final Stopper stopper;
  private Signals.Name first;

  /** Ends a run early; returns at once. */
  @FunctionalInterface
  interface Stopper {
    void stop(int exitCode, String reason);
  }

  StopControl(Console console, Stopper stopper) {
    this.console = console;
    this.stopper = stopper;
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
  }

  /** The contract's code of a run that this signal stopped. */
  static int exitCodeOf(Signals.Name name) {
    return name == Signals.Name.USR1 ? ExitCode.STOPPED : ExitCode.SIGNAL_BASE + name.number();
  }
}
