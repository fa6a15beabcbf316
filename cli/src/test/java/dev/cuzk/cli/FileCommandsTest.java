package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cuzk.format.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that read files and need no native library. */
class FileCommandsTest {
  private static final Path QUICKSTART = TestFiles.testdata("quickstart");
  private static final String KEY = QUICKSTART.resolve("circuit.zkey").toString();
  private static final String WITNESS = QUICKSTART.resolve("witness.wtns").toString();

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "verify vk.json | 3",
        "verify a b c d | 2",
        "verify --input c1.json x | 3",
        "verify --threads 0 x | 2",
        "inspect | 2",
        "inspect nothing.zkey | 3",
        "check w.wtns | 2",
        "check --r1cs a --circuit chain-4 w | 2",
        "check --r1cs a | 2",
        "check --circuit nothing-4 | 2",
        "check --circuit chain-9 --threads 0 | 2",
        "setup --circuit chain-4 -o x | 2",
        "setup --insecure-test-only -o x | 2",
        "setup --insecure-test-only --circuit chain-4 | 2",
        "setup --insecure-test-only --circuit chain-4 --curve p256 -o x | 2",
        "export | 2",
        "export pdf k.zkey | 2",
        "export vk a b | 2",
        "export calldata a | 2",
        "export vk nothing.zkey | 3",
        "circuit | 2",
        "circuit show | 2",
        "circuit show nothing-4 | 2",
        "circuit show porep-3GiB | 2",
        "circuit show porep-2KiB --curve bn254 | 2",
        "circuit segments chain-4 | 2",
        "circuit segments window-2KiB --depth 0 | 2",
        "circuit digest chain-4 -t 0 | 2",
        "check --circuit window-2KiB | 2",
        "circuit list chain-4 | 2",
        "devices --format xml | 2",
        "bench | 2",
        "bench everything | 2",
        "bench msm --gpus none | 2",
        "bench msm --size 2^4 --fail-above 5 | 2",
        "report nothing | 3",
        "report --format html nothing | 3",
        "merge | 2",
        "merge nothing | 3",
        "pack w.wtns | 2",
        "completion fish | 2",
        "help nothing | 2",
      })
  void shouldAnswerBadUsageWithItsExitCode(String arguments, int exitCode) {
    CommandRun run = CommandRun.of(arguments.split(" "));
    assertEquals(exitCode, run.exitCode(), run.err());
    assertTrue(run.err().startsWith("cuzk: error: "), run.err());
    assertEquals(1, run.err().strip().lines().count(), run.err());
    assertEquals("", run.out());
  }

  @Test
  void shouldInspectKeysAndWitnesses() throws IOException {
    CommandRun run = CommandRun.of("inspect", "--json", "--digest", KEY, WITNESS);
    assertEquals(0, run.exitCode(), run.err());
    JsonNode files = new ObjectMapper().readTree(run.out()).path("files");
    assertEquals("bn254", files.get(0).path("curve").asText());
    assertEquals(files.get(0).path("variables"), files.get(1).path("values"));
    assertEquals(64, files.get(1).path("sha256").asText().length());
  }

  @Test
  void shouldGoOnAfterAFileThatIsUnknown() throws IOException {
    Path other = Files.writeString(folder.resolve("other"), "hello");
    CommandRun run = CommandRun.of("inspect", other.toString(), WITNESS);
    assertEquals(3, run.exitCode());
    assertTrue(run.out().startsWith(WITNESS + ": witness"), run.out());
  }

  @Test
  void shouldExportTheVerifyingKeyThatTheCeremonyPublished() throws IOException {
    Path out = folder.resolve("vk.json");
    CommandRun run = CommandRun.of("export", "vk", KEY, "-o", out.toString());
    assertEquals(0, run.exitCode(), run.err());
    ObjectMapper mapper = new ObjectMapper();
    assertEquals(
        mapper.readTree(QUICKSTART.resolve("verification_key.json").toFile()),
        mapper.readTree(out.toFile()));
    CommandRun solidity = CommandRun.of("export", "solidity", out.toString());
    assertEquals(0, solidity.exitCode(), solidity.err());
    assertTrue(solidity.out().contains("contract Groth16Verifier"), solidity.out());
  }

  @Test
  void shouldNotWriteOverAFolder() {
    CommandRun run = CommandRun.of("export", "vk", KEY, "-o", folder.toString());
    assertEquals(9, run.exitCode());
    assertTrue(run.err().contains("cannot be written"), run.err());
  }

  @Test
  void shouldCheckBuiltInCircuits() {
    CommandRun run = CommandRun.of("check", "--circuit", "chain-8", "--json");
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("\"satisfied\":true"), run.out());
  }

  @Test
  void shouldNameTheCircuitsItHas() throws IOException {
    CommandRun run = CommandRun.of("circuit", "list");
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("chain-K") && run.out().contains("bits-K"), run.out());
    CommandRun show = CommandRun.of("circuit", "show", "chain-10", "--json");
    assertEquals(10, new ObjectMapper().readTree(show.out()).path("domain_log2").asInt());
  }

  @Test
  void shouldDescribeFilecoinsCircuits() throws IOException {
    assertTrue(CommandRun.of("circuit", "list").out().contains("\nupdate-poseidon-512MiB "));
    JsonNode show =
        new ObjectMapper()
            .readTree(CommandRun.of("circuit", "show", "window-8MiB", "--json").out());
    assertEquals(64_266, show.path("constraints").asInt());
    assertEquals(8 << 20, show.path("sector_size").asInt());
    assertEquals("bls12-381", show.path("curve").asText());
    assertEquals(16, show.path("domain_log2").asInt());
  }

  @Test
  void shouldDigestCircuits() throws IOException {
    CommandRun run = CommandRun.of("circuit", "digest", "window-512MiB", "--chunks", "-t", "2");
    assertEquals(0, run.exitCode(), run.err());
    List<String> lines = run.out().lines().toList();
    assertEquals("8bad0431cf2fa48c3dd6b2c1a180904d3ab0d6f0e91cc1974409abc4d495b724", lines.get(0));
    assertEquals(3, lines.size());
    JsonNode chain =
        new ObjectMapper().readTree(CommandRun.of("circuit", "digest", "chain-8", "--json").out());
    assertEquals(64, chain.path("digest").asText().length());
    assertTrue(chain.path("reference").isMissingNode());
  }

  @Test
  void shouldListNamespaces() throws IOException {
    List<String> lines =
        CommandRun.of("circuit", "segments", "winning-2KiB", "--depth", "2").out().lines().toList();
    assertEquals("path\tfirst_constraint\tend_constraint\tfirst_aux\tend_aux", lines.get(0));
    assertEquals("outer namespace/sector_1\t1375\t2750\t1389\t2778", lines.get(3));
    assertEquals(2 + 66, lines.size());
    JsonNode json =
        new ObjectMapper()
            .readTree(CommandRun.of("circuit", "segments", "winning-2KiB", "--json").out());
    assertEquals(1 + 66 * 3, json.path("segments").size());
    // Three levels of a 32 GiB WindowPoSt would be 28,189 lines.
    assertEquals(
        2 + 2349, CommandRun.of("circuit", "segments", "window-32GiB").out().lines().count());
  }

  @Test
  void shouldPackWhatProveWouldTake() throws IOException {
    Path container = folder.resolve("input.bin");
    CommandRun run = CommandRun.of("pack", "--key", KEY, WITNESS, "-o", container.toString());
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(container + "\n", run.out());
    CommandRun inspected = CommandRun.of("inspect", "--json", container.toString());
    JsonNode file = new ObjectMapper().readTree(inspected.out()).path("files").get(0);
    assertEquals(1, file.path("jobs").asInt(), inspected.out());
  }

  @Test
  void shouldTellWhereEachSettingCameFrom() throws IOException {
    CommandRun run = CommandRun.with("CUZK_THREADS", "1").run("doctor", "--json", "--gpus", "none");
    JsonNode settings = new ObjectMapper().readTree(run.out()).path("settings");
    assertEquals("1", settings.path("threads").path("value").asText());
    assertEquals(
        "environment variable CUZK_THREADS", settings.path("threads").path("source").asText());
    assertEquals("command line", settings.path("gpus").path("source").asText());
    assertEquals("default", settings.path("host-memory").path("source").asText());
  }

  @Test
  void shouldPrintNothingButTheLineForSpark() throws IOException {
    CommandRun run = CommandRun.of("devices", "--format", "spark");
    assertTrue(run.exitCode() == 0 || run.exitCode() == 5, run.err());
    JsonNode line = new ObjectMapper().readTree(run.out());
    assertEquals("gpu", line.path("name").asText());
    assertTrue(line.path("addresses").isArray());
  }

  @Test
  void shouldWriteToADeviceAndLeaveItInItsPlace() throws Exception {
    // A link, so that a fault would replace the link and not the device.
    Path device = Files.createSymbolicLink(folder.resolve("null"), Path.of("/dev/null"));
    OutputFiles.write(device, new byte[] {1});
    assertTrue(Files.isSymbolicLink(device));
  }
}
