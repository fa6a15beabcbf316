package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cuzk.device.GpuInventory;
import dev.cuzk.format.RawBinfile;
import dev.cuzk.format.TestFiles;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of prove, and whole runs on the processor where its library has been built. */
class ProveCommandTest {
  private static final Path QUICKSTART = TestFiles.testdata("quickstart");
  private static final String KEY = QUICKSTART.resolve("circuit.zkey").toString();
  private static final String WITNESS = QUICKSTART.resolve("witness.wtns").toString();

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "prove | no INPUT given",
        "prove --kye k w.wtns | did you mean '--key'?",
        "prove k.zkey w.wtns | a proving key is given with --key k.zkey",
        "prove k.zkey w.wtns p q | prove --key k.zkey --proof p --public q w.wtns",
        "prove --gpus none k.zkey w.wtns p q -t 2 | --key k.zkey --proof p --public q w.wtns",
        "bench msm --size 2^4 --gpus none --tables yes | --tables yes is for bench prove",
        "bench prove --circuit chain-4 --gpus none --resident no | --resident no: keys are always",
        "prove --files-from l w.wtns | exclude each other",
        "prove --from0 w.wtns | --from0 needs --files-from",
        "prove --priority 100 w.wtns | --priority must be 0 to 99",
        "prove --kind plonk w.wtns | --kind must be one of",
        "prove --proof p w.wtns | --proof and --public belong together",
        "prove --proof - --public - w.wtns | cannot both be standard output",
        "prove --proof p --public q --out d w.wtns | --out and --proof exclude each other",
        "prove --proof - --public q --json w.wtns | exclude each other",
        "prove --proof p --public q --shard 1/2 w.wtns | --shard needs an output folder",
        "prove --gpus 0,,1 w.wtns | an entry is empty",
        "prove --gpus 0,0 w.wtns | '0' is repeated",
        "prove --gpus all,0 w.wtns | 'all' and 'none' stand alone",
        "prove --gpus first w.wtns | is neither an ordinal nor a UUID",
        "prove --jobs 0 w.wtns | --jobs must be at least 1",
        "prove --threads 0 w.wtns | --threads must be 1 to 4096",
        "prove --host-memory 20G w.wtns | 20GiB (21474836480 bytes) or 20GB (20000000000 bytes)",
        "prove --gpu-memory 0 w.wtns | --gpu-memory must be more than 0",
        "prove --time-limit 90 w.wtns | '90' has no unit: write 90s",
        "prove --job-timeout 0s w.wtns | --job-timeout must be more than 0",
        "prove --halt later w.wtns | --halt",
        "prove --format plonk w.wtns | --format must be",
        "prove --cpu-arithmetic gmp w.wtns | --cpu-arithmetic must be",
        "prove --shard 3/2 w.wtns | there is no shard 3 of 2",
        "prove --insecure-seed x w.wtns | --insecure-seed",
      })
  void shouldRefuseWithExitCode2AndOneLine(String arguments, String message) {
    CommandRun run = CommandRun.of(arguments.split(" "));
    assertEquals(2, run.exitCode(), run.err());
    assertTrue(run.lastError().contains(message), run.err());
    assertTrue(run.lastError().startsWith("cuzk: error: "), run.err());
    assertEquals("", run.out());
  }

  @Test
  void shouldNameTheVariableOfABadValue() {
    CommandRun run = CommandRun.with("CUZK_HOST_MEMORY", "20G").run("prove", "w.wtns");
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("(from environment variable CUZK_HOST_MEMORY)"), run.err());
  }

  @Test
  void shouldIgnoreVariablesOfOptionsThatMustBeTyped() {
    CommandRun run =
        CommandRun.with("CUZK_INSECURE_SEED", "1").and("CUZK_OVERWRITE", "1").run("prove");
    assertTrue(run.err().contains("CUZK_INSECURE_SEED is ignored"), run.err());
    assertTrue(run.err().contains("CUZK_OVERWRITE is ignored"), run.err());
  }

  @Test
  void shouldRefuseAProgressIntervalThatIsNone() {
    CommandRun run =
        CommandRun.with("CUZK_PROGRESS_SECONDS", "soon")
            .run("prove", "--gpus", "none", "--key", KEY, WITNESS, "--out", folder.toString());
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("CUZK_PROGRESS_SECONDS"), run.err());
  }

  @Test
  void shouldProveVerifyAndReport() throws IOException {
    TestFiles.requireCpuLibrary();
    Path out = folder.resolve("run");
    String proof = out.resolve("proofs/witness.proof.json").toString();
    CommandRun run =
        CommandRun.of("prove", "--gpus", "none", "--key", KEY, WITNESS, "--out", out.toString());
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(proof + "\n", run.out());
    assertFalse(run.err().contains("\u001b"), run.err());

    CommandRun verified = CommandRun.of("verify", out.toString());
    assertEquals(0, verified.exitCode(), verified.err());
    CommandRun report = CommandRun.of("report", out.toString());
    assertEquals(0, report.exitCode(), report.err());
    assertEquals(Files.readString(out.resolve("report.txt")), report.out());

    CommandRun again =
        CommandRun.of(
            "prove", "--gpus", "none", "--key", KEY, WITNESS, "--out", out.toString(), "--json");
    assertEquals(0, again.exitCode(), again.err());
    assertEquals("start", lines(again.out()).get(0).path("type").asText(), again.out());
    JsonNode job = lines(again.out()).get(1);
    assertEquals("resumed", job.path("status").asText(), again.out());
  }

  @Test
  void shouldKeepTheSeedOutOfTheReport() throws IOException {
    TestFiles.requireCpuLibrary();
    Path out = folder.resolve("run");
    CommandRun run =
        CommandRun.of(
            ("prove --gpus none --insecure-seed 987654321 --key " + KEY + " " + WITNESS)
                .concat(" --out " + out)
                .split(" "));
    assertEquals(0, run.exitCode(), run.err());
    assertTrue(run.err().contains("INSECURE"), run.err());
    for (String file : List.of("report.json", "report.txt", "journal.jsonl", "timeline.csv")) {
      assertFalse(Files.readString(out.resolve(file)).contains("987654321"), file);
    }
  }

  @Test
  void shouldWriteJsonLinesAsPromised() throws IOException {
    TestFiles.requireCpuLibrary();
    Path out = folder.resolve("run");
    CommandRun run =
        CommandRun.of(
            "prove", "--gpus", "none", "--key", KEY, WITNESS, "--json", "--out", out.toString());
    assertEquals(0, run.exitCode(), run.err());
    List<JsonNode> lines = lines(run.out());
    assertEquals("start", lines.get(0).path("type").asText());
    JsonNode job =
        lines.stream().filter(line -> line.path("type").asText().equals("job")).findFirst().get();
    assertEquals("proved", job.path("status").asText());
    assertEquals(0, job.path("exit_class").asInt(-1));
    assertEquals("witness", job.path("name").asText());
    assertEquals("circom", job.path("kind").asText());
    assertEquals(2, job.path("files").size());
    for (String name : List.of("queued", "synthesis", "prove", "verify", "write", "total")) {
      assertTrue(job.path("seconds").path(name).isNumber(), name);
    }
    for (String name : List.of("time", "seq", "public_count")) {
      assertTrue(job.path(name).isNumber(), name);
    }
    assertFalse(job.has("error"));
    JsonNode summary = lines.get(lines.size() - 1);
    assertEquals("summary", summary.path("type").asText());
    assertEquals(0, summary.path("exit_code").asInt(-1));
    assertEquals(1, summary.path("proved").asInt());
  }

  @Test
  void shouldWriteAProofToStandardOutput() throws IOException {
    TestFiles.requireCpuLibrary();
    Path signals = folder.resolve("public.json");
    CommandRun run =
        CommandRun.of(
            "prove",
            "--gpus",
            "none",
            "--key",
            KEY,
            WITNESS,
            "--proof",
            "-",
            "--public",
            signals.toString());
    assertEquals(0, run.exitCode(), run.err());
    Path proof = Files.writeString(folder.resolve("proof.json"), run.out());
    CommandRun verified =
        CommandRun.of("verify", signals.toString(), KEY, proof.toString(), "--json");
    assertEquals(0, verified.exitCode(), verified.err());
    assertTrue(new ObjectMapper().readTree(verified.out()).path("valid").asBoolean());
    JsonNode first = new ObjectMapper().readTree(signals.toFile()).get(0);
    Path forged =
        Files.writeString(
            folder.resolve("forged.json"),
            Files.readString(signals)
                .replace(first.asText(), new BigInteger(first.asText()).flipBit(0).toString()));
    CommandRun refused = CommandRun.of("verify", "--vk", KEY, proof.toString(), forged.toString());
    assertEquals(1, refused.exitCode(), refused.err());
    assertTrue(refused.err().contains("the proof is not valid"), refused.err());
  }

  @Test
  void shouldWarnOfATestKeyInVerify() throws IOException {
    TestFiles.requireCpuLibrary();
    String key = folder.resolve("test.zkey").toString();
    CommandRun made =
        CommandRun.of("setup", "--insecure-test-only", "--circuit", "chain-4", "-o", key);
    assertEquals(0, made.exitCode(), made.err());
    String proof = folder.resolve("p.json").toString();
    String signals = folder.resolve("s.json").toString();
    CommandRun run =
        CommandRun.of(
            ("prove --gpus none --key " + KEY + " " + WITNESS)
                .concat(" --proof " + proof + " --public " + signals)
                .split(" "));
    assertEquals(0, run.exitCode(), run.err());
    CommandRun warned = CommandRun.of("verify", "--vk", key, proof, signals);
    assertTrue(warned.err().contains("warning: " + key + ": the key is a one-party"), warned.err());
    CommandRun refused = CommandRun.of("verify", "--strict", "--vk", key, proof, signals);
    assertEquals(3, refused.exitCode());
    assertTrue(refused.err().contains("one-party test key"), refused.err());
  }

  @Test
  void shouldGoOnAndEndWith9WhenNobodyReadsTheResults() throws IOException {
    TestFiles.requireCpuLibrary();
    Path out = folder.resolve("run");
    CommandRun run =
        new CommandRun.Setup()
            .closedOutput()
            .run("prove", "--gpus", "none", "--key", KEY, WITNESS, "--out", out.toString());
    assertEquals(9, run.exitCode(), run.err());
    assertTrue(Files.exists(out.resolve("proofs/witness.proof.json")));
  }

  @Test
  void shouldWarnLoudlyOfAFixedSeedAndRepeatItself() throws IOException {
    TestFiles.requireCpuLibrary();
    List<String> proofs = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      CommandRun run =
          CommandRun.of(
              "prove",
              "--gpus",
              "none",
              "--key",
              KEY,
              WITNESS,
              "--proof",
              folder.resolve(name).toString(),
              "--public",
              folder.resolve("p").toString(),
              "--insecure-seed",
              "7",
              "--quiet");
      assertEquals(0, run.exitCode(), run.err());
      assertTrue(run.err().contains("warning: INSECURE"), run.err());
      proofs.add(Files.readString(folder.resolve(name)));
    }
    assertEquals(proofs.get(0), proofs.get(1));
  }

  @Test
  void shouldEndWith9WhenTheFolderCannotBeMade() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    CommandRun run =
        CommandRun.of("prove", "--gpus", "none", "--key", KEY, WITNESS, "--out", file + "/run");
    assertEquals(9, run.exitCode(), run.err());
  }

  @Test
  void shouldRefuseAWitnessOfAnotherCircuitBeforeAnyWork() throws IOException {
    Path broken = folder.resolve("w.wtns");
    Files.write(broken, java.util.Arrays.copyOf(Files.readAllBytes(Path.of(WITNESS)), 1000));
    Path out = folder.resolve("run");
    CommandRun run =
        CommandRun.of(
            "prove", "--gpus", "none", "--key", KEY, broken.toString(), "--out", out.toString());
    assertEquals(3, run.exitCode(), run.err());
    assertFalse(Files.exists(out.resolve("proofs/w.proof.json")));
    assertTrue(run.err().contains("w.wtns"), run.err());
  }

  /** The key with a domain of 2^24 rows: its H query has no bytes on the disk. */
  private String keyOfALargeDomain() throws IOException {
    int header = 2;
    int domainSize = 80;
    int queryH = 9;
    byte[] rest =
        RawBinfile.parse(Files.readAllBytes(Path.of(KEY)))
            .edit(header, section -> section.putInt(domainSize, 1 << 24))
            .map(
                sections -> {
                  sections.removeIf(section -> section.id() == queryH);
                  sections.add(new RawBinfile.RawSection(queryH, new byte[0]));
                })
            .bytes();
    Path key = folder.resolve("large.zkey");
    try (FileChannel file =
        FileChannel.open(key, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(rest));
      long length = (1L << 24) * 64;
      file.write(ByteBuffer.wrap(RawBinfile.u64(length)), rest.length - 8);
      file.write(ByteBuffer.allocate(1), rest.length + length - 1);
    }
    return key.toString();
  }

  @Test
  void shouldNotUseTheCpuUnaskedForALargeDomainWhereverItsKeyIsNamed() throws Exception {
    TestFiles.requireCpuLibrary();
    GpuInventory inventory = GpuInventory.find();
    assumeTrue(
        inventory.gpus().isEmpty() && (!inventory.hardware() || inventory.hiddenOnPurpose()),
        "for machines without a GPU");
    String key = keyOfALargeDomain();
    String out = folder.resolve("run").toString();
    CommandRun byOption = CommandRun.of("prove", "--key", key, WITNESS, "--out", out);
    assertEquals(5, byOption.exitCode(), byOption.err());
    Path manifest =
        Files.writeString(
            folder.resolve("jobs.json"),
            """
            {"version":1,"keys":[{"id":"k","curve":"bn254","format":"zkey","path":"%s","bytes":%d}],
             "programs":[],"jobs":[{"name":"large","kind":"circom","key":"k","witness":
             {"path":"%s","format":"wtns","bytes":%d,"sha256":"%s"}}]}\
            """
                .formatted(
                    key,
                    Files.size(Path.of(key)),
                    WITNESS,
                    Files.size(Path.of(WITNESS)),
                    HexFormat.of()
                        .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                .digest(Files.readAllBytes(Path.of(WITNESS))))));
    CommandRun inContainer =
        CommandRun.of("prove", "--allow-outside", manifest.toString(), "--out", out);
    assertEquals(5, inContainer.exitCode(), inContainer.err());
    assertTrue(inContainer.err().contains("--gpus none"), inContainer.err());
    CommandRun inList =
        new CommandRun.Setup()
            .input(manifest + "\n" + WITNESS + "\n")
            .run("prove", "--allow-outside", "--key", KEY, "--files-from", "-", "--out", out);
    assertEquals(12, inList.exitCode(), inList.err());
    assertTrue(inList.err().contains("large.zkey: "), inList.err());
    assertTrue(inList.err().contains("a domain of 2^24 takes very long"), inList.err());
    assertTrue(Files.exists(folder.resolve("run/proofs/witness.proof.json")));
    assertFalse(Files.exists(folder.resolve("run/proofs/large.proof.json")));
  }

  private static List<JsonNode> lines(String out) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : out.split("\n")) {
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }
}
