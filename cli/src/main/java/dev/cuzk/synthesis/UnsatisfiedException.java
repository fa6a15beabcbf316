package dev.cuzk.synthesis;

/**
 * An input or a witness that does not satisfy its circuit (exit code 4): an assert in a program, or
 * a constraint.
 */
public final class UnsatisfiedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** One line: {@code FILE: which constraint or assertion fails}. */
  public UnsatisfiedException(String message) {
    super(message);
  }
}
