package dev.cuzk.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
  @TempDir Path folder;

  private String page(byte[] document, RunPlots plots) throws IOException {
    return new String(HtmlReport.of(document, plots), StandardCharsets.UTF_8);
  }

  @Test
  void shouldNeedNothingButItself() throws IOException {
    SampleRun run = new SampleRun(10, "job");
    String page = page(ReportJson.toBytes(run.report()), RunPlots.of(run.report()));
    assertTrue(page.contains("default-src 'none'"));
    assertTrue(page.contains("Permission is hereby granted"));
    assertFalse(Pattern.compile("<link|<script[^>]+src=|@import|url\\(").matcher(page).find());
  }

  @Test
  void shouldNotLetNamesBecomeMarkup() throws IOException {
    SampleRun run = new SampleRun(4, "job");
    byte[] document = run.hostile();
    String page = page(document, RunPlots.of(run.report()));
    assertFalse(page.contains("<img"));
    assertEquals(3, Pattern.compile("</script>").matcher(page).results().count());
  }

  @Test
  void shouldTakeAllPartitionsFromTheTimeline() throws IOException {
    new SampleRun(2_500, "job").write(folder);
    RunPlots plots = RunPlots.of(folder.resolve("timeline.csv"));
    assertEquals(2_500, plots.bars().rows().size());
    assertEquals(0, plots.bars().leftOut());
    assertEquals(SampleRun.STAGES, plots.bars().rows().get(7).bars().size());
  }

  @Test
  void shouldRefuseAnotherFileForATimeline() throws IOException {
    Path file = folder.resolve("timeline.csv");
    Files.writeString(file, "a,b\n");
    assertThrows(IOException.class, () -> RunPlots.of(file));
    Files.writeString(file, TimelineCsv.HEADER + "\n1,STAGE\n");
    assertThrows(IOException.class, () -> RunPlots.of(file));
    Files.writeString(file, TimelineCsv.HEADER + "\nx,STAGE,ntt,j,0,0,1,\n");
    IOException refused = assertThrows(IOException.class, () -> RunPlots.of(file));
    assertEquals("line 2 has a field that is not a number", refused.getMessage());
  }

  // ---- in a browser -------------------------------------------------------------------------

  /** {@code CUZK_TEST_BROWSER}, or a Chromium on PATH. */
  private static Optional<Path> browser() {
    String named = System.getenv("CUZK_TEST_BROWSER");
    if (named != null && !named.isEmpty()) {
      return Optional.of(Path.of(named));
    }
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of("chromium", "chromium-browser", "google-chrome", "chrome-headless-shell")
        .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(each -> Path.of(each, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** The page as it stands after its script ran; fails if the browser's console has a word. */
  private String rendered(byte[] page) throws IOException, InterruptedException {
    Optional<Path> browser = browser();
    assumeTrue(browser.isPresent(), "no Chromium on PATH, none in CUZK_TEST_BROWSER");
    Path file = folder.resolve("run.html");
    Files.write(file, page);
    Path out = folder.resolve("dom.html");
    Path err = folder.resolve("console.txt");
    List<String> command = new ArrayList<>(List.of(browser.get().toString(), "--headless=new"));
    command.addAll(
        List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--user-data-dir=" + folder.resolve("profile"),
            "--enable-logging=stderr",
            "--virtual-time-budget=5000",
            "--window-size=1280,1800",
            "--dump-dom",
            file.toUri().toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the browser does not end");
    } finally {
      process.destroyForcibly().waitFor();
    }
    List<String> words =
        Files.readAllLines(err, StandardCharsets.ISO_8859_1).stream()
            .filter(line -> line.contains("CONSOLE"))
            .toList();
    assertEquals(List.of(), words);
    String dom = Files.readString(out);
    assertEquals("yes", attribute(dom, "<html", "ready"));
    return dom;
  }

  private static String attribute(String dom, String element, String name) {
    Matcher matcher =
        Pattern.compile(Pattern.quote(element) + "[^>]*data-" + name + "=\"([^\"]*)\"")
            .matcher(dom);
    return matcher.find() ? matcher.group(1) : null;
  }

  private static long count(String dom, String pattern) {
    return Pattern.compile(pattern).matcher(dom).results().count();
  }

  @Test
  void shouldDrawEveryBarInABrowser() throws IOException, InterruptedException {
    int partitions = 2_000;
    new SampleRun(partitions, "job").write(folder);
    String dom =
        rendered(
            HtmlReport.of(
                Files.readAllBytes(folder.resolve("report.json")),
                RunPlots.of(folder.resolve("timeline.csv"))));
    assertEquals(partitions + "", attribute(dom, "<figure id=\"gantt\"", "rows"));
    assertEquals(
        partitions * SampleRun.STAGES + "", attribute(dom, "<figure id=\"gantt\"", "bars"));
    assertEquals("2", attribute(dom, "<figure data-device=\"0\"", "gaps"));
    assertEquals("2", attribute(dom, "<figure data-device=\"1\"", "gaps"));
    assertEquals(5, count(dom, "<canvas"), "two devices, Gantt, memory, upload");
    assertEquals(2, count(dom, "class=\"histogram\""));
  }

  @Test
  void shouldShowHostileNamesAsText() throws IOException, InterruptedException {
    SampleRun run = new SampleRun(4, "job");
    String dom = rendered(HtmlReport.of(run.hostile(), RunPlots.of(run.report())));
    assertTrue(dom.contains("<title>cuzk run</title>"));
    assertFalse(dom.contains("<img"));
    assertTrue(dom.contains("&lt;img src=x"));
  }

  @Test
  void shouldDrawARunThatDidNothing() throws IOException, InterruptedException {
    SampleRun run = new SampleRun(0, "job");
    String dom =
        rendered(HtmlReport.of(ReportJson.toBytes(run.report()), RunPlots.of(run.report())));
    assertEquals("0", attribute(dom, "<figure id=\"gantt\"", "rows"));
  }
}
