package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cuzk.format.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plans of the quick start's files, and faults on purpose, where the CPU library has been built.
 */
class PlanCommandTest {
  private static final Path QUICKSTART = TestFiles.testdata("quickstart");
  private static final String KEY = QUICKSTART.resolve("circuit.zkey").toString();
  private static final String WITNESS = QUICKSTART.resolve("witness.wtns").toString();

  @TempDir Path folder;

  @BeforeEach
  void requireLibrary() {
    TestFiles.requireCpuLibrary();
  }

  private static JsonNode plan(String... more) throws IOException {
    String[] arguments =
        Stream.concat(
                Stream.of("plan", "--json", "--key", KEY),
                Stream.concat(Stream.of(more), Stream.of(WITNESS)))
            .toArray(String[]::new);
    CommandRun run = CommandRun.of(arguments);
    assertEquals(0, run.exitCode(), run.err());
    return new ObjectMapper().readTree(run.out());
  }

  @Test
  void shouldPlanForTheCpu() throws IOException {
    JsonNode plan = plan("--gpus", "none");
    JsonNode needs = plan.path("partitions").path(0).path("needs").path(0);
    assertTrue(needs.path("plan").path("resident_key").booleanValue());
    assertTrue(needs.path("host_bytes").longValue() > 0);
    assertEquals(0, needs.path("pinned_bytes").longValue());
    assertTrue(plan.path("predicted_seconds").doubleValue() > 0);
    assertTrue(plan.path("basis").textValue().contains("prediction"));
  }

  @Test
  void shouldRunTheEngineOnSimulatedGpus() throws IOException {
    JsonNode plan = plan("--simulate-gpus", "20GiB,24GiB", "--no-self-verify", "-j", "4");
    assertEquals(2, plan.path("devices").size());
    JsonNode first = plan.path("devices").path(0);
    assertEquals(20L << 30, first.path("memory_bytes").longValue());
    assertEquals(19L << 30, first.path("budget_bytes").longValue());
    long proofs = 0;
    for (JsonNode device : plan.path("devices")) {
      proofs += device.path("partitions").longValue();
      assertTrue(device.path("peak_bytes").longValue() <= device.path("budget_bytes").longValue());
    }
    assertEquals(1, proofs);
    assertTrue(first.path("gaps").has("p99_ms"));
    assertEquals(0, plan.path("failures").size());
  }

  @Test
  void shouldRefuseWhatCanNeverFitWithTheNumbers() {
    CommandRun run =
        CommandRun.of(
            "plan", "--simulate-gpus", "16GiB", "--gpu-memory", "1MiB", "--key", KEY, WITNESS);
    assertEquals(6, run.exitCode(), run.err());
    assertTrue(run.lastError().contains("the budget is " + (1 << 20)), run.err());
    assertTrue(run.lastError().contains("witness, partition 0"), run.err());
    assertTrue(run.out().contains("never"));
  }

  @Test
  void shouldRefuseBadInputs() throws IOException {
    Path bad = Files.write(folder.resolve("bad.wtns"), new byte[100]);
    assertEquals(3, CommandRun.of("plan", "--key", KEY, bad.toString()).exitCode());
    assertEquals(2, CommandRun.of("plan", "--simulate-gpus", "20G", "--key", KEY).exitCode());
    assertEquals(2, CommandRun.of("plan", "--simulate-gpus", "0", KEY).exitCode());
  }

  @Test
  void shouldPlanForAListOfNames() throws IOException {
    Path list = Files.writeString(folder.resolve("list"), WITNESS + "\nother\t" + WITNESS + "\n");
    CommandRun run =
        CommandRun.of("plan", "--gpus", "none", "--key", KEY, "--files-from", list.toString());
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("other"), run.out());
    assertTrue(run.out().contains("partitions: 2, jobs: 2"), run.out());
  }

  @Test
  void shouldRepairAnInjectedBitFlipAndKeepEvidence() throws IOException {
    Path out = folder.resolve("run");
    CommandRun run =
        CommandRun.of(
            "prove",
            "--gpus",
            "none",
            "--fault",
            "0:prove:1:wrong-point",
            "--out",
            out.toString(),
            "--key",
            KEY,
            WITNESS);
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.err().contains("FAULTS ARE INJECTED"), run.err());
    List<Path> kept;
    try (Stream<Path> files = Files.list(out.resolve("evidence"))) {
      kept = files.toList();
    }
    assertEquals(1, kept.size());
    JsonNode evidence = new ObjectMapper().readTree(kept.get(0).toFile());
    assertEquals("witness", evidence.path("job").textValue());
    assertEquals(1, evidence.path("fault").intValue());
    assertEquals(64, evidence.path("key_sha256").textValue().length());
    assertFalse(evidence.has("r"));
    assertEquals(0, CommandRun.of("verify", out.toString()).exitCode());
  }

  @Test
  void shouldHideFaultsAndRefuseWrongOnes() {
    assertFalse(CommandRun.of("prove", "--help").out().contains("--fault"));
    CommandRun run = CommandRun.of("prove", "--fault", "0:prove:1", "--key", KEY, WITNESS);
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("DEVICE:CALL:NUMBER:KIND"), run.err());
    CommandRun memory =
        CommandRun.of(
            "prove",
            "--gpus",
            "none",
            "--fault",
            "0:load:*:out-of-memory",
            "--out",
            folder.resolve("full").toString(),
            "--key",
            KEY,
            WITNESS);
    assertEquals(6, memory.exitCode(), memory.err());
  }
}
