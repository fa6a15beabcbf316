package dev.cuzk.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/**
 * The commands by name. A run loads the classes of the one command it needs: reading the options of
 * all of them would cost more than verifying a proof.
 */
final class CommandTable {
  /** In the order of the help page. */
  static final List<String> NAMES =
      List.of(
          "prove",
          "verify",
          "pack",
          "inspect",
          "plan",
          "check",
          "setup",
          "export",
          "circuit",
          "devices",
          "doctor",
          "bench",
          "report",
          "merge",
          "completion",
          "help");

  /** Options before the command that take a value in the next argument. */
  private static final Set<String> ROOT_OPTIONS_WITH_VALUE =
      Set.of("--config", "--color", "--progress");

  private CommandTable() {}

  private static Class<? extends BaseCommand> classOf(String name) {
    return switch (name) {
      case "prove" -> ProveCommand.class;
      case "verify" -> VerifyCommand.class;
      case "pack" -> PackCommand.class;
      case "plan" -> PlanCommand.class;
      case "merge" -> MergeCommand.class;
      case "inspect" -> InspectCommand.class;
      case "check" -> CheckCommand.class;
      case "setup" -> SetupCommand.class;
      case "export" -> ExportCommand.class;
      case "circuit" -> CircuitCommand.class;
      case "devices" -> DevicesCommand.class;
      case "doctor" -> DoctorCommand.class;
      case "bench" -> BenchCommand.class;
      case "report" -> ReportCommand.class;
      case "completion" -> CompletionCommand.class;
      case "help" -> HelpCommand.class;
      default -> throw new IllegalArgumentException(name);
    };
  }

  /**
   * Moves options that stand before a command behind its name, so that they are the command's own:
   * {@code cuzk --json prove} is {@code cuzk prove --json}.
   *
   * @param position of the command, as {@link #commandPosition}
   */
  static String[] commandFirst(String[] arguments, int position) {
    if (position < 1
        || !NAMES.contains(arguments[position])
        || Arrays.asList(arguments).subList(0, position).stream().anyMatch(Main::asksForVersion)) {
      return arguments;
    }
    String[] moved = arguments.clone();
    System.arraycopy(arguments, 0, moved, 1, position);
    moved[0] = arguments[position];
    return moved;
  }

  /** The position of the command among the arguments; −1 if there is none. */
  static int commandPosition(String[] arguments) {
    for (int i = 0; i < arguments.length; i++) {
      if (ROOT_OPTIONS_WITH_VALUE.contains(arguments[i])) {
        i++;
      } else if (!arguments[i].startsWith("-")) {
        return i;
      }
    }
    return -1;
  }

  /** The file that {@code --config} names, wherever it stands. */
  static Optional<Path> configArgument(String[] arguments) {
    return lastValue(arguments, "--config").map(Path::of);
  }

  /** The value of {@code --color}, if it is a legal one: for errors before options are read. */
  static Optional<When> colorArgument(String[] arguments) {
    return lastValue(arguments, "--color").flatMap(CommandTable::when);
  }

  /** The answer that a text is, if it is one. */
  static Optional<When> when(String text) {
    for (When when : When.values()) {
      if (when.name().equalsIgnoreCase(text)) {
        return Optional.of(when);
      }
    }
    return Optional.empty();
  }

  private static Optional<String> lastValue(String[] arguments, String option) {
    Optional<String> value = Optional.empty();
    for (int i = 0; i < arguments.length && !arguments[i].equals("--"); i++) {
      if (arguments[i].equals(option) && i + 1 < arguments.length) {
        value = Optional.of(arguments[i + 1]);
      } else if (arguments[i].startsWith(option + "=")) {
        value = Optional.of(arguments[i].substring(option.length() + 1));
      }
    }
    return value;
  }

  /** The root with what a run with these arguments needs. */
  static CommandLine commandLine(Session session, String[] arguments) {
    int position = commandPosition(arguments);
    if (position >= 0) {
      return commandLine(session, arguments[position]);
    }
    List<String> options = List.of(arguments);
    boolean versionAlone = options.contains("--version") || options.contains("-V");
    return commandLine(session, versionAlone ? List.of() : NAMES);
  }

  /** The root with just the named command, or with all of them if the name is none. */
  static CommandLine commandLine(Session session, String name) {
    return commandLine(session, name != null && NAMES.contains(name) ? List.of(name) : NAMES);
  }

  private static CommandLine commandLine(Session session, List<String> names) {
    IFactory factory = factory(session);
    CommandLine root = new CommandLine(RootCommand.class, factory);
    for (String name : names) {
      root.addSubcommand(name, new CommandLine(classOf(name), factory));
    }
    root.registerConverter(Path.class, CommandTable::path);
    root.registerConverter(MemorySize.class, new MemorySize.Converter());
    root.registerConverter(Duration.class, new DurationConverter());
    root.registerConverter(Boolean.class, new BooleanConverter());
    root.registerConverter(boolean.class, new BooleanConverter());
    for (CommandLine command : root.getSubcommands().values()) {
      command.getCommandSpec().usageMessage().abbreviateSynopsis(true);
    }
    root.setCaseInsensitiveEnumValuesAllowed(true);
    root.setOverwrittenOptionsAllowed(true);
    root.setExpandAtFiles(false);
    root.setUsageHelpAutoWidth(false);
    root.setUsageHelpWidth(100);
    if (session != null) {
      root.setDefaultValueProvider(session.settings());
    }
    return root;
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException(Errors.message(e));
    }
  }

  private static IFactory factory(Session session) {
    IFactory fallback = CommandLine.defaultFactory();
    return new IFactory() {
      @Override
      public <K> K create(Class<K> type) throws Exception {
        K made = fallback.create(type);
        if (made instanceof BaseCommand command) {
          command.attach(session);
        }
        return made;
      }
    };
  }

  /** Names that a configuration file may set for one command. */
  static Set<String> settingNames(CommandSpec command) {
    Set<String> names = new TreeSet<>();
    for (OptionSpec option : command.options()) {
      if (Settings.isSettable(option)) {
        names.add(Settings.nameOf(option));
      }
    }
    return names;
  }

  /** Names that a configuration file may set at all. */
  static Set<String> allSettingNames() {
    Set<String> names = new TreeSet<>();
    for (CommandLine command : commandLine(null, (String) null).getSubcommands().values()) {
      names.addAll(settingNames(command.getCommandSpec()));
    }
    return names;
  }

  /** An enum's name as users write it. */
  static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
