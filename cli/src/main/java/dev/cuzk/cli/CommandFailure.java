package dev.cuzk.cli;

/** Ends a command with an exit code and one line for the user. */
final class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  CommandFailure(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, message);
  }

  static CommandFailure output(String message, Throwable cause) {
    return new CommandFailure(ExitCode.OUTPUT, message, cause);
  }

  int exitCode() {
    return exitCode;
  }
}
