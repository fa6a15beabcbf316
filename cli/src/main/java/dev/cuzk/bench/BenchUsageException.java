package dev.cuzk.bench;

/** Options of a benchmark that make no sense together (exit code 2). */
public final class BenchUsageException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** One line for the user. */
  public BenchUsageException(String message) {
    super(message);
  }
}
