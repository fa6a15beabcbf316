package dev.cuzk.format;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Devices, pipes and sockets as outputs. A result is written beside its final name and then
 * renamed; renaming over a device would replace it, for everybody if the user is root: {@code
 * --public /dev/null} must leave {@code /dev/null} as it is.
 */
public final class SpecialFiles {
  private SpecialFiles() {}

  /**
   * Whether an output of this name is written to as it is; any other is made beside it and renamed.
   *
   * @throws FileSystemException if it is a folder
   */
  public static boolean isWrittenInPlace(Path output) throws FileSystemException {
    if (Files.isDirectory(output)) {
      throw new FileSystemException(output.toString(), null, "it is a folder");
    }
    return isSpecial(output);
  }

  /**
   * Refuses an output that is written out of order, unless it can be made beside the name.
   *
   * @throws IOException if it is a folder, a device or a pipe
   */
  public static void requireReplaceable(Path output) throws IOException {
    if (isWrittenInPlace(output)) {
      throw new IOException("it is a device or a pipe, and this file is written out of order");
    }
  }

  /** Whether the path names something that is neither a regular file nor a folder. */
  public static boolean isSpecial(Path file) {
    return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
  }
}
