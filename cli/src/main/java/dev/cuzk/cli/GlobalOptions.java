package dev.cuzk.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options that every command has. */
final class GlobalOptions {
  @Option(
      names = "--json",
      fallbackValue = "true",
      description = "Print the result as JSON on standard output.")
  boolean json;

  @Option(
      names = {"-q", "--quiet"},
      fallbackValue = "true",
      description = "Print warnings and errors only.")
  boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "Say more; twice (-vv): stack traces of errors too.")
  boolean[] verbosity = {};

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      description = "Colour: auto, always or never (auto).")
  When color = When.AUTO;

  @Option(
      names = "--progress",
      paramLabel = "WHEN",
      description = "Progress on standard error: auto, always or never (auto).")
  When progress = When.AUTO;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Read settings ('option = value', one a line) from FILE instead of"
              + " $$XDG_CONFIG_HOME/cuzk/config.")
  Path config;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;
}
