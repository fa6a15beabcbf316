package dev.cuzk.batch;

import dev.cuzk.format.InputException;
import dev.cuzk.format.Sha256;
import java.io.IOException;
import java.nio.file.Path;

/** SHA-256 of what is in memory, and messages about files that cannot be read. */
final class Digests {
  private Digests() {}

  /** 64 lower-case hex digits. */
  static String of(byte[] bytes) {
    return Sha256.hex(Sha256.create().digest(bytes));
  }

  static InputException unreadable(Path file, IOException cause) {
    return new InputException(file.toString(), Failures.describe(cause), cause);
  }
}
