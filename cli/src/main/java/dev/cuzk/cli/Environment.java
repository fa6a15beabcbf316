package dev.cuzk.cli;

import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a run gets from outside: variables, streams, and which streams are terminals.
 *
 * <p>Java cannot tell for each stream whether it is a terminal ({@code System.console()} looks at
 * two at once and at none on some versions), so the launcher tests the descriptors and says so in
 * system properties. Without a launcher nothing is a terminal.
 */
record Environment(
    Map<String, String> variables,
    InputStream in,
    OutputStream out,
    OutputStream err,
    boolean outIsTerminal,
    boolean errIsTerminal) {

  static Environment ofProcess() {
    // Not System.out: a PrintStream swallows the error of a closed pipe.
    // Buffered, because a bare FileInputStream seeks when all of it is asked for; a pipe cannot.
    return new Environment(
        System.getenv(),
        new BufferedInputStream(new FileInputStream(FileDescriptor.in)),
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err),
        Boolean.getBoolean("cuzk.stdout.tty"),
        Boolean.getBoolean("cuzk.stderr.tty"));
  }

  /** A variable's value; an empty one counts as unset. */
  Optional<String> variable(String name) {
    return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
  }

  /**
   * {@code $CUZK_CACHE}, else {@code $XDG_CACHE_HOME/cuzk}, else {@code ~/.cache/cuzk}; empty
   * without a home.
   */
  Optional<Path> cacheFolder() {
    return variable("CUZK_CACHE")
        .map(Path::of)
        .or(() -> underHome("XDG_CACHE_HOME", ".cache").map(base -> base.resolve("cuzk")));
  }

  /** {@code $XDG_CONFIG_HOME/cuzk/config}, else {@code ~/.config/cuzk/config}. */
  Optional<Path> defaultConfigFile() {
    return underHome("XDG_CONFIG_HOME", ".config").map(base -> base.resolve("cuzk/config"));
  }

  /** XDG folders that are not absolute are to be ignored (XDG Base Directory Specification). */
  private Optional<Path> underHome(String variable, String fallback) {
    return variable(variable)
        .map(Path::of)
        .filter(Path::isAbsolute)
        .or(() -> variable("HOME").map(home -> Path.of(home).resolve(fallback)));
  }
}
