package dev.cuzk.cli;

import dev.cuzk.batch.Failures;
import dev.cuzk.format.InputException;
import dev.cuzk.report.ReportReader;
import dev.cuzk.report.RunReport;
import dev.cuzk.report.TextReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cuzk report}: a finished run in words. */
@Command(
    name = "report",
    header = "Describes a finished run.",
    description = {
      "Reads RUN/report.json: jobs, failures, slowest jobs, devices and their gaps, keys, stages,"
          + " settings. --json prints the report as it is."
    })
final class ReportCommand extends BaseCommand {
  @Parameters(paramLabel = "RUN", description = "The output folder of a run, or a report.json.")
  Path run;

  @Option(names = "--format", paramLabel = "NAME", description = "text (text).")
  String format = "text";

  @Override
  int run() throws InputException {
    if (!format.toLowerCase(Locale.ROOT).equals("text")) {
      throw usage("--format must be text in this version, found '" + format + "'");
    }
    Path file = Files.isDirectory(run) ? run.resolve("report.json") : run;
    byte[] document;
    RunReport report;
    try {
      document = Files.readAllBytes(file);
      report = ReportReader.read(document);
    } catch (IOException e) {
      throw new InputException(file.toString(), Failures.describe(e), e);
    }
    if (console().isJson()) {
      console().resultBytes(document);
    } else {
      console().resultBytes(TextReport.of(report).getBytes(StandardCharsets.UTF_8));
    }
    return ExitCode.OK;
  }
}
