package dev.cuzk.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cuzk} itself: version, help, and advice when no command is given. */
@Command(
    name = "cuzk",
    header = "Proves batches of Groth16 circuits and verifies what it proved.",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = Version.class,
    description = {
      "Reads circuit inputs, proves them with the given proving keys, verifies every proof, and"
          + " writes proofs and a report. One process, no daemon, no network."
    },
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:everything proved (or verified)",
      "1:verify: a proof is not valid",
      "2:usage, configuration",
      "3:an input or key file is malformed, truncated, of another curve or circuit",
      "4:a witness does not satisfy its circuit",
      "5:no usable device, driver or library; device lost",
      "6:not enough host, pinned or device memory for the smallest plan",
      "7:devices produced wrong proofs and no other could repair them",
      "8:some jobs failed, none worth a retry",
      "9:an output could not be written",
      "10:stopped on request, resumable",
      "12:some jobs failed, at least one worth a retry",
      "70:internal error: a bug",
      "129, 130, 143:stopped by SIGHUP, SIGINT, SIGTERM; finished proofs are kept"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk prove --key circuit.zkey witnesses/ --out run",
      "  cuzk verify run",
      "  cuzk help prove"
    })
final class RootCommand extends BaseCommand {
  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print version, build and Java.")
  boolean version;

  @Override
  int run() throws CommandFailure {
    if (global.config != null) {
      throw CommandFailure.usage(
          "--config alone starts nothing: this is cuzk the batch prover, not the daemon of that"
              + " name. Give a command, for example: cuzk prove --config "
              + global.config
              + " INPUT...");
    }
    console().print(spec.commandLine().getUsageMessage().stripTrailing());
    return ExitCode.USAGE;
  }
}
