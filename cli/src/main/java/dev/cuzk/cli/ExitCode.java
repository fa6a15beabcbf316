package dev.cuzk.cli;

/** The exit codes that scripts depend on. */
final class ExitCode {
  static final int OK = 0;

  /** {@code verify}: a proof is not valid; {@code bench}: slower than {@code --fail-above}. */
  static final int INVALID_PROOF = 1;

  static final int USAGE = 2;

  /** A file is malformed, truncated, of another curve or circuit. */
  static final int INPUT = 3;

  static final int UNSATISFIED = 4;
  static final int DEVICE = 5;
  static final int MEMORY = 6;
  static final int OUTPUT = 9;

  /** Stopped on request, resumable. */
  static final int STOPPED = 10;

  static final int INTERNAL = 70;

  /** Added to a signal's number. */
  static final int SIGNAL_BASE = 128;

  private ExitCode() {}
}
