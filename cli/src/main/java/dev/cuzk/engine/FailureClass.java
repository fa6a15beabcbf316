package dev.cuzk.engine;

import dev.cuzk.device.DeviceException;
import dev.cuzk.format.InputException;
import dev.cuzk.synthesis.UnsatisfiedException;

/** Why a job failed, in the terms of the exit codes (CLI contract, "Exit codes"). */
public enum FailureClass {
  USAGE(2, false),
  INPUT(3, false),
  UNSATISFIED(4, false),
  DEVICE(5, true),
  MEMORY(6, true),
  WRONG_PROOF(7, true),
  OUTPUT(9, true),
  STOPPED(10, true),
  INTERNAL(70, false);

  private final int exitCode;
  private final boolean retryHelps;

  FailureClass(int exitCode, boolean retryHelps) {
    this.exitCode = exitCode;
    this.retryHelps = retryHelps;
  }

  public int exitCode() {
    return exitCode;
  }

  /** Whether the same job may succeed when it is run again, perhaps elsewhere. */
  public boolean retryHelps() {
    return retryHelps;
  }

  /** The class of a failure that reached the engine. */
  public static FailureClass of(Throwable failure) {
    if (failure instanceof JobFailure job) {
      return job.failureClass();
    }
    if (failure instanceof InputException) {
      return INPUT;
    }
    if (failure instanceof UnsatisfiedException) {
      return UNSATISFIED;
    }
    if (failure instanceof OutOfMemoryError) {
      return MEMORY;
    }
    if (failure instanceof DeviceException device) {
      return switch (device.status()) {
        case OUT_OF_HOST_MEMORY, OUT_OF_PINNED_MEMORY, OUT_OF_DEVICE_MEMORY -> MEMORY;
        case NO_DEVICE, UNSUPPORTED_DEVICE, DEVICE_LOST -> DEVICE;
        case INVALID_POINT, INVALID_SCALAR, INDEX_OUT_OF_RANGE -> INPUT;
        case CANCELLED -> STOPPED;
        default -> INTERNAL;
      };
    }
    return INTERNAL;
  }
}
