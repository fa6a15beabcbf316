package dev.cuzk.format;

/**
 * A file or a value from the user that is malformed, truncated, or belongs to another curve or
 * circuit (exit code 3).
 *
 * <p>The message is one line that a user can act on: {@code FILE: what is wrong (section, offset,
 * expected, found). What to do.}
 */
public final class InputException extends Exception {
  /** What to do about a file that contradicts itself. */
  public static final String DAMAGED = "The file is damaged or incomplete: copy or make it again.";

  private static final long serialVersionUID = 1L;

  private final String file;

  /** The whole line is {@code file + ": " + problem}. */
  public InputException(String file, String problem) {
    super(file + ": " + problem);
    this.file = file;
  }

  /** As {@link #InputException(String, String)}, caused by {@code cause}. */
  public InputException(String file, String problem, Throwable cause) {
    super(file + ": " + problem, cause);
    this.file = file;
  }

  /**
   * A problem at one place of a binary file.
   *
   * @param place section and offset, for example {@code section 5, offset 1234}
   */
  public static InputException at(
      String file, String problem, String place, Object expected, Object found) {
    return new InputException(
        file, problem + " (" + place + ", expected " + expected + ", found " + found + ")");
  }

  /**
   * As {@link #at(String, String, String, Object, Object)}, with what the user can do about it.
   *
   * @param remedy a sentence, with its full stop
   */
  public static InputException at(
      String file, String problem, String place, Object expected, Object found, String remedy) {
    return new InputException(
        file,
        problem + " (" + place + ", expected " + expected + ", found " + found + "). " + remedy);
  }

  /** The file that is at fault, as the user named it. */
  public String file() {
    return file;
  }
}
