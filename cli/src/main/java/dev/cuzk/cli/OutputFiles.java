package dev.cuzk.cli;

import dev.cuzk.batch.AtomicFiles;
import dev.cuzk.batch.Failures;
import java.io.IOException;
import java.nio.file.Path;

/** Writes a small result file: complete under its name, or not at all. */
final class OutputFiles {
  private OutputFiles() {}

  /**
   * Replaces a file; a device or a pipe is written to and stays.
   *
   * @throws CommandFailure class output
   */
  static void write(Path file, byte[] content) throws CommandFailure {
    try {
      AtomicFiles.write(file, content);
    } catch (IOException e) {
      throw CommandFailure.output(file + ": cannot be written (" + Failures.describe(e) + ")", e);
    }
  }
}
