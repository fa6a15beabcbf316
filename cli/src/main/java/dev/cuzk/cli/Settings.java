package dev.cuzk.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/**
 * Values of options that the command line does not give: from the environment twin, else from the
 * configuration file. Remembers where each came from.
 */
final class Settings implements IDefaultValueProvider {
  /** Options that must stand on the command line: leaving them in a profile would be a trap. */
  static final Set<String> COMMAND_LINE_ONLY = Set.of("insecure-seed", "overwrite", "fault");

  /** One option's effective value; {@code source} is for people and reports. */
  record Effective(String option, String value, String source) {}

  private final Environment environment;
  private final Path givenConfig;
  private final Map<ArgSpec, String> sources = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private ConfigFile config;

  /** With the file named by {@code --config} ({@code null}: the default one, if it exists). */
  Settings(Environment environment, Path givenConfig) {
    this.environment = environment;
    this.givenConfig = givenConfig;
  }

  /**
   * The configuration in force.
   *
   * @throws CommandFailure if it cannot be read
   */
  ConfigFile config() throws CommandFailure {
    if (config == null) {
      Optional<Path> file =
          Optional.ofNullable(givenConfig)
              .or(() -> environment.variable("CUZK_CONFIG").map(Path::of))
              .or(() -> environment.defaultConfigFile().filter(Files::exists));
      config = file.isPresent() ? ConfigFile.read(file.get()) : ConfigFile.NONE;
    }
    return config;
  }

  /** The option's name in configuration files: its long name without dashes. */
  static String nameOf(OptionSpec option) {
    String name = option.longestName();
    int start = 0;
    while (start < name.length() && name.charAt(start) == '-') {
      start++;
    }
    return name.substring(start);
  }

  /** The environment twin of an option: {@code --no-self-verify} → {@code CUZK_NO_SELF_VERIFY}. */
  static String variableOf(OptionSpec option) {
    return "CUZK_" + nameOf(option).toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** Whether an option has a twin at all. */
  static boolean isSettable(OptionSpec option) {
    return !option.usageHelp()
        && !option.versionHelp()
        && !COMMAND_LINE_ONLY.contains(nameOf(option))
        && option.longestName().startsWith("--");
  }

  @Override
  public String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || !isSettable(option)) {
      return null;
    }
    String variable = variableOf(option);
    Optional<String> value = environment.variable(variable);
    String source = "environment variable " + variable;
    if (value.isEmpty()) {
      ConfigFile file = configOrNone();
      ConfigFile.Entry entry = file.entries().get(nameOf(option));
      if (entry == null || entry.value().isEmpty()) {
        return null;
      }
      value = Optional.of(entry.value());
      source = file.path() + ", line " + entry.line();
    }
    sources.put(option, source);
    return isBoolean(option) ? normalized(value.get(), source) : value.get();
  }

  /** picocli swallows what a provider throws, so problems are kept for {@link #check}. */
  private ConfigFile configOrNone() {
    try {
      return config();
    } catch (CommandFailure e) {
      config = ConfigFile.NONE;
      problems.add(e.getMessage());
      return config;
    }
  }

  private static boolean isBoolean(OptionSpec option) {
    Class<?> type = option.auxiliaryTypes()[0];
    return type == boolean.class || type == Boolean.class;
  }

  private String normalized(String value, String source) {
    try {
      return new BooleanConverter().convert(value).toString();
    } catch (TypeConversionException e) {
      problems.add(source + ": " + e.getMessage());
      return null;
    }
  }

  /** Where a value that was not on the command line came from. */
  Optional<String> sourceOf(ArgSpec argument) {
    return Optional.ofNullable(sources.get(argument));
  }

  /**
   * Refuses a configuration that could not be read, values that are no booleans, and keys that are
   * options of no command; returns warnings about variables that are ignored on purpose.
   */
  List<String> check(CommandSpec command) throws CommandFailure {
    configOrNone();
    if (!problems.isEmpty()) {
      throw CommandFailure.usage(problems.get(0));
    }
    checkKeys(command);
    List<String> warnings = new ArrayList<>();
    for (OptionSpec option : command.options()) {
      if (COMMAND_LINE_ONLY.contains(nameOf(option))
          && environment.variable(variableOf(option)).isPresent()) {
        warnings.add(
            variableOf(option)
                + " is ignored: "
                + option.longestName()
                + " works on the command line alone");
      }
    }
    return warnings;
  }

  private void checkKeys(CommandSpec command) throws CommandFailure {
    Set<String> known = CommandTable.settingNames(command);
    Set<String> all = null;
    for (Map.Entry<String, ConfigFile.Entry> entry : config.entries().entrySet()) {
      if (known.contains(entry.getKey())) {
        continue;
      }
      if (all == null) {
        all = CommandTable.allSettingNames();
      }
      if (!all.contains(entry.getKey())) {
        throw CommandFailure.usage(unknownKey(entry, all));
      }
    }
  }

  private String unknownKey(Map.Entry<String, ConfigFile.Entry> entry, Set<String> all) {
    String key = entry.getKey();
    String place = config.path() + ": line " + entry.getValue().line() + ": ";
    if (COMMAND_LINE_ONLY.contains(key)) {
      return place + "'" + key + "' works on the command line alone. Remove the line.";
    }
    return place
        + "unknown option '"
        + key
        + "'"
        + Suggestions.closest(key, all).map(name -> "; did you mean '" + name + "'?").orElse("");
  }

  /** Every option of a parsed command with its value and where that came from. */
  List<Effective> effective(ParseResult result) {
    List<Effective> list = new ArrayList<>();
    for (OptionSpec option : result.commandSpec().options()) {
      if (option.usageHelp() || option.versionHelp() || option.longestName().equals("--fault")) {
        continue;
      }
      boolean given = result.hasMatchedOption(option);
      String source = given ? "command line" : sourceOf(option).orElse("default");
      // Whoever reads the seed in a report has every r and s, hence the witnesses.
      boolean secret = given && nameOf(option).equals("insecure-seed");
      String value = secret ? "(not shown)" : printable(option.getValue());
      list.add(new Effective(nameOf(option), value, source));
    }
    return list;
  }

  private static String printable(Object value) {
    if (value instanceof boolean[] flags) {
      return Integer.toString(flags.length);
    }
    if (value instanceof java.time.Duration duration) {
      return DurationConverter.format(duration);
    }
    return value == null ? "" : value.toString();
  }
}
