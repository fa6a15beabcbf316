package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cuzk.format.TestFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilecoinCommandsTest {
  private static final String RANDOMNESS =
      "36a75b1bc2b41ea73e9d93e057097c4e444945f8030b00d43531fe029b98e729";

  @TempDir Path folder;

  private static String file(String name) {
    return TestFiles.testdata("filecoin/" + name).toString();
  }

  private static CommandRun seal(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "verify", "--vk", file("porep-2KiB.vk"), "--input", file("porep-2KiB.c1.json")));
    arguments.addAll(Arrays.asList(more));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  private static CommandRun window(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("verify", "--vk", file("window-2KiB.vk"), "--kind", "window-post"));
    for (int sector : new int[] {21, 7, 14}) {
      arguments.add("--input");
      arguments.add(file("window-2KiB-sector-" + sector + ".bin"));
    }
    arguments.addAll(Arrays.asList(more));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  private static void assertFails(int code, CommandRun run, String... words) {
    assertEquals(code, run.exitCode(), run.err());
    for (String word : words) {
      assertTrue(run.err().contains(word), run.err());
    }
  }

  @Test
  void shouldVerifyASealAgainstItsC1Output() {
    CommandRun run = seal("--miner-id", "f01001", file("porep-2KiB.proof"));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("valid (porep-2KiB, 1 partition)"), run.out());
    assertEquals("", run.err());
  }

  @Test
  void shouldCheckTheAssignmentsOfAJob() {
    CommandRun run =
        CommandRun.of("check", "--input", file("porep-2KiB.c1.json"), "--miner-id", "1001");
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("partition 0: satisfies all 2687921 constraints"), run.out());
    List<String> window =
        new ArrayList<>(
            List.of(
                "check",
                "--kind",
                "window-post",
                "--sector-size",
                "2KiB",
                "--registered-proof",
                "StackedDrgWindow2KiBV1_2",
                "--randomness",
                RANDOMNESS));
    for (int sector : new int[] {21, 7, 14}) {
      window.addAll(List.of("--input", file("window-2KiB-sector-" + sector + ".bin")));
    }
    run = CommandRun.of(window.toArray(String[]::new));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("partition 1: satisfies all"), run.out());
    window.addAll(List.of("--partition-index", "x"));
    assertFails(2, CommandRun.of(window.toArray(String[]::new)), "--partition-index");
  }

  @Test
  void shouldCheckOneThingAtATime() {
    String c1 = file("porep-2KiB.c1.json");
    assertFails(2, CommandRun.of("check"), "--r1cs FILE, --circuit NAME and --input FILE");
    assertFails(
        2,
        CommandRun.of("check", "--circuit", "porep-2KiB", "--input", c1),
        "--r1cs FILE, --circuit NAME and --input FILE");
    assertFails(2, CommandRun.of("check", "--input", c1, "some.wtns"), "leave WITNESS out");
    assertFails(3, CommandRun.of("check", "--input", c1, "--miner-id", "1002"), "replica_id");
  }

  @Test
  void shouldVerifyAProofAgainstItsPublicInputs() {
    CommandRun run =
        CommandRun.of(
            "verify",
            file("window-2KiB.vk"),
            file("window-2KiB.public.json"),
            file("window-2KiB.proof"));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("valid (2 partitions)"), run.out());
    assertFails(
        1,
        CommandRun.of(
            "verify",
            "--vk",
            file("window-2KiB.vk"),
            file("window-2KiB.mauled.proof"),
            file("window-2KiB.public.json")),
        "the proof of partition 0 is not valid");
    assertFails(
        2,
        CommandRun.of("verify", "--vk", file("window-2KiB.vk"), file("window-2KiB.proof")),
        "NAME.public.json");
  }

  @Test
  void shouldVerifyOnePartition() {
    CommandRun run = seal("--miner-id", "1001", "--partition-index", "0", file("porep-2KiB.proof"));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("valid (porep-2KiB, 1 partition)"), run.out());
    assertFails(
        2,
        seal("--miner-id", "1001", "--partition-index", "1", file("porep-2KiB.proof")),
        "--partition-index: expected a number below 1, the partitions of porep-2KiB");
    assertFails(
        2,
        seal("--miner-id", "1001", "--partition-index", "x", file("porep-2KiB.proof")),
        "--partition-index: expected a number");
  }

  @Test
  void shouldRefusePartitionsWhereTheyMeanNothing() {
    String target = folder.resolve("input.bin").toString();
    assertFails(
        2,
        CommandRun.of(
            "pack",
            "--kind",
            "winning-post",
            "--sector-size",
            "2KiB",
            "--randomness",
            RANDOMNESS,
            "--partition-index",
            "0",
            file("winning-2KiB-sector-7.bin"),
            "-o",
            target),
        "--partition-index: is no fact of a winning-post job, which has one partition");
    assertFails(
        2,
        CommandRun.of("pack", "--partition-index", "0", file("porep-2KiB.c1.json"), "-o", target),
        "--partition-index: a container holds all partitions of a porep job");
    assertFails(
        2,
        window(
            "--registered-proof",
            "go:10",
            "--randomness",
            RANDOMNESS,
            "--partition-index",
            "4294967296",
            file("window-2KiB.proof")),
        "--partition-index: expected a number up to 1048576");
  }

  @ParameterizedTest
  @CsvSource({
    "StackedDrg2KiBV1_1_Feat_SyntheticPoRep",
    "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep",
  })
  void shouldRefuseSealsOfOtherKindsByName(String proof) throws IOException {
    Path c1 = folder.resolve("c1.json");
    String inner = innerC1().replace("\"StackedDrg2KiBV1_1\"", "\"" + proof + "\"");
    assertTrue(inner.contains(proof), "the replacement");
    Files.writeString(c1, inner);
    for (String command : List.of("prove", "plan")) {
      CommandRun run =
          CommandRun.of(command, c1.toString(), "--out", folder.resolve("out").toString());
      assertFails(3, run, "does not prove seals of type " + proof, "expected version V1 or V1_1");
    }
    CommandRun inspected = CommandRun.of("inspect", "--strict", c1.toString());
    assertFails(3, inspected, "does not prove seals of type " + proof);
  }

  /** In WindowPoSts of the first version a challenge depends on the sector's place among all. */
  @Test
  void shouldVerifyPartitionsOfTheFirstVersion() throws IOException {
    Path vectors = TestFiles.shared("filecoin/vectors-2k/post/window-v1-3-sectors");
    assumeTrue(Files.isDirectory(vectors), "the reference's vectors are not here");
    String randomness =
        new ObjectMapper()
            .readTree(vectors.resolve("case.json").toFile())
            .get("randomness")
            .asText();
    byte[] proofs = Files.readAllBytes(vectors.resolve("post.proof.bin"));
    Path second =
        Files.write(folder.resolve("second.proof"), Arrays.copyOfRange(proofs, 192, 2 * 192));
    List<String> arguments =
        new ArrayList<>(List.of("verify", "--vk", file("window-2KiB.vk"), "--kind", "window-post"));
    arguments.addAll(List.of("--registered-proof", "go:5", "--randomness", randomness));
    arguments.addAll(List.of("--input", vectors.resolve("vanilla-sector-21.bin").toString()));
    arguments.add(second.toString());
    assertFails(
        3, CommandRun.of(arguments.toArray(String[]::new)), "partition 0, sector 21, challenge 0");
    arguments.addAll(List.of("--partition-index", "1"));
    CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
    assertEquals(0, run.exitCode(), run.err());
  }

  private Path array(String name, String... files) throws IOException {
    List<String> elements = new ArrayList<>();
    for (String each : files) {
      byte[] bytes = Files.readAllBytes(Path.of(file(each)));
      elements.add('"' + Base64.getEncoder().encodeToString(bytes) + '"');
    }
    return Files.writeString(folder.resolve(name), elements.toString());
  }

  @Test
  void shouldVerifyAgainstAnArrayOfSectors() throws IOException {
    Path array =
        array(
            "vanilla.json",
            "window-2KiB-sector-14.bin",
            "window-2KiB-sector-21.bin",
            "window-2KiB-sector-7.bin");
    String[] arguments = {
      "verify",
      "--vk",
      file("window-2KiB.vk"),
      "--kind",
      "wpost",
      "--registered-proof",
      "go:10",
      "--randomness",
      RANDOMNESS,
      "--input",
      array.toString(),
      file("window-2KiB.proof")
    };
    CommandRun run = CommandRun.of(arguments);
    assertEquals(0, run.exitCode(), run.err());
    String text = Files.readString(array);
    Files.writeString(array, text.substring(0, text.length() - 100) + "?" + text.substring(1));
    assertFails(3, CommandRun.of(arguments), "vanilla.json");
  }

  @Test
  void shouldTakeCommitmentsAsCidsAndArraysOfPartitions() throws IOException {
    String[] arguments = {
      "pack",
      "--kind",
      "update",
      "--sector-size",
      "2KiB",
      "--comm-r-old",
      "bagboea4b5abcauavnat67g7zmumfektbbgauhtaq23vodhrcgi3jyuhla3a3tyie",
      "--comm-r-new",
      "bagboea4b5abca7ippib44ij4qgqgpoa6mdyj33odrdtorv6rstnwlbzvsxonswzz",
      "--comm-d-new",
      "baga6ea4seaqfiies24yacbzlsbzxn42hrybyvi6ynowkh2m7yjy73tmwsiw7ggq",
      array("update.json", "update-2KiB.bin").toString(),
      "-o",
      folder.resolve("input.bin").toString()
    };
    CommandRun run = CommandRun.of(arguments);
    assertEquals(0, run.exitCode(), run.err());
    String old = arguments[6];
    arguments[6] = arguments[8];
    assertFails(3, CommandRun.of(arguments), "comm_r_old is not the hash of comm_c");
    arguments[6] = old;
    arguments[8] = "0".repeat(64);
    assertFails(3, CommandRun.of(arguments), "comm_r_new");
    arguments[8] = "f".repeat(64);
    assertFails(3, CommandRun.of(arguments), "comm_r_new");
    arguments[8] = "bagboea4b5abca7ippib44ij4qgqgpoa6mdyj33odrdtorv6rstnwlbzvsxonswz";
    assertFails(2, CommandRun.of(arguments), "--comm-r-new: expected 64 hex digits");
  }

  /** Bincode has no magic, and operators name it as they like. */
  @ParameterizedTest
  @CsvSource({
    "porep-2KiB.c1.bincode, seal.bin, 2, does not say the sector's number",
    "porep-2KiB.c1.bincode, seal.wtns, 2, does not say the sector's number",
    "porep-2KiB.c1.json, seal.c1, 0, ''",
    "update-2KiB.bin, update.bin, 2, Give --sector-size",
    "window-2KiB-sector-7.bin, sector.bin, 2, 'Say --kind snap, window-post or winning-post'",
  })
  void shouldTellVanillaProofsByContentWhateverTheirName(
      String source, String name, int code, String message) throws IOException {
    Path copy = Files.copy(Path.of(file(source)), folder.resolve(name));
    CommandRun run =
        CommandRun.of("pack", copy.toString(), "-o", folder.resolve("packed").toString());
    assertFails(code, run, message);
  }

  private static String innerC1() throws IOException {
    JsonNode envelope =
        new ObjectMapper().readTree(Files.readAllBytes(Path.of(file("porep-2KiB.c1.json"))));
    return new String(
        Base64.getDecoder().decode(envelope.get("Phase1Out").asText()), StandardCharsets.UTF_8);
  }

  @Test
  void shouldWarnWithoutAMiner() {
    CommandRun run = seal(file("porep-2KiB.proof"));
    assertEquals(0, run.exitCode());
    assertTrue(run.err().contains("replica_id came from the file"), run.err());
  }

  @Test
  void shouldRefuseAnotherMinerOrSector() {
    assertFails(3, seal("--miner-id", "1002", file("porep-2KiB.proof")), "miner 1002");
    assertFails(
        2,
        seal("--miner-id", "1001", "--sector-number", "44", file("porep-2KiB.proof")),
        "--sector-number",
        "43");
    assertFails(2, seal("--miner-id", "x1", file("porep-2KiB.proof")), "--miner-id");
    assertFails(2, seal("--sector-size", "8MiB", file("porep-2KiB.proof")), "--sector-size");
  }

  @Test
  void shouldNeedTheSectorNumberThatBincodeDoesNotHold() {
    String[] arguments = {
      "verify",
      "--vk",
      file("porep-2KiB.vk"),
      "--input",
      file("porep-2KiB.c1.bincode"),
      "--miner-id",
      "1001",
      file("porep-2KiB.proof"),
    };
    assertFails(2, CommandRun.of(arguments), "--sector-number");
    arguments = Arrays.copyOf(arguments, arguments.length + 2);
    arguments[8] = "--sector-number";
    arguments[9] = "43";
    assertEquals(0, CommandRun.of(arguments).exitCode());
  }

  @Test
  void shouldVerifyAllPartitionsOfAWindowPost() {
    CommandRun run =
        window(
            "--registered-proof",
            "StackedDrgWindow2KiBV1_2",
            "--randomness",
            RANDOMNESS,
            file("window-2KiB.proof"));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains("window-2KiB, 2 partitions"), run.out());
  }

  @Test
  void shouldNameTheBadPartition() {
    CommandRun run =
        window(
            "--registered-proof",
            "go:10",
            "--randomness",
            RANDOMNESS,
            file("window-2KiB.mauled.proof"));
    assertFails(1, run, "partition 0 is not valid");
    assertTrue(!run.err().contains("partition 1"), run.err());
  }

  @Test
  void shouldNameTheOptionOfAMissingFact() {
    assertFails(
        2, window("--randomness", RANDOMNESS, file("window-2KiB.proof")), "--registered-proof");
    assertFails(
        2, window("--registered-proof", "go:10", file("window-2KiB.proof")), "--randomness");
    assertFails(
        2,
        CommandRun.of(
            "verify",
            "--vk",
            file("window-2KiB.vk"),
            "--input",
            file("window-2KiB-sector-7.bin"),
            file("window-2KiB.proof")),
        "--kind");
  }

  @Test
  void shouldRefuseProofsThatAreMalformed() throws IOException {
    Path bad = folder.resolve("bad.proof");
    Files.write(bad, Arrays.copyOf(Files.readAllBytes(Path.of(file("porep-2KiB.proof"))), 191));
    assertFails(3, seal("--miner-id", "1001", bad.toString()), "multiple of 192", "191");
    Files.write(bad, Files.readAllBytes(Path.of(file("window-2KiB.proof"))));
    assertFails(3, seal("--miner-id", "1001", bad.toString()), "another number of proofs");
  }

  @Test
  void shouldFindTheNetworksKeyByItsNameAndCompareItsDigest() throws IOException {
    CommandRun absent =
        CommandRun.of(
            "verify",
            "--input",
            file("porep-2KiB.c1.json"),
            "--param-cache",
            folder.toString(),
            file("porep-2KiB.proof"));
    assertFails(3, absent, "parameters of porep-2KiB are not there", "--param-cache");
    String name =
        "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
            + "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f.vk";
    Files.copy(Path.of(file("porep-2KiB.vk")), folder.resolve(name));
    String[] arguments = {
      "verify",
      "--input",
      file("porep-2KiB.c1.json"),
      "--param-cache",
      folder.toString(),
      "--miner-id",
      "1001",
      file("porep-2KiB.proof"),
    };
    assertFails(3, CommandRun.of(arguments), "published", "dc1ade9929ade1708238f155343044ac");
    arguments = Arrays.copyOf(arguments, arguments.length + 1);
    arguments[8] = "--trust-params";
    assertEquals(0, CommandRun.of(arguments).exitCode());
  }

  @ParameterizedTest
  @CsvSource({
    "window-2KiB.vk, verifying key (.vk), public inputs: 22",
    "porep-2KiB.c1.json, C1 output of a seal, sector number: 43",
    "porep-2KiB.c1.bincode, C1 output of a seal, registered proof: StackedDrg2KiBV1_1",
    "window-2KiB-sector-7.bin, vanilla PoSt proof of a sector, challenges: 10",
    "update-2KiB.bin, vanilla update proof of a partition, apex leaves: 8",
    "window-2KiB.proof, proof (192 bytes a partition), partitions: 2",
  })
  void shouldInspectFilecoinsFiles(String name, String kind, String fact) {
    CommandRun run = CommandRun.of("inspect", file(name));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.out().contains(kind), run.out());
    assertTrue(run.out().contains(fact), run.out());
  }

  @Test
  void shouldExportAVerifyingKeyAsBellmanHasIt() throws IOException {
    Path out = folder.resolve("out.vk");
    assertEquals(
        0, CommandRun.of("export", "vk", file("window-2KiB.vk"), "-o", out.toString()).exitCode());
    assertArrayEquals(Files.readAllBytes(Path.of(file("window-2KiB.vk"))), Files.readAllBytes(out));
    Path json = folder.resolve("vk.json");
    assertEquals(
        0, CommandRun.of("export", "vk", file("window-2KiB.vk"), "-o", json.toString()).exitCode());
    assertFails(
        3,
        CommandRun.of("export", "vk", json.toString(), "-o", out.toString()),
        "beta and delta in G1");
    String zkey = TestFiles.testdata("quickstart/circuit.zkey").toString();
    assertFails(3, CommandRun.of("export", "vk", zkey, "-o", out.toString()), "bls12-381 alone");
  }
}
