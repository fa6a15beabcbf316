package dev.cuzk.batch;

/** What was asked for makes no sense or contradicts itself (exit code 2); one line for the user. */
public final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }
}
