package dev.cuzk.cli;

import dev.cuzk.batch.Failures;
import dev.cuzk.format.InputException;
import dev.cuzk.report.HtmlReport;
import dev.cuzk.report.PerfettoTrace;
import dev.cuzk.report.ReportReader;
import dev.cuzk.report.RunPlots;
import dev.cuzk.report.RunReport;
import dev.cuzk.report.TextReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cuzk report}: a finished run in words, as a page with plots, or as a trace. */
@Command(
    name = "report",
    header = "Describes a finished run.",
    description = {
      "Reads RUN/report.json, and RUN/timeline.csv for plots. text: jobs, failures, slowest jobs,"
          + " each device's use in every 0.2 s, what kept it idle, keys, stages, locks, settings."
          + " html: one page with plots that opens without a network. perfetto: a trace for"
          + " ui.perfetto.dev or chrome://tracing.",
      "--json prints report.json as it is."
    })
final class ReportCommand extends BaseCommand {
  /** The words of {@code --format}. */
  enum Format {
    TEXT,
    HTML,
    PERFETTO
  }

  @Parameters(paramLabel = "RUN", description = "The output folder of a run, or a report.json.")
  Path run;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "text, html or perfetto (default: text).")
  String format = "text";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to FILE instead of standard output.")
  Path output;

  @Override
  int run() throws InputException, CommandFailure {
    Format wanted = format();
    Path file = Files.isDirectory(run) ? run.resolve("report.json") : run;
    byte[] document;
    RunReport report;
    try {
      document = Files.readAllBytes(file);
      report = ReportReader.read(document);
    } catch (IOException e) {
      throw new InputException(file.toString(), Failures.describe(e), e);
    }
    boolean asItIs = console().isJson() && wanted == Format.TEXT;
    byte[] result = asItIs ? document : draw(wanted, document, report, file);
    if (output == null) {
      console().resultBytes(result);
      return ExitCode.OK;
    }
    OutputFiles.write(output, result);
    if (console().isJson()) {
      console().result(Json.write(Map.of("file", output.toString())));
    }
    return ExitCode.OK;
  }

  private Format format() throws CommandFailure {
    for (Format each : Format.values()) {
      if (CommandTable.lower(each).equals(format.toLowerCase(Locale.ROOT))) {
        return each;
      }
    }
    throw usage("--format must be text, html or perfetto, found '" + format + "'");
  }

  private byte[] draw(Format wanted, byte[] document, RunReport report, Path file)
      throws InputException {
    if (wanted == Format.TEXT) {
      return TextReport.of(report).getBytes(StandardCharsets.UTF_8);
    }
    RunPlots plots = plots(report, file.resolveSibling("timeline.csv"));
    try {
      return wanted == Format.HTML
          ? HtmlReport.of(document, plots)
          : PerfettoTrace.of(report, plots);
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private RunPlots plots(RunReport report, Path timeline) throws InputException {
    if (!Files.exists(timeline)) {
      console().note("cuzk: " + timeline + " is not there: the plots show what report.json knows");
      return RunPlots.of(report);
    }
    try {
      return RunPlots.of(timeline);
    } catch (IOException e) {
      throw new InputException(timeline.toString(), Failures.describe(e), e);
    }
  }
}
