package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Progress;
import dev.cuzk.format.Sha256;
import dev.cuzk.format.TestFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filecoin's jobs in manifests and containers, of 2 KiB sectors. */
class FilecoinManifestTest {
  private static final String RANDOMNESS =
      "36a75b1bc2b41ea73e9d93e057097c4e444945f8030b00d43531fe029b98e729";
  private static final String WINNING =
      "a623831d452c68f08126ced03008a3f6f2ce042c3845aa5bb68ef74d6714f93d";
  private static final String COMM_R_OLD =
      "50156827ef9bf96518522a61098143cc10d6eae19e2232369c50eb06c1b9e104";
  private static final String COMM_R_NEW =
      "7d0f7a03ce213c81a067b81e60f09dedc388e6e8d7d194db65873595dcd95b39";
  private static final String COMM_D_NEW =
      "542092d73001072b907376f3478e038aa3d86baca3e99fc271fdcd96922df31a";
  private static final Path KEYS = TestFiles.shared("filecoin/vectors-2k/post/keys");

  @TempDir Path folder;

  private static String file(String name) {
    return TestFiles.testdata("filecoin/" + name).toString();
  }

  private String reference(String name, String format) throws IOException {
    Path copy = folder.resolve(name);
    if (!Files.exists(copy)) {
      Files.copy(TestFiles.testdata("filecoin/" + name), copy);
    }
    return reference(copy, format);
  }

  private static String reference(Path file, String format) throws IOException {
    try {
      return "{\"path\":\"%s\",\"format\":\"%s\",\"bytes\":%d,\"sha256\":\"%s\"}"
          .formatted(
              file.getFileName(),
              format,
              Files.size(file),
              Sha256.of(FileRange.whole(file), Progress.NONE));
    } catch (InputException e) {
      throw new IOException(e);
    }
  }

  private Path manifest(String keys, String... jobs) throws IOException {
    return Files.writeString(
        folder.resolve("jobs.json"),
        "{\"version\":1,\"keys\":[" + keys + "],\"jobs\":[" + String.join(",", jobs) + "]}");
  }

  private static String job(String name, String kind, String facts, String inputs) {
    return "{\"name\":\"%s\",\"kind\":\"%s\",\"sector_size\":2048,%s,%s}"
        .formatted(name, kind, facts, inputs);
  }

  private String window(String name, String more, int... sectors) throws IOException {
    List<String> inputs = new ArrayList<>();
    for (int sector : sectors) {
      inputs.add(reference("window-2KiB-sector-" + sector + ".bin", "post-sector-bincode"));
    }
    return job(
        name,
        "window-post",
        "\"registered_proof\":\"StackedDrgWindow2KiBV1_2\",\"randomness\":\""
            + RANDOMNESS
            + "\""
            + more,
        "\"inputs\":" + inputs);
  }

  private String winning(String name) throws IOException {
    return job(
        name,
        "winning-post",
        "\"registered_proof\":\"StackedDrgWinning2KiBV1\",\"randomness\":\"" + WINNING + "\"",
        "\"inputs\":[" + reference("winning-2KiB-sector-7.bin", "post-sector-bincode") + "]");
  }

  private String seal(String facts, String input, String format) throws IOException {
    return job(
        "seal",
        "porep",
        "\"registered_proof\":\"StackedDrg2KiBV1_1\"," + facts,
        "\"input\":" + reference(input, format));
  }

  private String update(String registered, int count) throws IOException {
    String input = reference("update-2KiB.bin", "partition-proof-bincode");
    return job(
        "update",
        "snap",
        "\"registered_proof\":\"%s\",\"comm_r_old\":\"%s\",\"comm_r_new\":\"%s\",\"comm_d_new\":\"%s\""
            .formatted(registered, COMM_R_OLD, COMM_R_NEW, COMM_D_NEW),
        "\"inputs\":" + Stream.generate(() -> input).limit(count).collect(Collectors.toList()));
  }

  private CommandRun pack(Path manifest, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("pack", manifest.toString(), "-o", folder.resolve("input.bin").toString()));
    arguments.addAll(Arrays.asList(more));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  private static void assertFails(int code, CommandRun run, String... words) {
    assertEquals(code, run.exitCode(), run.err());
    for (String word : words) {
      assertTrue(run.lastError().contains(word), run.err());
    }
  }

  @Test
  void shouldPackAllKindsWithoutParameters() throws Exception {
    Path manifest =
        manifest(
            "",
            seal(
                "\"miner_id\":\"f01001\",\"sector_number\":43",
                "porep-2KiB.c1.json",
                "c1-envelope"),
            update("StackedDrg2KiBV1", 1),
            window("window", "", 21, 7, 14),
            winning("winning"));
    CommandRun packed = pack(manifest);
    assertEquals(0, packed.exitCode(), packed.err());
    CommandRun inspected = CommandRun.of("inspect", folder.resolve("input.bin").toString());
    assertEquals(0, inspected.exitCode(), inspected.err());
    for (String kind : List.of("porep", "snap", "window-post", "winning-post")) {
      assertTrue(inspected.out().contains(kind), inspected.out());
    }
    String text =
        new String(Files.readAllBytes(folder.resolve("input.bin")), StandardCharsets.ISO_8859_1);
    for (String priority :
        List.of(
            "\"porep\",\"priority\":10",
            "\"snap\",\"priority\":20",
            "\"window-post\",\"priority\":30",
            "\"winning-post\",\"priority\":40")) {
      assertTrue(text.contains(priority), priority);
    }
    Path again = folder.resolve("again.bin");
    CommandRun repacked =
        CommandRun.of("pack", folder.resolve("input.bin").toString(), "-o", again.toString());
    assertEquals(0, repacked.exitCode(), repacked.err());
    assertArrayEquals(Files.readAllBytes(folder.resolve("input.bin")), Files.readAllBytes(again));
  }

  @Test
  void shouldPackWhatOptionsSay() throws Exception {
    Path container = folder.resolve("seal.bin");
    CommandRun unknown =
        CommandRun.of("pack", file("porep-2KiB.c1.bincode"), "-o", container.toString());
    assertFails(2, unknown, "Give --sector-number");
    assertFalse(Files.exists(container));
    CommandRun packed =
        CommandRun.of(
            "pack",
            file("porep-2KiB.c1.bincode"),
            "--miner-id",
            "t01001",
            "--sector-number",
            "43",
            "-o",
            container.toString());
    assertEquals(0, packed.exitCode(), packed.err());
    String text = new String(Files.readAllBytes(container), StandardCharsets.ISO_8859_1);
    assertTrue(text.contains("\"miner_id\":1001,\"sector_number\":43"));
    assertTrue(text.contains("\"registered_proof\":\"StackedDrg2KiBV1_1\""));
    assertTrue(text.contains("\"format\":\"c1-bincode\""));
    assertTrue(text.contains("\"priority\":10"));
    assertFalse(text.contains("\"key\":"));
  }

  @Test
  void shouldWarnWhereASealNamesNoMiner() throws Exception {
    CommandRun run =
        pack(manifest("", seal("\"sector_number\":43", "porep-2KiB.c1.bincode", "c1-bincode")));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.err().contains("replica_id came from the file"), run.err());
  }

  @Test
  void shouldNoteClearedBitsOfTheRandomness() throws Exception {
    String window = window("window", "", 7).replace(RANDOMNESS, RANDOMNESS.replaceAll("29$", "e9"));
    CommandRun run = pack(manifest("", window));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.err().contains("job \"window\": the top two bits"), run.err());
  }

  @Test
  void shouldRefuseFactsThatTheFileContradicts() throws Exception {
    assertFails(
        3,
        pack(
            manifest(
                "",
                seal(
                    "\"miner_id\":1002,\"sector_number\":43",
                    "porep-2KiB.c1.json",
                    "c1-envelope"))),
        "replica_id is not that of miner 1002");
    assertFails(
        3,
        pack(manifest("", seal("\"sector_number\":44", "porep-2KiB.c1.json", "c1-envelope"))),
        "job \"seal\": /jobs/0/sector_number: contradicts",
        "43");
    assertFails(
        3,
        pack(manifest("", seal("\"sector_number\":43", "porep-2KiB.c1.json", "c1-bincode"))),
        "not of the format that the manifest says",
        "c1-envelope");
    assertFails(
        3, pack(manifest("", update("StackedDrg8MiBV1", 1))), "/jobs/0/sector_size: contradicts");
    assertFails(
        3, pack(manifest("", update("StackedDrgWindow2KiBV1", 1))), "/jobs/0/registered_proof");
  }

  @Test
  void shouldRefuseWrongCounts() throws Exception {
    assertFails(3, pack(manifest("", update("StackedDrg2KiBV1", 2))), "partitions", "found 2");
    assertFails(3, pack(manifest("", window("window", "", 7, 7))), "sector 7 is there twice");
    String single = ",\"mode\":\"single\",\"partition_index\":1";
    assertFails(
        3, pack(manifest("", window("window", single, 7, 14, 21))), "at most 2 sectors (found 3)");
  }

  @ParameterizedTest
  @CsvSource({
    "--kind,porep,contradicts",
    "--kind,circom,contradicts",
    "--sector-size,8MiB,has 2048",
    "--registered-proof,StackedDrgWindow2KiBV1,StackedDrgWindow2KiBV1_2",
    "--randomness,00,contradicts",
    "--partition-index,0,has all partitions",
    "--miner-id,1001,is no fact of a window-post job"
  })
  void shouldRefuseOptionsThatContradictAJob(String option, String value, String words)
      throws Exception {
    assertFails(2, pack(manifest("", window("window", "", 7)), option, value), option, words);
  }

  @Test
  void shouldTakeOptionsThatSayTheSame() throws Exception {
    String base64 = Base64.getEncoder().encodeToString(HexFormat.of().parseHex(RANDOMNESS));
    CommandRun run =
        pack(
            manifest("", window("window", "", 7)),
            "--kind",
            "wpost",
            "--sector-size",
            "2KiB",
            "--registered-proof",
            "go:10",
            "--randomness",
            base64);
    assertEquals(0, run.exitCode(), run.err());
    CommandRun miner =
        pack(
            manifest("", seal("\"sector_number\":43", "porep-2KiB.c1.json", "c1-envelope")),
            "--miner-id",
            "1002");
    assertFails(3, miner, "replica_id is not that of miner 1002");
  }

  @Test
  void shouldRefuseFactsOfOtherKinds() {
    assertFails(
        2,
        CommandRun.of(
            "pack",
            file("porep-2KiB.c1.json"),
            "--randomness",
            RANDOMNESS,
            "-o",
            folder.resolve("input.bin").toString()),
        "--randomness: is no fact of a porep job");
  }

  // ---- with the reference's parameters

  private Path params() throws IOException {
    assumeTrue(Files.isDirectory(KEYS), "the reference's parameters are not here");
    TestFiles.requireCpuLibrary();
    try (Stream<Path> files = Files.list(KEYS)) {
      return files.filter(each -> each.toString().endsWith(".params")).findAny().orElseThrow();
    }
  }

  private CommandRun prove(String input, String out, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("prove", input, "--out", folder.resolve(out).toString()));
    arguments.addAll(List.of("--param-cache", KEYS.toString(), "--trust-params"));
    arguments.addAll(Arrays.asList(more));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  @Test
  void shouldProveAContainersWindowPostUnderItsOwnKey() throws Exception {
    Path key = Files.copy(params(), folder.resolve("window.params"));
    String keys =
        "{\"id\":\"w\",\"curve\":\"bls12-381\",\"vk\":"
            + reference("window-2KiB.vk", "vk-bellman")
            + ","
            + reference(key, "params").substring(1);
    Path manifest = manifest(keys, window("window", ",\"key\":\"w\"", 21, 7, 14));
    CommandRun packed = pack(manifest);
    assertEquals(0, packed.exitCode(), packed.err());
    CommandRun run =
        CommandRun.of(
            "prove",
            folder.resolve("input.bin").toString(),
            "--out",
            folder.resolve("out").toString());
    assertEquals(0, run.exitCode(), run.err());
    Path proof = folder.resolve("out/proofs/window.proof");
    assertEquals(2 * 192, Files.size(proof));
    assertEquals(
        Files.readString(Path.of(file("window-2KiB.public.json"))).replaceAll("\\s", ""),
        Files.readString(folder.resolve("out/proofs/window.public.json")).replaceAll("\\s", ""));
    CommandRun verified = CommandRun.of("verify", folder.resolve("out").toString());
    assertEquals(0, verified.exitCode(), verified.err());
  }

  @Test
  void shouldProveShardsAndResumeAndMergeThem() throws Exception {
    params();
    Path manifest =
        manifest(
            "",
            window("a", ",\"mode\":\"single\",\"partition_index\":0", 7, 14),
            window("b", ",\"mode\":\"single\",\"partition_index\":1", 21),
            window("d", ",\"mode\":\"chunk\"", 7, 14, 21));
    for (String shard : List.of("1/2", "2/2")) {
      CommandRun run = prove(manifest.toString(), "out", "--shard", shard);
      assertEquals(0, run.exitCode(), run.err());
    }
    CommandRun merged = CommandRun.of("merge", folder.resolve("out").toString());
    assertEquals(0, merged.exitCode(), merged.err());
    assertEquals(192, Files.size(folder.resolve("out/proofs/a.proof")));
    assertEquals(2 * 192, Files.size(folder.resolve("out/proofs/d.proof")));
    CommandRun verified = CommandRun.of("verify", folder.resolve("out").toString());
    assertEquals(0, verified.exitCode(), verified.err());
    Path report = folder.resolve("out/report.json");
    CommandRun resumed = prove(manifest.toString(), "out", "--resume");
    assertEquals(0, resumed.exitCode(), resumed.err());
    String text = Files.readString(report);
    assertTrue(text.contains("resumed"), text);
    assertFalse(text.contains("\"proved\" : 1"), text);
  }

  @Test
  void shouldPlanSeveralPartitions() throws Exception {
    params();
    CommandRun run =
        CommandRun.of(
            "plan",
            manifest("", window("d", "", 7, 14, 21)).toString(),
            "--param-cache",
            KEYS.toString(),
            "--trust-params",
            "--gpus",
            "none");
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("2"), run.out());
  }
}
