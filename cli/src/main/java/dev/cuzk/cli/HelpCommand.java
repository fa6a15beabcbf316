package dev.cuzk.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Parameters;

/** {@code cuzk help CMD}. */
@Command(
    name = "help",
    header = "Explains a command.",
    description = "Without COMMAND: lists the commands and exit codes.")
final class HelpCommand extends BaseCommand {
  @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "What to explain.")
  String command;

  @Override
  int run() throws CommandFailure {
    if (command != null && !CommandTable.NAMES.contains(command)) {
      throw CommandFailure.usage(
          "no command '"
              + command
              + "'"
              + Suggestions.closest(command, CommandTable.NAMES)
                  .map(name -> "; did you mean '" + name + "'?")
                  .orElse(". See: cuzk help"));
    }
    CommandLine root = CommandTable.commandLine(session(), command);
    CommandLine shown = command == null ? root : root.getSubcommands().get(command);
    Ansi ansi = console().isOutColored() ? Ansi.ON : Ansi.OFF;
    console().result(shown.getUsageMessage(ansi).stripTrailing());
    return ExitCode.OK;
  }
}
