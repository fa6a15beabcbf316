package dev.cuzk.cli;

import dev.cuzk.batch.Failures;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A configuration file: UTF-8, one {@code option = value} a line, {@code #} starts a comment line.
 *
 * @param path as the user named it
 * @param entries by option name without its dashes
 */
record ConfigFile(Path path, Map<String, Entry> entries) {
  /** A value and the line it stands on, from 1. */
  record Entry(String value, int line) {}

  static final ConfigFile NONE = new ConfigFile(null, Map.of());

  /**
   * Reads a file.
   *
   * @throws CommandFailure class usage: it cannot be read, or a line is not an assignment
   */
  static ConfigFile read(Path path) throws CommandFailure {
    List<String> lines;
    try {
      lines = Files.readAllLines(path, StandardCharsets.UTF_8);
    } catch (CharacterCodingException e) {
      throw CommandFailure.usage(path + ": not UTF-8 text. Save the configuration as UTF-8.");
    } catch (IOException e) {
      throw CommandFailure.usage(path + ": cannot be read (" + Failures.describe(e) + ")");
    }
    Map<String, Entry> entries = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (i == 0 && line.startsWith("\uFEFF")) {
        line = line.substring(1).strip();
      }
      if (!line.isEmpty() && !line.startsWith("#")) {
        addLine(entries, path, i + 1, line);
      }
    }
    return new ConfigFile(path, entries);
  }

  private static void addLine(Map<String, Entry> entries, Path path, int number, String line)
      throws CommandFailure {
    int equals = line.indexOf('=');
    String name = equals < 0 ? "" : line.substring(0, equals).strip();
    if (name.startsWith("--")) {
      name = name.substring(2);
    }
    if (name.isEmpty()) {
      throw CommandFailure.usage(
          path + ": line " + number + " is not of the form 'option = value': " + line);
    }
    Entry before = entries.put(name, new Entry(line.substring(equals + 1).strip(), number));
    if (before != null) {
      throw CommandFailure.usage(
          path
              + ": line "
              + number
              + " sets '"
              + name
              + "' again (first on line "
              + before.line
              + "). Keep one of them.");
    }
  }
}
