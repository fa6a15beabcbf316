package dev.cuzk.engine;

/** A failure of one job, with its class and a line for the user. */
public final class JobFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final FailureClass failureClass;

  public JobFailure(FailureClass failureClass, String message) {
    super(message);
    this.failureClass = failureClass;
  }

  public JobFailure(FailureClass failureClass, String message, Throwable cause) {
    super(message, cause);
    this.failureClass = failureClass;
  }

  public FailureClass failureClass() {
    return failureClass;
  }
}
