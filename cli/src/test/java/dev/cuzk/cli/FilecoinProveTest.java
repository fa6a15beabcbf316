package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cuzk.format.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proves WindowPoSts of 2 KiB sectors under the reference's own parameters. */
class FilecoinProveTest {
  private static final String RANDOMNESS =
      "36a75b1bc2b41ea73e9d93e057097c4e444945f8030b00d43531fe029b98e729";
  private static final Path KEYS = TestFiles.shared("filecoin/vectors-2k/post/keys");

  private static Path params;

  @TempDir Path folder;

  @BeforeAll
  static void findParameters() throws IOException {
    assumeTrue(Files.isDirectory(KEYS), "the reference's parameters are not here");
    try (Stream<Path> files = Files.list(KEYS)) {
      params = files.filter(file -> file.toString().endsWith(".params")).findAny().orElseThrow();
    }
    TestFiles.requireCpuLibrary();
  }

  private static String file(String name) {
    return TestFiles.testdata("filecoin/" + name).toString();
  }

  private static List<String> facts() {
    return List.of(
        "--kind",
        "window-post",
        "--registered-proof",
        "StackedDrgWindow2KiBV1_2",
        "--randomness",
        RANDOMNESS);
  }

  private static List<String> sectors(int... numbers) {
    return Arrays.stream(numbers)
        .mapToObj(number -> file("window-2KiB-sector-" + number + ".bin"))
        .toList();
  }

  private CommandRun prove(List<String> inputs, String... more) {
    List<String> arguments = new ArrayList<>(List.of("prove"));
    arguments.addAll(facts());
    arguments.addAll(List.of("--gpus", "none", "--out", folder.resolve("out").toString()));
    arguments.addAll(Arrays.asList(more));
    arguments.addAll(inputs);
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  private static CommandRun verify(List<String> inputs, Path proof) {
    List<String> arguments = new ArrayList<>(List.of("verify", "--vk", file("window-2KiB.vk")));
    arguments.addAll(facts());
    for (String input : inputs) {
      arguments.addAll(List.of("--input", input));
    }
    arguments.add(proof.toString());
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  @Test
  void shouldProveUnderTheReferencesParameters() throws Exception {
    List<String> inputs = sectors(21, 7, 14);
    CommandRun run = prove(inputs, "--key", params.toString(), "--vk", file("window-2KiB.vk"));
    assertEquals(0, run.exitCode(), run.err());
    Path proof = folder.resolve("out/proofs/window-2KiB-sector-21.proof");
    assertEquals(proof.toString(), run.out().strip());
    assertEquals(2 * 192, Files.size(proof));
    assertEquals(
        Files.readString(Path.of(file("window-2KiB.public.json"))).replaceAll("\\s", ""),
        Files.readString(folder.resolve("out/proofs/window-2KiB-sector-21.public.json"))
            .replaceAll("\\s", ""));
    CommandRun verified = verify(inputs, proof);
    assertEquals(0, verified.exitCode(), verified.err());
    CommandRun again = CommandRun.of("verify", folder.resolve("out").toString());
    assertEquals(0, again.exitCode(), again.err());
    CommandRun resumed = prove(inputs, "--key", params.toString());
    assertEquals(0, resumed.exitCode(), resumed.err());
    byte[] mauled = Files.readAllBytes(proof);
    mauled[192] ^= 0x20;
    Files.write(proof, mauled);
    CommandRun refused = CommandRun.of("verify", folder.resolve("out").toString());
    assertEquals(1, refused.exitCode(), refused.err());
    assertTrue(refused.err().contains("partition 1"), refused.err());
  }

  @Test
  void shouldFindParametersByTheirName() throws Exception {
    List<String> inputs = sectors(7, 14);
    CommandRun run =
        prove(inputs, "--param-cache", KEYS.toString(), "--trust-params", "--format", "hex");
    assertEquals(0, run.exitCode(), run.err());
    Path proof = folder.resolve("out/proofs/window-2KiB-sector-7.proof.hex");
    assertEquals(2 * 192 + 1, Files.size(proof));
    assertEquals(0, verify(inputs, proof).exitCode());
    JsonNode key =
        new ObjectMapper().readTree(folder.resolve("out/report.json").toFile()).at("/keys/0");
    assertEquals("not checked", key.get("digest_state").asText());
    assertTrue(key.get("sha256").isNull(), "the file was read for its digest: " + key);
    // The same parameters under --key are read: the verifying key tells that they are the same.
    CommandRun resumed = prove(inputs, "--key", params.toString(), "--format", "hex", "--json");
    assertEquals(0, resumed.exitCode(), resumed.err());
    assertTrue(resumed.out().contains("\"status\":\"resumed\""), resumed.out());
  }

  @Test
  void shouldShowHowFarADigestIs() {
    List<String> arguments = new ArrayList<>(List.of("plan", "--param-cache", KEYS.toString()));
    arguments.addAll(facts());
    arguments.addAll(sectors(7));
    CommandRun run =
        CommandRun.with("CUZK_PROGRESS_SECONDS", "0.001").run(arguments.toArray(String[]::new));
    assertEquals(3, run.exitCode(), run.err());
    assertTrue(run.err().contains(params + ": taking its digest, "), run.err());
    assertTrue(run.lastError().contains("it is not the published file of window-2KiB"), run.err());
    arguments.add("--quiet");
    run = CommandRun.with("CUZK_PROGRESS_SECONDS", "0.001").run(arguments.toArray(String[]::new));
    assertEquals(3, run.exitCode(), run.err());
    assertEquals(run.lastError(), run.err().strip());
  }

  @Test
  void shouldSayWhatIsMissingOrWrong() throws Exception {
    CommandRun absent = prove(sectors(7), "--param-cache", folder.toString());
    assertEquals(3, absent.exitCode(), absent.err());
    assertTrue(absent.err().contains("the parameters of window-2KiB are not there"), absent.err());
    CommandRun other =
        CommandRun.of("prove", "--key", params.toString(), file("porep-2KiB.c1.json"));
    assertEquals(3, other.exitCode(), other.err());
    assertTrue(other.err().contains("another circuit than porep-2KiB"), other.err());
    byte[] whole = Files.readAllBytes(Path.of(file("window-2KiB-sector-7.bin")));
    whole[whole.length - 100] ^= 1;
    Path broken = Files.write(folder.resolve("broken.bin"), whole);
    CommandRun wrong = prove(List.of(broken.toString()), "--key", params.toString());
    assertEquals(3, wrong.exitCode(), wrong.err());
    assertTrue(wrong.err().contains("broken.bin: tree R"), wrong.err());
    assertTrue(wrong.err().contains("sector 7, challenge"), wrong.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"snarkjs", "rapidsnark"})
  void shouldRefuseFormatsThatAreNotForThem(String format) {
    CommandRun run = prove(sectors(7), "--key", params.toString(), "--format", format);
    assertEquals(2, run.exitCode(), run.err());
    assertTrue(run.err().contains("--format " + format + ": is for circom proofs"), run.err());
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  /** A file in the manifest's folder, as manifests name files. */
  private String ref(Path source, String format) throws Exception {
    byte[] bytes = Files.readAllBytes(source);
    Files.write(folder.resolve(source.getFileName()), bytes);
    return String.format(
        "\"path\":\"%s\",\"format\":\"%s\",\"bytes\":%d,\"sha256\":\"%s\"",
        source.getFileName(), format, bytes.length, sha256(bytes));
  }

  @Test
  void shouldProveTheJobsOfAManifest() throws Exception {
    List<String> refs = new ArrayList<>();
    for (String sector : sectors(7, 14)) {
      refs.add("{" + ref(Path.of(sector), "post-sector-bincode") + "}");
    }
    String manifest =
        "{\"version\":1,\"keys\":[{\"id\":\"k\",\"curve\":\"bls12-381\","
            + ref(params, "params")
            + ",\"vk\":{"
            + ref(Path.of(file("window-2KiB.vk")), "vk-bellman")
            + "}}],\"programs\":[],\"jobs\":[{\"name\":\"both\",\"kind\":\"window-post\",\"key\":\"k\","
            + "\"sector_size\":2048,\"registered_proof\":\"StackedDrgWindow2KiBV1_2\","
            + "\"randomness\":\""
            + RANDOMNESS
            + "\",\"inputs\":["
            + String.join(",", refs)
            + "]}]}";
    Path jobs = Files.writeString(folder.resolve("jobs.json"), manifest);
    CommandRun run =
        CommandRun.of(
            "prove", "--gpus", "none", "--out", folder.resolve("out").toString(), jobs.toString());
    assertEquals(0, run.exitCode(), run.err());
    CommandRun verified = verify(sectors(7, 14), folder.resolve("out/proofs/both.proof"));
    assertEquals(0, verified.exitCode(), verified.err());
  }

  @Test
  void shouldProveAContainerPackedFromSectors() throws Exception {
    Path container = folder.resolve("input.bin");
    List<String> arguments = new ArrayList<>(List.of("pack"));
    arguments.addAll(facts());
    arguments.addAll(List.of("--key", params.toString(), "-o", container.toString()));
    arguments.addAll(sectors(14, 7));
    CommandRun packed = CommandRun.of(arguments.toArray(String[]::new));
    assertEquals(0, packed.exitCode(), packed.err());
    CommandRun run =
        CommandRun.of(
            "prove",
            "--gpus",
            "none",
            "--out",
            folder.resolve("out").toString(),
            container.toString());
    assertEquals(0, run.exitCode(), run.err());
    Path proof = folder.resolve("out/proofs/window-2KiB-sector-14.proof");
    CommandRun verified = verify(sectors(7, 14), proof);
    assertEquals(0, verified.exitCode(), verified.err());
  }
}
