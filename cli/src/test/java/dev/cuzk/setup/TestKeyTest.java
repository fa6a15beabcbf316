package dev.cuzk.setup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.circuit.BuiltInCircuits;
import dev.cuzk.circuit.MatrixEntries;
import dev.cuzk.device.Backend;
import dev.cuzk.device.Backend.LoadedKey;
import dev.cuzk.device.Backend.ProofRequest;
import dev.cuzk.device.BackendOptions;
import dev.cuzk.device.CpuBackend;
import dev.cuzk.format.LittleEndian;
import dev.cuzk.key.Query;
import dev.cuzk.key.ZkeyKey;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.Verifier;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TestKeyTest {
  private static final ForkJoinPool POOL = new ForkJoinPool(2);
  private static Backend cpu;

  @BeforeAll
  static void open() throws Exception {
    cpu = CpuBackend.open(BackendOptions.cpu(2));
  }

  @AfterAll
  static void close() {
    cpu.close();
    POOL.shutdown();
  }

  private static BuiltInCircuit circuit(String name, CurveId curve) {
    return BuiltInCircuits.byName(name, curve).orElseThrow();
  }

  private static TestKey make(BuiltInCircuit circuit) throws Exception {
    return TestKey.make(circuit, cpu, POOL, OptionalLong.of(5));
  }

  /** The same seed gives the same key as a file: same header, same matrices, same proofs. */
  @ParameterizedTest
  @EnumSource(CurveId.class)
  void shouldProveAsTheKeyInAFile(CurveId curve, @TempDir Path folder) throws Exception {
    BuiltInCircuit circuit = circuit("bits-5", curve);
    Path file = folder.resolve("key.zkey");
    TestSetup.write(
        file, TestSetup.Form.ZKEY, circuit, cpu, POOL, OptionalLong.of(5), SetupListener.NONE);
    try (TestKey key = make(circuit);
        ZkeyKey written = ZkeyKey.open(file);
        LoadedKey fromScalars = cpu.load(key);
        LoadedKey fromFile = cpu.load(written);
        Buffer witness = cpu.allocatePinned(key.variables() * CurveId.SCALAR_BYTES)) {
      assertArrayEquals(written.singlePoints(), key.singlePoints());
      assertEquals(written.verifyingKey(), key.verifyingKey());
      assertEquals(written.entryCount(), key.entryCount());
      for (Query query : Query.values()) {
        assertEquals(written.count(query), key.count(query));
      }
      circuit.writeWitness(witness, POOL);
      byte[] one = new byte[CurveId.SCALAR_BYTES];
      one[0] = 1;
      List<ProofRequest> request = List.of(new ProofRequest(witness, one, one));
      byte[] proof = cpu.submit(fromScalars, request).await().points().get(0);
      assertArrayEquals(cpu.submit(fromFile, request).await().points().get(0), proof);
      List<BigInteger> inputs = publicInputs(witness, key.publicInputs());
      assertTrue(
          Verifier.verify(key.verifyingKey(), Proof.fromLittleEndian(curve, proof), inputs)
              .valid());
    }
  }

  private static List<BigInteger> publicInputs(Buffer witness, int count) {
    byte[] values = new byte[(count + 1) * CurveId.SCALAR_BYTES];
    witness.view(0, values.length).get(values);
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> LittleEndian.toInteger(values, i * 32, CurveId.SCALAR_BYTES))
        .toList();
  }

  @Test
  void shouldReadEntriesInOrderAlone() throws Exception {
    try (TestKey key = make(circuit("chain-4", CurveId.BN254))) {
      ByteBuffer two = ByteBuffer.allocate(2 * MatrixEntries.BYTES);
      key.readEntries(0, 2, two);
      assertThrows(IndexOutOfBoundsException.class, () -> key.readEntries(3, 2, two.clear()));
      key.readEntries(2, 2, two.clear());
      key.readEntries(0, 2, two.clear());
      assertThrows(UnsupportedOperationException.class, () -> key.readPoints(Query.A, 0, 1, two));
    }
  }
}
