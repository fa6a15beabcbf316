package dev.cuzk.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.Progress;
import dev.cuzk.format.TestFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobSourcesTest {
  @TempDir Path folder;

  private Path out;
  private BatchTesting.Heard heard;
  private final FakeEngine engine = new FakeEngine();

  @BeforeEach
  void setUp() {
    out = folder.resolve("out");
  }

  private int run(BatchOptions.Builder options) {
    heard = new BatchTesting.Heard();
    return new BatchRunner(options.build(), engine, heard).run();
  }

  private BatchOptions.Builder without(String... inputs) {
    return BatchTesting.options(out, List.of(inputs)).key(null);
  }

  private static String reference(Path file, String format) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    return "{\"path\":\""
        + file.getFileName()
        + "\",\"format\":\""
        + format
        + "\",\"bytes\":"
        + bytes.length
        + ",\"sha256\":\""
        + Digests.of(bytes)
        + "\"}";
  }

  private Path manifest(String jobs) throws IOException {
    Path key = folder.resolve("circuit.zkey");
    Files.copy(BatchTesting.key(), key, StandardCopyOption.REPLACE_EXISTING);
    String text =
        "{\"version\":1,\"keys\":[{\"id\":\"k\",\"curve\":\"bn254\","
            + reference(key, "zkey").substring(1)
            + "],\"programs\":[],\"jobs\":["
            + jobs
            + "]}";
    return Files.writeString(folder.resolve("jobs.json"), text);
  }

  private String witnessJob(String name, int number) throws IOException {
    Path witness = BatchTesting.witness(folder.resolve(name + ".wtns"), number);
    return "{\"name\":\""
        + name
        + "\",\"kind\":\"circom\",\"priority\":"
        + number
        + ",\"key\":\"k\",\"witness\":"
        + reference(witness, "wtns")
        + "}";
  }

  @Test
  void shouldProveAManifestAndTheContainerPackedFromIt() throws Exception {
    Path jobs = manifest(witnessJob("a", 1) + "," + witnessJob("b", 2));
    List<Integer> priorities = new ArrayList<>();
    engine.onSubmit = job -> priorities.add(job.priority());
    assertEquals(0, run(without(jobs.toString())), () -> heard.errors.toString());
    assertEquals(List.of("a", "b"), engine.proved);
    assertEquals(List.of(1, 2), priorities);

    Path container = folder.resolve("input.bin");
    int packed =
        new Pack(without(jobs.toString()).build(), line -> {}, Reading.UNHEARD, Progress.NONE)
            .write(container);
    assertEquals(2, packed);
    Path moved = Files.createDirectory(folder.resolve("elsewhere")).resolve("input.bin");
    Files.move(container, moved);
    out = folder.resolve("out2");
    assertEquals(0, run(without(moved.toString())), () -> heard.errors.toString());
    for (String name : List.of("a", "b")) {
      String file = "proofs/" + name + ".proof.json";
      assertEquals(
          Files.readString(folder.resolve("out").resolve(file)),
          Files.readString(out.resolve(file)));
    }
  }

  @Test
  void shouldPackBareInputsUnderTheNamesThatProveGivesThem() throws Exception {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 2);
    Path container = folder.resolve("c.bin");
    new Pack(BatchTesting.options(out, inputs).build(), line -> {}, Reading.UNHEARD, Progress.NONE)
        .write(container);
    assertEquals(0, run(without(container.toString())), () -> heard.errors.toString());
    assertEquals(List.of("w0", "w1"), engine.proved);
  }

  @Test
  void shouldReadAManifestFromStandardInput() throws Exception {
    Path jobs = manifest(witnessJob("a", 1));
    String absolute = Files.readString(jobs).replace("\"path\":\"", "\"path\":\"" + folder + "/");
    assertEquals(
        0,
        run(
            without("-")
                .allowOutside(true)
                .standardInput(
                    new ByteArrayInputStream(absolute.getBytes(StandardCharsets.UTF_8)))),
        () -> heard.errors.toString());
    assertEquals(List.of("a"), engine.proved);
  }

  @Test
  void shouldReadAContainerFromStandardInputAndKeepNoCopy() throws Exception {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 2);
    Path container = folder.resolve("c.bin");
    new Pack(BatchTesting.options(out, inputs).build(), line -> {}, Reading.UNHEARD, Progress.NONE)
        .write(container);
    assertEquals(
        0,
        run(without("-").standardInput(Files.newInputStream(container))),
        () -> heard.errors.toString());
    assertEquals(List.of("w0", "w1"), engine.proved);
    try (var left = Files.list(out)) {
      assertTrue(left.noneMatch(file -> file.toString().endsWith(".cuzk-part")));
    }
  }

  @Test
  void shouldWriteNothingForABrokenContainerFromStandardInput() throws Exception {
    byte[] broken = {'c', 'u', 'z', 'k', 1, 0, 0, 0, 9, 0, 0, 0};
    assertEquals(3, run(without("-").standardInput(new ByteArrayInputStream(broken))));
    assertFalse(Files.exists(out));
    assertTrue(heard.errors.toString().contains("standard input"), () -> heard.errors.toString());
  }

  @Test
  void shouldReadAWitnessFromStandardInput() throws Exception {
    assertEquals(
        0,
        run(
            BatchTesting.options(out, List.of("-"))
                .standardInput(Files.newInputStream(BatchTesting.witness()))),
        () -> heard.errors.toString());
    assertTrue(Files.exists(out.resolve("proofs/stdin.proof.json")));
  }

  @Test
  void shouldFailTheJobWhoseBytesAreNotWhatTheManifestSays() throws Exception {
    Path jobs = manifest(witnessJob("a", 1) + "," + witnessJob("b", 2));
    BatchTesting.witness(folder.resolve("b.wtns"), 3);
    assertEquals(8, run(without(jobs.toString())));
    assertEquals(List.of("a"), engine.proved);
    assertTrue(heard.firstError().contains("sha256"), heard.firstError());
  }

  @Test
  void shouldRefuseAKeyWhoseBytesAreNotWhatTheManifestSays() throws Exception {
    Path jobs = manifest(witnessJob("a", 1));
    Path key = folder.resolve("circuit.zkey");
    byte[] bytes = Files.readAllBytes(key);
    bytes[bytes.length - 1] ^= 1;
    Files.write(key, bytes);
    assertEquals(3, run(without(jobs.toString())));
    assertEquals(0, engine.starts);
  }

  @Test
  void shouldRefuseOptionsThatContradictAManifest() throws Exception {
    Path jobs = manifest(witnessJob("a", 1));
    assertEquals(2, run(without(jobs.toString()).key(BatchTesting.key())));
    assertTrue(heard.firstError().contains("--key"));
    assertEquals(0, run(without(jobs.toString()).key(folder.resolve("circuit.zkey"))));
  }

  @Test
  void shouldRefuseASealWhoseFileIsNone() throws Exception {
    Path input = Files.writeString(folder.resolve("c1.json"), "{}");
    Path jobs =
        manifest(
            "{\"name\":\"s\",\"kind\":\"porep\",\"sector_size\":2048,"
                + "\"registered_proof\":\"go:5\",\"sector_number\":1,\"input\":"
                + reference(input, "c1-envelope")
                + "}");
    assertEquals(3, run(without(jobs.toString())));
    assertTrue(heard.firstError().contains("found no vanilla proofs"), heard.firstError());
    assertEquals(1, heard.errors.size());
  }

  @Test
  void shouldRefuseANameThatTwoInputsShare() throws Exception {
    Path jobs = manifest(witnessJob("w0", 1));
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 1);
    assertEquals(2, run(BatchTesting.options(out, List.of(jobs.toString(), inputs.get(0)))));
    assertTrue(heard.firstError().contains("twice"));
  }

  @Test
  void shouldRefuseBrokenJson() throws Exception {
    Path broken = Files.writeString(folder.resolve("x.json"), "{a: [1, }");
    assertEquals(3, run(BatchTesting.options(out, List.of(broken.toString()))));
    assertTrue(heard.firstError().contains("line 1"), heard.firstError());
    assertFalse(Files.exists(out));
  }

  @Test
  void shouldProveCircomInputsAsTheirWitnesses() throws Exception {
    Path sample = TestFiles.sample("multiplier-bn128");
    BatchOptions.Builder options =
        BatchTesting.options(out, List.of(sample.resolve("input_1.json").toString()))
            .key(sample.resolve("circuit.snarkjs.zkey"))
            .wasm(sample.resolve("circuit.wasm"))
            .verifyingKey(sample.resolve("vkey.snarkjs.json"))
            .constraints(sample.resolve("circuit.r1cs"));
    assertEquals(0, run(options), () -> heard.errors.toString());
    Path witnessOut = folder.resolve("out2");
    Path firstOut = out;
    out = witnessOut;
    assertEquals(
        0,
        run(
            BatchTesting.options(out, List.of(sample.resolve("witness_1.wtns").toString()))
                .key(sample.resolve("circuit.snarkjs.zkey"))));
    for (String kind : List.of(".proof.json", ".public.json")) {
      assertEquals(
          Files.readString(firstOut.resolve("proofs/input_1" + kind)),
          Files.readString(witnessOut.resolve("proofs/witness_1" + kind)));
    }
  }

  @Test
  void shouldNameTheConstraintThatAWitnessBreaks() throws Exception {
    Path sample = TestFiles.sample("multiplier-bn128");
    byte[] bytes = Files.readAllBytes(sample.resolve("witness_0.wtns"));
    bytes[bytes.length - 32] ^= 1;
    Path witness = Files.write(folder.resolve("bad.wtns"), bytes);
    BatchOptions.Builder options =
        BatchTesting.options(out, List.of(witness.toString()))
            .key(sample.resolve("circuit.snarkjs.zkey"))
            .constraints(sample.resolve("circuit.r1cs"));
    assertEquals(4, run(options));
    assertTrue(heard.firstError().contains("constraint "), heard.firstError());
  }

  @Test
  void shouldRefuseSharedFilesOfAnotherCircuit() throws Exception {
    Path small = TestFiles.sample("multiplier-bn128");
    Path large = TestFiles.sample("merkle16-bn128");
    Path otherCurve = TestFiles.sample("multiplier-bls12381");
    String witness = small.resolve("witness_0.wtns").toString();
    Path key = small.resolve("circuit.snarkjs.zkey");
    for (Path other : Arrays.asList(large, otherCurve)) {
      assertEquals(
          3,
          run(
              BatchTesting.options(out, List.of(witness))
                  .key(key)
                  .constraints(other.resolve("circuit.r1cs"))));
      assertEquals(
          3,
          run(
              BatchTesting.options(out, List.of(witness))
                  .key(key)
                  .verifyingKey(other.resolve("vkey.snarkjs.json"))));
      assertEquals(
          3,
          run(
              BatchTesting.options(out, List.of(witness))
                  .key(other.resolve("circuit.snarkjs.zkey"))));
    }
    assertEquals(
        3,
        run(
            BatchTesting.options(out, List.of(small.resolve("input_0.json").toString()))
                .key(key)
                .wasm(otherCurve.resolve("circuit.wasm"))));
    assertEquals(0, engine.starts);
    assertFalse(Files.exists(out));
  }
}
