package dev.cuzk.cli;

import java.nio.file.Path;
import java.util.Optional;

/** What one run of the program shares: surroundings, console, settings. */
final class Session {
  private final Environment environment;
  private final Console console;
  private final Settings settings;
  private Path crashFolder;

  Session(Environment environment, Settings settings) {
    this.environment = environment;
    this.console = new Console(environment);
    this.settings = settings;
  }

  Environment environment() {
    return environment;
  }

  Console console() {
    return console;
  }

  Settings settings() {
    return settings;
  }

  /** Where an internal error's trace goes: the output folder once there is one, else the cache. */
  Optional<Path> crashFolder() {
    return Optional.ofNullable(crashFolder).or(environment::cacheFolder);
  }

  void setCrashFolder(Path folder) {
    crashFolder = folder;
  }
}
