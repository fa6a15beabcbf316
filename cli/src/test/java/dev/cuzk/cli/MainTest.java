package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  @ParameterizedTest
  @ValueSource(strings = {"--version", "-V"})
  void shouldPrintVersionBuildAndJava(String option) {
    CommandRun run = CommandRun.of(option);
    assertEquals(0, run.exitCode(), run.err());
    String[] lines = run.out().strip().split("\n");
    assertTrue(lines[0].matches("cuzk \\d+\\.\\d+\\.\\d+"), run.out());
    assertTrue(lines[1].startsWith("build "), run.out());
    assertTrue(lines[2].startsWith("java "), run.out());
    assertEquals("", run.err());
  }

  @Test
  void shouldExplainItselfWithoutArguments() {
    CommandRun run = CommandRun.of();
    assertEquals(2, run.exitCode());
    assertEquals("", run.out());
    assertTrue(run.err().contains("Usage: cuzk"), run.err());
  }

  @Test
  void shouldListCommandsAndExitCodes() {
    CommandRun run = CommandRun.of("help");
    assertEquals(0, run.exitCode(), run.err());
    for (String name : CommandTable.NAMES) {
      assertTrue(run.out().contains("\n  " + name + " "), name);
    }
    assertTrue(run.out().contains("129, 130, 143"), run.out());
    assertEquals(run.out(), CommandRun.of("--help").out());
  }

  @Test
  void shouldExplainEveryCommandInBothWays() {
    for (String name : CommandTable.NAMES) {
      CommandRun help = CommandRun.of("help", name);
      assertEquals(0, help.exitCode(), name + help.err());
      assertTrue(help.out().contains("Usage: cuzk " + name), help.out());
      assertEquals(help.out(), CommandRun.of(name, "--help").out());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "circiut, did you mean 'circuit'?",
    "inpsect, did you mean 'inspect'?",
  })
  void shouldSuggestTheCommandThatWasMeant(String typed, String suggestion) {
    CommandRun run = CommandRun.of(typed);
    assertEquals(2, run.exitCode());
    assertTrue(run.err().startsWith("cuzk: error: "), run.err());
    assertTrue(run.err().contains(suggestion), run.err());
    assertEquals(1, run.err().strip().lines().count(), run.err());
  }

  @Test
  void shouldRefuseToBeTheDaemon() {
    CommandRun run = CommandRun.of("--config", "/etc/cuzk.toml");
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("batch prover"), run.err());
  }

  @Test
  void shouldAnswerHelpForNoCommandWithASuggestion() {
    CommandRun run = CommandRun.of("help", "inspec");
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("did you mean 'inspect'?"), run.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void shouldPrintACompletionScript(String shell) {
    CommandRun run = CommandRun.of("completion", shell);
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("complete -F"), run.out());
    assertTrue(run.out().contains("--digest"), "options of all commands");
    assertFalse(run.out().contains("\u001b"));
    assertTrue(run.out().contains("autoload -U +X bashcompinit && bashcompinit"), "zsh needs it");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "check c.r1cs w.wtns|cuzk check --r1cs c.r1cs w.wtns",
        "check w.wtns c.r1cs|cuzk check --r1cs c.r1cs w.wtns",
        "setup c.r1cs -o k.zkey|cuzk setup --insecure-test-only -o k.zkey --r1cs c.r1cs"
      })
  void shouldAnswerABareConstraintFileWithTheLineThatWasMeant(String arguments, String meant) {
    CommandRun run = CommandRun.of(arguments.split(" "));
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("Write: " + meant), run.err());
  }

  @Test
  void shouldEndWithOutputErrorWhenStandardOutputIsClosed() {
    CommandRun run = new CommandRun.Setup().closedOutput().run("help");
    assertEquals(9, run.exitCode());
    assertTrue(run.err().contains("standard output was closed"), run.err());
  }

  @Test
  void shouldAnswerOtherProversSyntaxWithOurs() {
    String expected = "cuzk prove --key c.zkey --proof p.json --public 'my public.json' w.wtns";
    for (String[] arguments :
        new String[][] {
          {"prove", "c.zkey", "w.wtns", "p.json", "my public.json"},
          {"groth16", "prove", "c.zkey", "w.wtns", "p.json", "my public.json"},
          {"c.zkey", "w.wtns", "p.json", "my public.json"}
        }) {
      CommandRun run = CommandRun.of(arguments);
      assertEquals(2, run.exitCode());
      assertTrue(run.err().contains(expected), run.err());
    }
  }

  @Test
  void shouldTakeOptionsBeforeTheCommandAsItsOwn() {
    CommandRun run = CommandRun.of("--color", "never", "--json", "circuit", "list");
    assertEquals(CommandRun.of("circuit", "list", "--json").out(), run.out());
    assertTrue(run.out().startsWith("{"), run.out());
    assertEquals(CommandRun.of("prove", "--help").out(), CommandRun.of("--help", "prove").out());
    assertEquals(CommandRun.of("--version").out(), CommandRun.of("--version", "prove").out());
    assertTrue(CommandRun.of("--jsn", "prove", "x").err().contains("did you mean '--json'"));
  }

  @Test
  void shouldRefuseTextThatIsNoFileNameWhereverItStands() {
    String text = "no\0name";
    CommandRun[] runs = {
      CommandRun.of("prove", "--out", text, "w.wtns"),
      CommandRun.of("prove", "--files-from", text, "--key", "k.zkey"),
      CommandRun.of("prove", "--proof", text, "--public", "x", "--key", "k.zkey", "w.wtns"),
      CommandRun.of("inspect", "--config", text, "k.zkey"),
      CommandRun.with("CUZK_CACHE", text).run("doctor"),
      CommandRun.with("XDG_CONFIG_HOME", text).run("inspect", "k.zkey"),
    };
    for (CommandRun run : runs) {
      assertEquals(2, run.exitCode(), run.err());
      assertEquals(1, run.err().strip().lines().count(), run.err());
      assertTrue(run.err().contains("\"no?name\" is no file name"), run.err());
    }
  }
}
