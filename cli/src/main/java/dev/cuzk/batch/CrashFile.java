package dev.cuzk.batch;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/** {@code crash.txt}: the traces of internal errors, for a bug report. */
final class CrashFile {
  private static final long MAXIMUM_BYTES = 1 << 20;

  private CrashFile() {}

  /** Appends a trace, unless the file has grown large; a full disk is not worth a second error. */
  static void append(Path file, String toolVersion, Throwable failure) {
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    writer.printf("%s cuzk %s%n", Instant.now(), toolVersion);
    failure.printStackTrace(writer);
    writer.println();
    writer.flush();
    try {
      if (Files.exists(file) && Files.size(file) > MAXIMUM_BYTES) {
        return;
      }
      Files.writeString(
          file,
          text.toString(),
          StandardCharsets.UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}
