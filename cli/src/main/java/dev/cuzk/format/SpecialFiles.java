package dev.cuzk.format;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Devices, pipes and sockets as outputs. A result is written beside its final name and then
 * renamed; renaming over a device would replace it, for everybody if the user is root: {@code
 * --public /dev/null} must leave {@code /dev/null} as it is.
 */
public final class SpecialFiles {
  private SpecialFiles() {}

  /** Whether the path names something that is neither a regular file nor a folder. */
  public static boolean isSpecial(Path file) {
    return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
  }
}
