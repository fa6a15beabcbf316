package dev.cuzk.batch;

import dev.cuzk.engine.FailureClass;
import dev.cuzk.engine.JobFailure;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Turns what the operating system said into a line for the user. */
public final class Failures {
  private Failures() {}

  /** What is wrong, without the file's name; the JDK's messages are often the file's name alone. */
  public static String describe(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "no such file or folder";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof NotDirectoryException) {
      return "not a folder";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return "a file of that name exists already";
    }
    if (failure instanceof FileSystemException system && system.getReason() != null) {
      return system.getReason();
    }
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }

  static JobFailure unwritable(Path file, IOException cause) {
    String hint =
        Files.isDirectory(file)
            ? "Choose a folder that can be written."
            : "Check its folder's permissions and free space.";
    return new JobFailure(
        FailureClass.OUTPUT,
        file + ": cannot be written (" + describe(cause) + "). " + hint,
        cause);
  }

  /** What to say of a text that the platform takes for no file name at all. */
  public static String noFileName(String text) {
    String shown = text.replaceAll("\\p{Cntrl}", "?");
    return text.indexOf('\0') >= 0
        ? "\"" + shown + "\" is no file name: it holds a zero byte."
        : "\"" + shown + "\" is no file name in this locale. Set LC_ALL=C.UTF-8.";
  }
}
