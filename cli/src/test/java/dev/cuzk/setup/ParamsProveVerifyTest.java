package dev.cuzk.setup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.circuit.BuiltInCircuits;
import dev.cuzk.circuit.CircuitTesting;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.filecoin.FilecoinCircuits;
import dev.cuzk.device.Backend;
import dev.cuzk.device.Backend.LoadedKey;
import dev.cuzk.device.Backend.ProofRequest;
import dev.cuzk.device.BackendOptions;
import dev.cuzk.device.CpuBackend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.DeviceStatus;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.ParamsFile;
import dev.cuzk.format.TestFiles;
import dev.cuzk.key.ParamsKey;
import dev.cuzk.key.Query;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.proof.BellmanVerifyingKey;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.ProofBytes;
import dev.cuzk.proof.Verdict;
import dev.cuzk.proof.Verifier;
import dev.cuzk.proof.VerifyingKey;
import dev.cuzk.synthesis.CircuitKey;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys in bellman's form: our own, and the reference's. */
class ParamsProveVerifyTest {
  private static final Path VECTORS = TestFiles.shared("filecoin/vectors-2k/post");

  private static Backend backend;

  @TempDir Path folder;

  @BeforeAll
  static void openProcessor() throws DeviceException {
    try {
      backend = CpuBackend.open(BackendOptions.cpu(2));
    } catch (DeviceException e) {
      assumeTrue(e.status() != DeviceStatus.NO_DEVICE, e.getMessage());
      throw e;
    }
  }

  @AfterAll
  static void closeProcessor() {
    if (backend != null) {
      backend.close();
    }
  }

  private Path makeKey(Constraints constraints) throws Exception {
    Path target = folder.resolve("test.params");
    TestSetup.write(
        target,
        TestSetup.Form.PARAMS,
        constraints,
        backend,
        CircuitTesting.POOL,
        OptionalLong.of(1),
        SetupListener.NONE);
    return target;
  }

  private static Proof prove(CircuitKey key, byte[] assignment) throws Exception {
    try (LoadedKey loaded = backend.load(key);
        Buffer buffer = backend.allocatePinned(assignment.length)) {
      buffer.view(0, assignment.length).put(assignment);
      byte[] r = new byte[32];
      byte[] s = new byte[32];
      r[0] = 17;
      s[3] = 99;
      byte[] points =
          backend.submit(loaded, List.of(new ProofRequest(buffer, r, s))).await().points().get(0);
      return Proof.fromLittleEndian(CurveId.BLS12_381, points);
    }
  }

  private static List<BigInteger> inputs(byte[] assignment, int count) {
    List<BigInteger> inputs = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      byte[] bigEndian = new byte[32];
      for (int b = 0; b < 32; b++) {
        bigEndian[b] = assignment[32 * i + 31 - b];
      }
      inputs.add(new BigInteger(1, bigEndian));
    }
    return inputs;
  }

  @ParameterizedTest
  @ValueSource(strings = {"bits-3", "bits-9", "chain-4", "chain-9"})
  void shouldProveBuiltInCircuits(String name) throws Exception {
    BuiltInCircuit circuit = BuiltInCircuits.byName(name, CurveId.BLS12_381).orElseThrow();
    byte[] assignment = new byte[(int) (32 * circuit.variables())];
    try (Buffer buffer = backend.allocatePinned(assignment.length)) {
      circuit.writeWitness(buffer, CircuitTesting.POOL);
      buffer.view(0, assignment.length).get(assignment);
    }
    try (CircuitKey key = CircuitKey.of(ParamsKey.open(makeKey(circuit)), circuit)) {
      List<BigInteger> inputs = inputs(assignment, key.publicInputs());
      VerifyingKey verifying = key.verifyingKey();
      assertEquals("", Verifier.verify(verifying, prove(key, assignment), inputs).reason());
      assignment[assignment.length - 32] ^= 1;
      assertEquals(
          Verdict.Check.EQUATION,
          Verifier.verify(verifying, prove(key, assignment), inputs).failed());
    }
  }

  private static Path reference(String ending) throws IOException {
    assumeTrue(Files.isDirectory(VECTORS));
    try (Stream<Path> files = Files.list(VECTORS.resolve("keys"))) {
      return files
          .filter(file -> file.toString().endsWith(ending))
          .filter(file -> file.toString().contains("-0-0170"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static Constraints window() {
    return FilecoinCircuits.byName("window-2KiB").orElseThrow().matrices();
  }

  @ParameterizedTest
  @ValueSource(strings = {"window-1-sector", "window-2-sectors"})
  void shouldProveUnderTheReferencesKey(String name) throws Exception {
    Path params = reference(".params");
    byte[] assignment;
    try (GZIPInputStream in =
        new GZIPInputStream(
            Files.newInputStream(VECTORS.resolve(name + "/partition-0.assignment.bin.gz")))) {
      assignment = in.readAllBytes();
    }
    try (CircuitKey key = CircuitKey.of(ParamsKey.open(params), window());
        ParamsFile vk = ParamsFile.open(FileRange.whole(reference(".vk")))) {
      Proof proof = prove(key, assignment);
      List<BigInteger> inputs = inputs(assignment, 22);
      VerifyingKey verifying = BellmanVerifyingKey.read(vk).key();
      // By way of the file's form, as a chain's node would get it.
      Proof read = ProofBytes.decode("post.proof", ProofBytes.encode(proof)).get(0);
      assertEquals("", Verifier.verify(verifying, read, inputs).reason());
      inputs.set(3, inputs.get(3).add(BigInteger.ONE));
      assertFalse(Verifier.verify(verifying, read, inputs).valid());
    }
  }

  @Test
  void shouldMakeKeysWithTheReferencesCounts() throws Exception {
    try (ParamsKey expected = ParamsKey.open(reference(".params"));
        ParamsKey made = ParamsKey.open(makeKey(window()))) {
      for (Query query : Query.values()) {
        assertEquals(expected.count(query), made.count(query), query.name());
      }
      assertEquals(expected.publicInputs(), made.publicInputs());
      made.verifyingKey();
    }
  }

  @Test
  void shouldRefuseAKeyOfAnotherCircuit() throws Exception {
    Constraints winning = FilecoinCircuits.byName("winning-2KiB").orElseThrow().matrices();
    try (ParamsKey key = ParamsKey.open(reference(".params"))) {
      InputException e = assertThrows(InputException.class, () -> CircuitKey.of(key, winning));
      assertTrue(e.getMessage().contains("winning-2KiB"), e.getMessage());
      assertTrue(e.getMessage().contains("expected 132, found 22"), e.getMessage());
    }
  }

  @Test
  void shouldRefuseAnotherCurve() {
    Constraints circuit = BuiltInCircuits.byName("chain-4", CurveId.BN254).orElseThrow();
    InputException e = assertThrows(InputException.class, () -> makeKey(circuit));
    assertTrue(e.getMessage().contains("bls12-381 alone"), e.getMessage());
  }
}
