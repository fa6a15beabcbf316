package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Writes the pages anew with {@code -Dcuzk.man.update=true}. */
class ManPageTest {
  private static final Path FOLDER = TestFiles.project("man");

  @Test
  void shouldEqualTheCommittedPages() throws IOException {
    Map<String, String> pages = ManPage.all();
    if (Boolean.getBoolean("cuzk.man.update")) {
      Files.createDirectories(FOLDER);
      for (Map.Entry<String, String> page : pages.entrySet()) {
        Files.writeString(FOLDER.resolve(page.getKey()), page.getValue());
      }
    }
    Set<String> committed = new TreeSet<>();
    try (Stream<Path> files = Files.list(FOLDER)) {
      files.forEach(file -> committed.add(file.getFileName().toString()));
    }
    assertEquals(pages.keySet(), committed);
    for (Map.Entry<String, String> page : pages.entrySet()) {
      assertEquals(
          page.getValue(),
          Files.readString(FOLDER.resolve(page.getKey())),
          page.getKey() + ": made anew by mvn test -Dtest=ManPageTest -Dcuzk.man.update=true");
    }
  }

  @Test
  void shouldNameOptionsAndTheirVariables() {
    String page = ManPage.all().get("cuzk-inspect.1");
    assertTrue(page.contains("\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR"), page);
    assertTrue(page.contains("\\fB\\-\\-color\\fR \\fIWHEN\\fR"), page);
    assertTrue(page.contains("Environment: CUZK_DIGEST."), page);
    assertFalse(page.contains("%n") || page.contains("$$"), page);
  }

  @Test
  void shouldListExitCodes() {
    assertTrue(ManPage.all().get("cuzk.1").contains("\\fB129, 130, 143\\fR"));
  }
}
