package dev.cuzk.cli;

import dev.cuzk.batch.Failures;
import dev.cuzk.batch.UsageException;
import dev.cuzk.bench.BenchUsageException;
import dev.cuzk.device.DeviceException;
import dev.cuzk.engine.FailureClass;
import dev.cuzk.engine.JobFailure;
import dev.cuzk.format.InputException;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import picocli.CommandLine.ParameterException;

/** From exceptions to exit codes and words. */
final class Errors {
  private Errors() {}

  static int exitCode(Throwable failure) {
    if (failure instanceof CommandFailure command) {
      return command.exitCode();
    }
    if (isUsage(failure)) {
      return ExitCode.USAGE;
    }
    if (failure instanceof IOException) {
      return ExitCode.OUTPUT;
    }
    return FailureClass.of(failure).exitCode();
  }

  private static boolean isUsage(Throwable failure) {
    return failure instanceof ParameterException
        || failure instanceof InvalidPathException
        || failure instanceof UsageException
        || failure instanceof BenchUsageException;
  }

  /** Whether the failure's message was written for the user; anything else is a bug of ours. */
  static boolean isExpected(Throwable failure) {
    return failure instanceof CommandFailure
        || failure instanceof InputException
        || failure instanceof UnsatisfiedException
        || failure instanceof JobFailure
        || failure instanceof DeviceException
        || isUsage(failure)
        || failure instanceof IOException
        || failure instanceof OutOfMemoryError;
  }

  /** The line for the user. */
  static String message(Throwable failure) {
    if (failure instanceof OutOfMemoryError) {
      return "not enough memory in the Java heap ("
          + failure.getMessage()
          + "). Allow more with CUZK_JAVA_OPTIONS=-Xmx4g.";
    }
    if (failure instanceof InvalidPathException path) {
      return Failures.noFileName(path.getInput());
    }
    if (failure instanceof IOException io) {
      return Failures.describe(io);
    }
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
