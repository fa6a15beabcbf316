package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.Progress;
import dev.cuzk.format.Sha256;
import dev.cuzk.format.TestFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Proofs of 2 KiB sectors of every kind under keys that {@code cuzk setup} makes. Keys of PoReps
 * and updates take a minute of processor time each; {@code -Dcuzk.test.slow=true} makes them.
 */
class FilecoinOwnKeysTest {
  private static final String WINDOW =
      "36a75b1bc2b41ea73e9d93e057097c4e444945f8030b00d43531fe029b98e729";
  private static final String WINNING =
      "a623831d452c68f08126ced03008a3f6f2ce042c3845aa5bb68ef74d6714f93d";
  private static final Map<String, String> UPDATE =
      Map.of(
          "comm-r-old",
          "50156827ef9bf96518522a61098143cc10d6eae19e2232369c50eb06c1b9e104",
          "comm-r-new",
          "7d0f7a03ce213c81a067b81e60f09dedc388e6e8d7d194db65873595dcd95b39",
          "comm-d-new",
          "542092d73001072b907376f3478e038aa3d86baca3e99fc271fdcd96922df31a");

  @TempDir static Path keys;

  @TempDir Path folder;

  @BeforeAll
  static void requireLibrary() {
    TestFiles.requireCpuLibrary();
  }

  /** Made when first asked for. */
  private static String key(String circuit) {
    Path key = keys.resolve(circuit + ".params");
    if (!Files.exists(key)) {
      CommandRun run =
          CommandRun.of(
              "setup",
              "--insecure-test-only",
              "--gpus",
              "none",
              "--circuit",
              circuit,
              "-o",
              key.toString());
      assertEquals(0, run.exitCode(), run.err());
    }
    return key.toString();
  }

  private static String slowKey(String circuit) {
    assumeTrue(Boolean.getBoolean("cuzk.test.slow"), "-Dcuzk.test.slow=true makes these keys");
    return key(circuit);
  }

  private static String file(String name) {
    return TestFiles.testdata("filecoin/" + name).toString();
  }

  /** What is known of a kind's input beside the file. */
  private static List<String> facts(String kind) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("kind", kind);
    switch (kind) {
      case "window-post" -> {
        facts.put("registered-proof", "StackedDrgWindow2KiBV1_2");
        facts.put("randomness", WINDOW);
      }
      case "winning-post" -> {
        facts.put("sector-size", "2KiB");
        facts.put("randomness", WINNING);
      }
      case "snap" -> {
        facts.put("sector-size", "2KiB");
        facts.putAll(UPDATE);
      }
      default -> facts.put("miner-id", "1001");
    }
    List<String> options = new ArrayList<>();
    facts.forEach((name, value) -> options.addAll(List.of("--" + name, value)));
    return options;
  }

  private CommandRun prove(List<String> options, String out, String... more) {
    List<String> arguments = new ArrayList<>(List.of("prove", "--gpus", "none"));
    arguments.addAll(List.of("--out", folder.resolve(out).toString()));
    arguments.addAll(options);
    arguments.addAll(Arrays.asList(more));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  private static CommandRun run(String command, List<String> options, String... more) {
    List<String> arguments = new ArrayList<>(List.of(command));
    arguments.addAll(options);
    arguments.addAll(Arrays.asList(more));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  /** Exports the verifying key and verifies a proof against its input. */
  private void assertVerifies(String kind, String key, Path proof, String... inputs) {
    Path vk = folder.resolve("exported.vk");
    CommandRun exported = CommandRun.of("export", "vk", key, "-o", vk.toString());
    assertEquals(0, exported.exitCode(), exported.err());
    List<String> options = new ArrayList<>(List.of("--vk", vk.toString()));
    options.addAll(facts(kind));
    for (String input : inputs) {
      options.addAll(List.of("--input", input));
    }
    CommandRun verified = run("verify", options, proof.toString());
    assertEquals(0, verified.exitCode(), verified.err());
  }

  /** Options, then a container packed from them, then a manifest of it: three proofs. */
  private void shouldProveEveryWay(String kind, String circuit, String key, String input)
      throws Exception {
    CommandRun direct = prove(facts(kind), "direct", "--key", key, input);
    assertEquals(0, direct.exitCode(), direct.err());
    Path proof = Path.of(direct.out().strip());
    assertEquals(192, Files.size(proof));
    assertVerifies(kind, key, proof, input);

    Path container = folder.resolve("input.bin");
    CommandRun packed = run("pack", facts(kind), "--key", key, input, "-o", container.toString());
    assertEquals(0, packed.exitCode(), packed.err());
    CommandRun contained = prove(List.of(), "contained", container.toString());
    assertEquals(0, contained.exitCode(), contained.err());
    Path second = Path.of(contained.out().strip());
    assertVerifies(kind, key, second, input);
    assertFalse(Arrays.equals(Files.readAllBytes(proof), Files.readAllBytes(second)));
    assertArrayEquals(publicInputs(proof), publicInputs(second));

    Path manifest = manifest(kind, key, input);
    CommandRun listed = prove(List.of(), "listed", manifest.toString());
    assertEquals(0, listed.exitCode(), listed.err());
    assertVerifies(kind, key, folder.resolve("listed/proofs/job.proof"), input);
    CommandRun again = CommandRun.of("verify", folder.resolve("listed").toString());
    assertEquals(0, again.exitCode(), again.err());

    Files.write(folder.resolve("cut.params"), Arrays.copyOf(Files.readAllBytes(Path.of(key)), 900));
    CommandRun cut = prove(facts(kind), "cut", "--key", folder + "/cut.params", input);
    assertEquals(3, cut.exitCode(), cut.err());
    assertTrue(cut.err().contains("cut.params: "), cut.err());
    assertFalse(Files.exists(folder.resolve("cut/proofs/" + proof.getFileName())), circuit);
  }

  private static byte[] publicInputs(Path proof) throws IOException {
    String name = proof.getFileName().toString().replace(".proof", ".public.json");
    return Files.readAllBytes(proof.resolveSibling(name));
  }

  private Path manifest(String kind, String key, String input) throws Exception {
    Path linked = folder.resolve("key.params");
    Files.createLink(linked, Path.of(key));
    String keyEntry =
        "{\"id\":\"k\",\"curve\":\"bls12-381\"," + reference(linked, "params").substring(1);
    String format =
        switch (kind) {
          case "porep" -> "c1-envelope";
          case "snap" -> "partition-proof-bincode";
          default -> "post-sector-bincode";
        };
    Path copy = Files.copy(Path.of(input), folder.resolve("vanilla"));
    String facts =
        switch (kind) {
          case "porep" ->
              "\"registered_proof\":\"StackedDrg2KiBV1_1\",\"miner_id\":\"t01001\",\"sector_number\":43,"
                  + "\"input\":"
                  + reference(copy, format);
          case "snap" ->
              "\"registered_proof\":\"StackedDrg2KiBV1\",\"comm_r_old\":\"%s\",\"comm_r_new\":\"%s\",\"comm_d_new\":\"%s\",\"inputs\":[%s]"
                  .formatted(
                      UPDATE.get("comm-r-old"),
                      UPDATE.get("comm-r-new"),
                      UPDATE.get("comm-d-new"),
                      reference(copy, format));
          default ->
              "\"registered_proof\":\"StackedDrgWinning2KiBV1\",\"randomness\":\"%s\",\"inputs\":[%s]"
                  .formatted(WINNING, reference(copy, format));
        };
    return Files.writeString(
        folder.resolve("jobs.json"),
        "{\"version\":1,\"keys\":["
            + keyEntry
            + "],\"jobs\":[{\"name\":\"job\",\"kind\":\""
            + kind
            + "\",\"key\":\"k\",\"sector_size\":2048,"
            + facts
            + "}]}");
  }

  private static String reference(Path file, String format) throws Exception {
    return "{\"path\":\"%s\",\"format\":\"%s\",\"bytes\":%d,\"sha256\":\"%s\"}"
        .formatted(
            file.getFileName(),
            format,
            Files.size(file),
            Sha256.of(FileRange.whole(file), Progress.NONE));
  }

  @Test
  void shouldProveAWinningPostEveryWay() throws Exception {
    shouldProveEveryWay(
        "winning-post", "winning-2KiB", key("winning-2KiB"), file("winning-2KiB-sector-7.bin"));
  }

  @Test
  void shouldProveAnUpdateEveryWay() throws Exception {
    String key = slowKey("update-2KiB");
    shouldProveEveryWay("snap", "update-2KiB", key, file("update-2KiB.bin"));
    CommandRun one =
        prove(
            facts("snap"), "one", "--key", key, "--partition-index", "0", file("update-2KiB.bin"));
    assertEquals(0, one.exitCode(), one.err());
    assertMauledProofIsNamed(
        "snap", key, file("update-2KiB.bin"), 388, "partition 0, challenge 0", "old tree R");
  }

  @Test
  void shouldProveASealEveryWay() throws Exception {
    String key = slowKey("porep-2KiB");
    shouldProveEveryWay("porep", "porep-2KiB", key, file("porep-2KiB.c1.json"));
    assertMauledProofIsNamed(
        "porep", key, file("porep-2KiB.c1.bincode"), 108, "partition 0, challenge 0", "tree D");
  }

  /** Proves a seal of the first version, of which parents are chosen in another way. */
  @Test
  void shouldProveASealOfTheFirstVersion() throws Exception {
    Path c1 = TestFiles.shared("filecoin/vectors-2k/porep-v1/c1.json");
    assumeTrue(Files.exists(c1), "the reference's vectors are not here");
    String key = slowKey("porep-2KiB");
    CommandRun run = prove(facts("porep"), "first", "--key", key, c1.toString());
    assertEquals(0, run.exitCode(), run.err());
    assertVerifies("porep", key, Path.of(run.out().strip()), c1.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "window-post, window-2KiB, window-2KiB-sector-7.bin",
    "winning-post, winning-2KiB, winning-2KiB-sector-7.bin",
  })
  void shouldNameTheChallengeOfAMauledSector(String kind, String circuit, String input)
      throws Exception {
    assertMauledProofIsNamed(
        kind, key(circuit), file(input), 140, "sector 7, challenge 0", "tree R");
  }

  /**
   * A bit of the first path's first sibling is flipped: neither counts nor sizes show it, hashing
   * the path does.
   */
  private void assertMauledProofIsNamed(
      String kind, String key, String input, int sibling, String... words) throws Exception {
    byte[] bytes = Files.readAllBytes(Path.of(input));
    bytes[sibling] ^= 1;
    Path mauled = Files.write(folder.resolve("mauled.bin"), bytes);
    List<String> options = new ArrayList<>(facts(kind));
    if (kind.equals("porep")) {
      options.addAll(List.of("--sector-number", "43"));
    }
    CommandRun run = prove(options, "mauled", "--key", key, mauled.toString());
    assertEquals(3, run.exitCode(), run.err());
    assertTrue(run.err().contains("mauled.bin: "), run.err());
    for (String word : words) {
      assertTrue(run.err().contains(word), run.err());
    }
    assertFalse(Files.exists(folder.resolve("mauled/proofs/mauled.proof")));
  }

  // ---- a kill between two partitions

  private List<String> twoPartitions() {
    List<String> options = new ArrayList<>(facts("window-post"));
    options.addAll(List.of("--key", key("window-2KiB")));
    for (int sector : new int[] {7, 14, 21}) {
      options.add(file("window-2KiB-sector-" + sector + ".bin"));
    }
    return options;
  }

  private List<String> acceptedLines() throws IOException {
    Path journal = folder.resolve("killed/journal.jsonl");
    if (!Files.exists(journal)) {
      return List.of();
    }
    return new String(Files.readAllBytes(journal), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains("\"type\":\"accepted\""))
        .toList();
  }

  @Test
  void shouldGoOnAfterAKillBetweenTwoPartitions() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dcuzk.library.path=" + System.getProperty("cuzk.library.path"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("prove", "--gpus", "none", "--synchronous"));
    command.addAll(List.of("--fault", "0:prove:2:delay=600000"));
    command.addAll(List.of("--out", folder.resolve("killed").toString()));
    command.addAll(twoPartitions());
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
      while (acceptedLines().isEmpty() && process.isAlive() && System.nanoTime() < end) {
        Thread.sleep(50);
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    List<String> before = acceptedLines();
    assertEquals(1, before.size(), Files.readString(said));
    assertTrue(before.get(0).contains("\"partition\":0,\"partitions\":2"), before.get(0));
    assertFalse(Files.exists(folder.resolve("killed/proofs/window-2KiB-sector-7.proof")));

    CommandRun resumed = prove(twoPartitions(), "killed", "--resume", "--json");
    assertEquals(0, resumed.exitCode(), resumed.err());
    List<JsonNode> made = new ArrayList<>();
    for (String line : resumed.out().lines().toList()) {
      JsonNode object = new ObjectMapper().readTree(line);
      if (object.get("type").asText().equals("partition")) {
        made.add(object);
      }
    }
    assertEquals(1, made.size(), resumed.out());
    assertEquals(1, made.get(0).get("partition").asInt());
    List<String> after = acceptedLines();
    assertEquals(2, after.size());
    assertEquals(before.get(0), after.get(0));
    assertVerifies(
        "window-post",
        key("window-2KiB"),
        folder.resolve("killed/proofs/window-2KiB-sector-7.proof"),
        file("window-2KiB-sector-7.bin"),
        file("window-2KiB-sector-14.bin"),
        file("window-2KiB-sector-21.bin"));
  }
}
