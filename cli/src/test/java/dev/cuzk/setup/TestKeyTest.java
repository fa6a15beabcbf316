package dev.cuzk.setup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.circuit.BuiltInCircuits;
import dev.cuzk.circuit.CompactMatrices;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.MatrixEntries;
import dev.cuzk.circuit.filecoin.FilecoinCircuits;
import dev.cuzk.device.Backend;
import dev.cuzk.device.Backend.LoadedKey;
import dev.cuzk.device.Backend.ProofRequest;
import dev.cuzk.device.BackendOptions;
import dev.cuzk.device.CpuBackend;
import dev.cuzk.format.LittleEndian;
import dev.cuzk.key.ParamsKey;
import dev.cuzk.key.Query;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.key.ZkeyKey;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import dev.cuzk.memory.Buffer;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.Verifier;
import dev.cuzk.synthesis.CircuitKey;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
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
    return TestKey.make(circuit, QuotientForm.ODD_COSET, cpu, POOL, OptionalLong.of(5));
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

  /** The same for bellman's form, where points of variables that a matrix lacks are left out. */
  @Test
  void shouldProveAsParametersInAFile(@TempDir Path folder) throws Exception {
    CurveId curve = CurveId.BLS12_381;
    BuiltInCircuit circuit = circuit("bits-6", curve);
    Path file = folder.resolve("key.params");
    TestSetup.write(
        file, TestSetup.Form.PARAMS, circuit, cpu, POOL, OptionalLong.of(5), SetupListener.NONE);
    try (TestKey key = TestKey.make(circuit, QuotientForm.MONOMIAL, cpu, POOL, OptionalLong.of(5));
        CircuitKey written = CircuitKey.of(ParamsKey.open(file), circuit);
        LoadedKey fromScalars = cpu.load(key);
        LoadedKey fromFile = cpu.load(written);
        Buffer witness = cpu.allocatePinned(key.variables() * CurveId.SCALAR_BYTES)) {
      assertTrue(key.count(Query.B2) < key.variables());
      for (Query query : Query.values()) {
        assertEquals(written.count(query), key.count(query));
      }
      circuit.writeWitness(witness, POOL);
      byte[] one = new byte[CurveId.SCALAR_BYTES];
      one[0] = 1;
      List<ProofRequest> request = List.of(new ProofRequest(witness, one, one));
      byte[] proof = cpu.submit(fromScalars, request).await().points().get(0);
      assertArrayEquals(cpu.submit(fromFile, request).await().points().get(0), proof);
      assertTrue(
          Verifier.verify(
                  key.verifyingKey(),
                  Proof.fromLittleEndian(curve, proof),
                  publicInputs(witness, key.publicInputs()))
              .valid());
    }
  }

  /** Gadgets with inputs and arguments, expanded by the device, against the replay. */
  @Test
  void shouldExpandGadgetsAsTheReplayDoes() throws Exception {
    CompactMatrices circuit = FilecoinCircuits.byName("winning-2KiB").orElseThrow().matrices();
    Field field = circuit.field();
    try (TestKey key = TestKey.make(circuit, QuotientForm.MONOMIAL, cpu, POOL, OptionalLong.of(5));
        LoadedKey loaded = cpu.load(key)) {
      int rows = 1 << key.domainLog2();
      ByteBuffer witness = direct((int) key.variables());
      SplittableRandom random = new SplittableRandom(3);
      while (witness.hasRemaining()) {
        witness.putLong(random.nextLong()).putLong(random.nextLong()).putLong(0).putLong(0);
      }
      long[][] expected = new long[2][4 * rows];
      circuit.forEach(0, circuit.constraints(), new Product(field, witness, expected));
      for (int i = 0; i <= circuit.publicInputs(); i++) {
        int at = 4 * ((int) circuit.constraints() + i);
        witness
            .slice(32 * i, 32)
            .order(ByteOrder.LITTLE_ENDIAN)
            .asLongBuffer()
            .get(expected[0], at, 4);
      }
      for (int matrix = 0; matrix < 2; matrix++) {
        ByteBuffer product = direct(rows);
        cpu.sparseProduct(loaded, matrix, witness.rewind(), product);
        long[] found = new long[4 * rows];
        product.asLongBuffer().get(found);
        assertArrayEquals(expected[matrix], found);
      }
    }
  }

  private static ByteBuffer direct(int scalars) {
    return ByteBuffer.allocateDirect(32 * scalars).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Matrices A and B times an assignment, by definition. */
  private static final class Product implements Constraints.Sink {
    private final Field field;
    private final ByteBuffer witness;
    private final long[][] rows;
    private final long[] value = new long[4];
    private final long[] coefficient = new long[4];
    private int at;

    Product(Field field, ByteBuffer witness, long[][] rows) {
      this.field = field;
      this.witness = witness;
      this.rows = rows;
    }

    @Override
    public void term(int matrix, long variable, long c0, long c1, long c2, long c3) {
      if (matrix == Constraints.C) {
        return;
      }
      for (int word = 0; word < 4; word++) {
        value[word] = witness.getLong((int) (32 * variable) + 8 * word);
      }
      coefficient[0] = c0;
      coefficient[1] = c1;
      coefficient[2] = c2;
      coefficient[3] = c3;
      field.toMontgomery(coefficient, 0, coefficient, 0);
      field.multiply(value, 0, value, 0, coefficient, 0);
      field.add(rows[matrix], at, rows[matrix], at, value, 0);
    }

    @Override
    public void end(long constraint) {
      at += 4;
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
