package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsoleTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private Console console(Map<String, String> variables, boolean outTerminal, boolean errTerminal) {
    return new Console(
        new Environment(
            variables, new ByteArrayInputStream(new byte[0]), out, err, outTerminal, errTerminal));
  }

  private String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest(name = "{0}: out terminal {1}, err terminal {2}")
  @CsvSource({
    // variables, out is a terminal, err is a terminal, out coloured, err coloured
    "'', false, false, false, false",
    "'', true, false, true, false",
    "'', false, true, false, true",
    "'', true, true, true, true",
    "'NO_COLOR=1', true, true, false, false",
    "'NO_COLOR=', true, true, true, true",
    "'TERM=dumb', true, true, false, false",
    "'TERM=xterm', true, true, true, true",
    "'CLICOLOR=0', true, true, false, false",
    "'CLICOLOR_FORCE=1', false, false, true, true",
    "'CLICOLOR_FORCE=0', false, false, false, false",
    "'CLICOLOR_FORCE=1 NO_COLOR=1', true, true, false, false",
    "'CUZK_COLOR=never', true, true, false, false",
    "'CUZK_COLOR=always NO_COLOR=1', false, false, true, true"
  })
  void shouldJudgeColourForEachStreamAlone(
      String variables,
      boolean outTerminal,
      boolean errTerminal,
      boolean outColor,
      boolean errColor) {
    CommandRun.Setup setup = new CommandRun.Setup().terminals(outTerminal, errTerminal);
    for (String each : variables.split(" ")) {
      if (!each.isEmpty()) {
        setup.and(each.split("=", 2)[0], each.split("=", 2)[1]);
      }
    }
    assertEquals(outColor, setup.run("help", "inspect").out().contains("\u001b["), "stdout");
    assertEquals(errColor, setup.run("help", "nothing").err().contains("\u001b["), "stderr");
  }

  @Test
  void shouldPreferTheOptionToTheVariables() {
    CommandRun.Setup terminals = new CommandRun.Setup().terminals(true, true);
    assertFalse(terminals.run("help", "inspect", "--color", "never").out().contains("\u001b"));
    assertTrue(
        CommandRun.with("NO_COLOR", "1")
            .run("help", "inspect", "--color=always")
            .out()
            .contains("\u001b["));
  }

  @Test
  void shouldRedrawStatusLinesAroundMessages() {
    Console console = console(new HashMap<>(), false, true);
    console.showStatus(List.of("1 of 2", "gpu 0"));
    console.print("message");
    console.clearStatus();
    assertEquals(
        "1 of 2\ngpu 0\n\u001b[2F\u001b[0Jmessage\n1 of 2\ngpu 0\n\u001b[2F\u001b[0J", errors());
  }

  @Test
  void shouldDrawNoStatusLinesInAPipe() {
    Console console = console(Map.of(), true, false);
    console.showStatus(List.of("1 of 2"));
    console.warning("careful\u001b[2J");
    assertEquals("cuzk: warning: careful\\x1b[2J\n", errors());
  }

  @Test
  void shouldCutStatusLinesThatWouldWrap() {
    Console console = console(Map.of("COLUMNS", "20"), false, true);
    console.showStatus(List.of("x".repeat(50)));
    assertEquals("x".repeat(19) + "\n", errors());
  }
}
