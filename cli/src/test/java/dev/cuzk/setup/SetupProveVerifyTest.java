package dev.cuzk.setup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.circuit.BuiltInCircuits;
import dev.cuzk.circuit.CircuitTesting;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.R1csConstraints;
import dev.cuzk.device.Backend;
import dev.cuzk.device.Backend.LoadedKey;
import dev.cuzk.device.Backend.ProofRequest;
import dev.cuzk.device.BackendOptions;
import dev.cuzk.device.CpuBackend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.DeviceStatus;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.TestFiles;
import dev.cuzk.format.WtnsFile;
import dev.cuzk.key.ZkeyKey;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.Verdict;
import dev.cuzk.proof.Verifier;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A key from the setup, a proof from the native prover, a verdict from the Java verifier. */
class SetupProveVerifyTest {
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

  private interface Witness {
    void write(Buffer target) throws Exception;
  }

  private void check(Constraints constraints, Witness witness) throws Exception {
    Path target = folder.resolve("test.zkey");
    TestSetup.write(
        target,
        TestSetup.Form.ZKEY,
        constraints,
        backend,
        CircuitTesting.POOL,
        OptionalLong.empty(),
        SetupListener.NONE);
    try (ZkeyKey key = ZkeyKey.open(target);
        LoadedKey loaded = backend.load(key);
        Buffer buffer = backend.allocatePinned(32 * key.variables())) {
      witness.write(buffer);
      Proof proof = prove(loaded, buffer);
      List<BigInteger> inputs = new ArrayList<>();
      for (int i = 1; i <= key.publicInputs(); i++) {
        inputs.add(CircuitTesting.value(buffer, i));
      }
      assertEquals("", Verifier.verify(key.verifyingKey(), proof, inputs).reason());

      if (!inputs.isEmpty()) {
        inputs.set(0, inputs.get(0).xor(BigInteger.ONE));
        assertFalse(Verifier.verify(key.verifyingKey(), proof, inputs).valid());
        inputs.set(0, inputs.get(0).xor(BigInteger.ONE));
      }
      long last = key.variables() - 1;
      CircuitTesting.set(buffer, last, CircuitTesting.value(buffer, last).xor(BigInteger.ONE));
      assertEquals(
          Verdict.Check.EQUATION,
          Verifier.verify(key.verifyingKey(), prove(loaded, buffer), inputs).failed());
    }
  }

  private static Proof prove(LoadedKey key, Buffer witness) throws DeviceException {
    byte[] r = new byte[32];
    byte[] s = new byte[32];
    r[0] = 17;
    s[3] = 99;
    byte[] points =
        backend.submit(key, List.of(new ProofRequest(witness, r, s))).await().points().get(0);
    return Proof.fromLittleEndian(key.source().curve(), points);
  }

  @ParameterizedTest
  @CsvSource({
    "bits-3, BN254", "bits-3, BLS12_381", "bits-9, BN254", "bits-9, BLS12_381",
    "chain-4, BN254", "chain-4, BLS12_381", "chain-9, BN254", "chain-9, BLS12_381"
  })
  void shouldProveBuiltInCircuits(String name, CurveId curve) throws Exception {
    BuiltInCircuit circuit = BuiltInCircuits.byName(name, curve).orElseThrow();
    check(circuit, target -> circuit.writeWitness(target, CircuitTesting.POOL));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multiplier-bn128",
        "multiplier-bls12381",
        "nopub-bn128",
        "merkle16-bn128",
        "merkle16-bls12381"
      })
  void shouldProveCompiledCircuits(String name) throws Exception {
    Path sample = TestFiles.sample(name);
    try (R1csConstraints system =
            R1csConstraints.open(FileRange.whole(sample.resolve("circuit.r1cs")));
        WtnsFile witness = WtnsFile.open(FileRange.whole(sample.resolve("witness_0.wtns")))) {
      assertEquals(system.variables(), witness.variables());
      check(system, witness::readInto);
    }
  }
}
