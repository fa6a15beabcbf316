package dev.cuzk.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** The entry point: finds the command, runs it, turns failures into exit codes. */
public final class Main {
  private static final List<String> VERSION_OPTIONS = List.of("--version", "-V");

  private final Session session;

  private Main(Session session) {
    this.session = session;
  }

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    WarmStart.begin(arguments);
    System.exit(run(Environment.ofProcess(), arguments));
  }

  /** Runs one command; nothing but the environment given is read or written. */
  static int run(Environment environment, String... arguments) {
    if (arguments.length == 1 && VERSION_OPTIONS.contains(arguments[0])) {
      return printVersion(environment);
    }
    Settings settings;
    try {
      settings = new Settings(environment, CommandTable.configArgument(arguments).orElse(null));
    } catch (InvalidPathException e) {
      Console console = new Console(environment);
      console.error(Errors.message(e));
      return console.finish(ExitCode.USAGE);
    }
    Session session = new Session(environment, settings);
    CommandTable.colorArgument(arguments)
        .or(() -> environment.variable("CUZK_COLOR").flatMap(CommandTable::when))
        .ifPresent(session.console()::setColor);
    int position = CommandTable.commandPosition(arguments);
    Optional<String> foreign = ForeignSyntax.advice(arguments, position);
    if (foreign.isPresent()) {
      session.console().error(foreign.get());
      return ExitCode.USAGE;
    }
    String[] ordered = CommandTable.commandFirst(arguments, position);
    CommandLine line = CommandTable.commandLine(session, ordered);
    return session.console().finish(new Main(session).execute(line, ordered));
  }

  static boolean asksForVersion(String argument) {
    return VERSION_OPTIONS.contains(argument);
  }

  /** Scripts ask for the version often; reading annotations would take most of the time. */
  private static int printVersion(Environment environment) {
    Console console = new Console(environment);
    console.result(String.join("\n", new Version().getVersion()));
    return console.finish(ExitCode.OK);
  }

  private int execute(CommandLine line, String[] arguments) {
    PrintWriter out = new PrintWriter(new ConsoleWriter(session.console()), true);
    line.setOut(out);
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(session.console().isOutColored() ? Ansi.ON : Ansi.OFF));
    line.setExecutionStrategy(checked(new RunLast()));
    line.setExitCodeExceptionMapper(Errors::exitCode);
    line.setParameterExceptionHandler((e, args) -> reportUsage(e));
    line.setExecutionExceptionHandler((e, command, result) -> report(e));
    return line.execute(arguments);
  }

  /** Settings are checked before a command starts, and errors reach the handlers as exceptions. */
  private IExecutionStrategy checked(IExecutionStrategy next) {
    return result -> {
      CommandLine command = last(result).commandSpec().commandLine();
      try {
        if (!isHelp(result)) {
          prepare(last(result));
        }
        return next.execute(result);
      } catch (CommandFailure e) {
        throw new ExecutionException(command, e.getMessage(), e);
      } catch (Error e) {
        throw new ExecutionException(command, String.valueOf(e.getMessage()), e);
      }
    };
  }

  private static boolean isHelp(ParseResult result) {
    for (ParseResult each = result; each != null; each = each.subcommand()) {
      if (each.isUsageHelpRequested() || each.isVersionHelpRequested()) {
        return true;
      }
    }
    return false;
  }

  private static ParseResult last(ParseResult result) {
    ParseResult each = result;
    while (each.hasSubcommand()) {
      each = each.subcommand();
    }
    return each;
  }

  private void prepare(ParseResult result) throws CommandFailure {
    if (!(result.commandSpec().userObject() instanceof BaseCommand command)) {
      return;
    }
    session.console().configure(command.global);
    if (command instanceof RootCommand) {
      return;
    }
    for (String warning : session.settings().check(result.commandSpec())) {
      session.console().warning(warning);
    }
  }

  // ---- failures

  private int reportUsage(ParameterException failure) {
    StringBuilder message = new StringBuilder(what(failure));
    if (failure.getArgSpec() != null) {
      session
          .settings()
          .sourceOf(failure.getArgSpec())
          .ifPresent(source -> message.append(" (from ").append(source).append(')'));
    }
    message.append(suggestion(failure).map(name -> "; did you mean '" + name + "'?").orElse("."));
    String command = failure.getCommandLine().getCommandName();
    message.append(command.equals("cuzk") ? " See: cuzk help" : " See: cuzk help " + command);
    session.console().error(message.toString());
    if (session.console().verbosity() >= 2) {
      session.console().trace(failure);
    }
    return ExitCode.USAGE;
  }

  /** The problem on one line; picocli's own words fit but for unknown commands. */
  private static String what(ParameterException failure) {
    if (failure.getCause() instanceof InvalidPathException path) {
      return Errors.message(path).replaceFirst("\\.$", "");
    }
    boolean unknownCommand =
        failure instanceof UnmatchedArgumentException unmatched
            && !unmatched.getUnmatched().isEmpty()
            && !unmatched.getUnmatched().get(0).startsWith("-")
            && !failure.getCommandLine().getSubcommands().isEmpty();
    if (unknownCommand) {
      return "no command '" + ((UnmatchedArgumentException) failure).getUnmatched().get(0) + "'";
    }
    return failure.getMessage().replaceAll("\\s*\\R\\s*", " ").replaceFirst("\\.$", "");
  }

  private static Optional<String> suggestion(ParameterException failure) {
    if (!(failure instanceof UnmatchedArgumentException unmatched)
        || unmatched.getUnmatched().isEmpty()) {
      return Optional.empty();
    }
    String typed = unmatched.getUnmatched().get(0);
    CommandLine line = failure.getCommandLine();
    if (!typed.startsWith("-")) {
      return Suggestions.closest(typed, line.getSubcommands().keySet());
    }
    int equals = typed.indexOf('=');
    return Suggestions.closest(
        equals < 0 ? typed : typed.substring(0, equals),
        line.getCommandSpec().optionsMap().keySet());
  }

  private int report(Exception thrown) {
    Throwable failure =
        thrown instanceof ExecutionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    int code = Errors.exitCode(failure);
    String message = Errors.isExpected(failure) ? Errors.message(failure) : internalError(failure);
    Console console = session.console();
    if (console.isJson() && !console.hasPrintedResult()) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("error", message);
      object.put("exit_code", code);
      console.result(Json.write(object));
    }
    console.error(message);
    if (console.verbosity() >= 2) {
      console.trace(failure);
    }
    return code;
  }

  private String internalError(Throwable failure) {
    String what = "internal error: " + failure;
    Optional<Path> written = session.crashFolder().flatMap(folder -> writeCrash(folder, failure));
    return what
        + written
            .map(path -> ". This is a bug; please report it with " + path + ".")
            .orElse(". This is a bug; run again with -vv for the trace to report.");
  }

  private static Optional<Path> writeCrash(Path folder, Throwable failure) {
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    for (String line : new Version().getVersion()) {
      writer.println(line);
    }
    failure.printStackTrace(writer);
    writer.flush();
    Path file = folder.resolve("crash.txt");
    try {
      Files.createDirectories(folder);
      Files.writeString(file, text.toString());
      return Optional.of(file);
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
