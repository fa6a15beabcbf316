package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
  private static final String REPORT =
      "{\"schema\":1,\"tool\":{\"version\":\"1\",\"build\":\"b\",\"abi\":1},\"host\":{},\"settings\":{},\"warnings\":[],\"devices\":[{\"index\":0,\"name\":\"a"
          + " card\",\"busy_fraction\":0.5,"
          + "\"unexplained_fraction\":0,\"idle\":[{\"cause\":\"upload\",\"fraction\":0.5}],"
          + "\"gaps\":[{\"start_ms\":400,\"ms\":400,\"cause\":\"upload\"}],"
          + "\"utilisation_200ms\":[1,1,0,0]}],\"keys\":[],\"jobs\":[],\"stages\":[],\"locks\":[],"
          + "\"memory_samples\":[],\"upload\":{},\"summary\":{\"wall_seconds\":0.8}}";

  @TempDir Path folder;

  @BeforeEach
  void writeReport() throws IOException {
    Files.writeString(folder.resolve("report.json"), REPORT);
  }

  private CommandRun report(String... options) {
    String[] arguments = new String[options.length + 2];
    arguments[0] = "report";
    arguments[1] = folder.toString();
    System.arraycopy(options, 0, arguments, 2, options.length);
    return CommandRun.of(arguments);
  }

  @Test
  void shouldDrawUseAsAStripAndSayWhatKeptTheDeviceIdle() {
    CommandRun run = report();
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("|██  |"), run.out());
    assertTrue(run.out().contains("idle for: upload 50.0 %"), run.out());
  }

  @Test
  void shouldWriteAPageToAFile() throws IOException {
    Path page = folder.resolve("run.html");
    CommandRun run = report("--format", "html", "-o", page.toString());
    assertEquals(0, run.exitCode(), run.err());
    assertEquals("", run.out());
    assertTrue(run.err().contains("timeline.csv is not there"), run.err());
    assertTrue(Files.readString(page).startsWith("<!DOCTYPE html>"));
  }

  @Test
  void shouldPrintATrace() throws IOException {
    CommandRun run = report("--format", "perfetto");
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(new ObjectMapper().readTree(run.out()).get("traceEvents").size() >= 5);
  }

  @Test
  void shouldPrintTheReportItselfAsJson() {
    assertEquals(REPORT, report("--json").out());
  }

  @Test
  void shouldRefuseAnUnknownFormat() {
    CommandRun run = report("--format", "pdf");
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("--format must be text, html or perfetto"), run.err());
  }

  @Test
  void shouldNameATimelineThatIsNone() throws IOException {
    Files.write(folder.resolve("timeline.csv"), "a\n".getBytes(StandardCharsets.UTF_8));
    CommandRun run = report("--format", "html");
    assertEquals(3, run.exitCode());
    assertTrue(run.err().contains("timeline.csv: not a timeline"), run.err());
  }

  @Test
  void shouldEndWith9WhereThePageCannotBeWritten() {
    CommandRun run = report("--format", "html", "-o", folder.resolve("no/such.html").toString());
    assertEquals(9, run.exitCode(), run.err());
  }
}
