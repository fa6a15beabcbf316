package dev.cuzk.synthesis.circom;

/** A circom program called its exception handler. Crosses the program's frames, hence unchecked. */
final class ProgramTrap extends RuntimeException {
  static final int SIGNAL_NOT_FOUND = 1;
  static final int TOO_MANY_SIGNALS = 2;
  static final int SIGNAL_ALREADY_SET = 3;
  static final int ASSERT_FAILED = 4;
  static final int NOT_ENOUGH_MEMORY = 5;
  static final int ARRAY_TOO_LONG = 6;

  private static final long serialVersionUID = 1L;

  private final int code;

  /**
   * @param code circom's number of the error
   * @param message what the program printed before, innermost template first; may be empty
   */
  ProgramTrap(int code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  int code() {
    return code;
  }
}
