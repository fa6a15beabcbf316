package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Order of option, environment and file, seen through the colour of a help page. */
class SettingsTest {
  @TempDir Path folder;

  private Path config(String text) throws IOException {
    Path file = folder.resolve("cuzk").resolve("config");
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static boolean colored(CommandRun run) {
    assertEquals(0, run.exitCode(), run.err());
    return run.out().contains("\u001b[");
  }

  @Test
  void shouldPreferOptionToEnvironmentToFile() throws IOException {
    config("# my settings\n\ncolor = always\n");
    CommandRun.Setup file = CommandRun.with("XDG_CONFIG_HOME", folder.toString());
    assertTrue(colored(file.run("help", "inspect")));
    file.and("CUZK_COLOR", "never");
    assertFalse(colored(file.run("help", "inspect")));
    assertTrue(colored(file.run("help", "inspect", "--color", "always")));
  }

  @Test
  void shouldFindTheFileUnderHome() throws IOException {
    Path file = folder.resolve(".config/cuzk/config");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "color=always");
    assertTrue(colored(CommandRun.with("HOME", folder.toString()).run("help", "inspect")));
  }

  @Test
  void shouldTakeTheFileThatIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("other"), "\uFEFF--color = always\r\n");
    assertTrue(colored(CommandRun.of("help", "inspect", "--config", file.toString())));
    assertTrue(colored(CommandRun.of("--config", file.toString(), "help", "inspect")));
    assertTrue(colored(CommandRun.with("CUZK_CONFIG", file.toString()).run("help", "inspect")));
  }

  @ParameterizedTest
  @CsvSource({
    "'color=never\nfrobnicate = 1', line 2: unknown option 'frobnicate'",
    "'\n\ncolor', line 3 is not of the form",
    "'= 3', line 1 is not of the form",
    "'color = auto\ncolor = never', 'line 2 sets ''color'' again (first on line 1)'",
    "'insecure-seed = 1', line 1: 'insecure-seed' works on the command line alone",
    "'overwrite = yes', line 1: 'overwrite' works on the command line alone",
    "'quiet = maybe', '''maybe'' is not one of 1, 0, true, false, yes, no'",
    "'color = pink', from",
  })
  void shouldRefuseBadConfigurationWithItsLine(String text, String message) throws IOException {
    Path file = config(text);
    CommandRun run = CommandRun.of("help", "inspect", "--config", file.toString());
    assertEquals(2, run.exitCode(), run.err());
    assertTrue(run.err().contains(file.toString()), run.err());
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void shouldAcceptOptionsOfOtherCommands() throws IOException {
    Path file = config("gpus = none\nminer-id = f01000\n");
    assertEquals(0, CommandRun.of("help", "--config", file.toString()).exitCode());
  }

  @Test
  void shouldRefuseAFileThatIsMissingOrNotText() throws IOException {
    Path missing = folder.resolve("missing");
    CommandRun run = CommandRun.of("help", "--config", missing.toString());
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains(missing + ": cannot be read (no such file"), run.err());
    Path latin = folder.resolve("latin");
    Files.write(latin, "out = caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
    run = CommandRun.of("help", "--config", latin.toString());
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("not UTF-8"), run.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "true", "yes", "TRUE"})
  void shouldUnderstandTrueInTheEnvironment(String value) {
    CommandRun run = CommandRun.with("CUZK_JSON", value).run("help", "nothing");
    assertTrue(run.out().startsWith("{\"error\":"), run.out());
    // The option on the command line says the same, not the opposite.
    run = CommandRun.with("CUZK_JSON", value).run("help", "nothing", "--json");
    assertTrue(run.out().startsWith("{\"error\":"), run.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "false", "no", "No", ""})
  void shouldUnderstandFalseInTheEnvironment(String value) {
    CommandRun run = CommandRun.with("CUZK_JSON", value).run("help", "nothing");
    assertEquals("", run.out());
    run = CommandRun.with("CUZK_JSON", value).run("help", "nothing", "--json");
    assertTrue(run.out().startsWith("{\"error\":"), run.out());
  }

  @Test
  void shouldRefuseOtherBooleansInTheEnvironment() {
    CommandRun run = CommandRun.with("CUZK_JSON", "on").run("help");
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("environment variable CUZK_JSON: 'on' is not one of"), run.err());
  }
}
