package dev.cuzk.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code cuzk completion}: a script for bash and zsh. */
@Command(
    name = "completion",
    header = "Prints a completion script.",
    description = {"bash: source <(cuzk completion bash)", "zsh:  source <(cuzk completion zsh)"})
final class CompletionCommand extends BaseCommand {
  /** Shells that picocli's script works in: in zsh it loads bashcompinit by itself. */
  enum Shell {
    BASH,
    ZSH
  }

  @Parameters(arity = "0..1", paramLabel = "SHELL", description = "bash or zsh (bash).")
  Shell shell = Shell.BASH;

  @Override
  int run() {
    String script = AutoComplete.bash("cuzk", CommandTable.commandLine(session(), (String) null));
    console().result(script.stripTrailing());
    return ExitCode.OK;
  }
}
