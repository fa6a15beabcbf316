package dev.cuzk.cli;

import dev.cuzk.batch.Failures;
import dev.cuzk.format.SpecialFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes a small result file: complete under its name, or not at all. */
final class OutputFiles {
  private OutputFiles() {}

  /**
   * Replaces a file; a device or a pipe is written to and stays.
   *
   * @throws CommandFailure class output
   */
  static void write(Path file, byte[] content) throws CommandFailure {
    Path folder = file.toAbsolutePath().getParent();
    Path temporary = null;
    try {
      if (Files.isDirectory(file)) {
        throw new IOException("it is a folder");
      }
      if (SpecialFiles.isSpecial(file)) {
        Files.write(file, content, StandardOpenOption.WRITE);
        return;
      }
      String name = "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp";
      temporary = folder.resolve(name);
      Files.write(temporary, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      deleteQuietly(temporary);
      throw CommandFailure.output(file + ": cannot be written (" + Failures.describe(e) + ")", e);
    }
  }

  private static void deleteQuietly(Path temporary) {
    try {
      if (temporary != null) {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      // The first failure is the one to report.
      return;
    }
  }
}
