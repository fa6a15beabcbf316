package dev.cuzk.setup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.circuit.BuiltInCircuits;
import dev.cuzk.circuit.CircuitTesting;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Progress;
import dev.cuzk.format.ZkeyContributions;
import dev.cuzk.format.ZkeyFile;
import dev.cuzk.key.Query;
import dev.cuzk.key.ZkeyKey;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TestSetupTest {
  @TempDir Path folder;

  private TestSetup.Summary write(Path target, Constraints constraints, OptionalLong seed)
      throws Exception {
    return TestSetup.write(
        target,
        TestSetup.Form.ZKEY,
        constraints,
        ReferenceBackend.make(),
        CircuitTesting.POOL,
        seed,
        SetupListener.NONE);
  }

  private static BuiltInCircuit circuit(String name, CurveId curve) {
    return BuiltInCircuits.byName(name, curve).orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(CurveId.class)
  void shouldWriteAKeyThatReadsBack(CurveId curve) throws Exception {
    Path target = folder.resolve("bits.zkey");
    BuiltInCircuit circuit = circuit("bits-4", curve);
    TestSetup.Summary summary = write(target, circuit, OptionalLong.empty());
    try (ZkeyKey key = ZkeyKey.open(target);
        ZkeyFile file = ZkeyFile.open(FileRange.whole(target))) {
      assertEquals(curve, key.curve());
      assertEquals(4, key.domainLog2());
      assertEquals(circuit.variables(), key.variables());
      assertEquals(1, key.publicInputs());
      assertEquals(16, key.count(Query.H));
      assertEquals(summary.entries(), key.entryCount());
      assertEquals(2, key.verifyingKey().ic().size());
      ZkeyFile.MatrixFacts facts = file.checkEntries(Progress.NONE);
      assertEquals(circuit.constraints(), facts.constraints());
      assertFalse(facts.linear());
      assertEquals(
          List.of(
              new ZkeyContributions.Contribution(
                  Optional.of("cuzk insecure one-party test setup"), false)),
          file.contributions().list());
      assertEquals(1, key.warnings().size());
      assertTrue(key.warnings().get(0).contains("one-party test key"));
      // Booleans occur in B, bits made from them do not: infinity, all zero.
      byte[] infinity = new byte[curve.pointBytes(true)];
      byte[] point = new byte[infinity.length];
      key.readPoints(Query.B2, 2, 1, ByteBuffer.wrap(point));
      assertFalse(java.util.Arrays.equals(infinity, point));
      key.readPoints(Query.B2, 6, 1, ByteBuffer.wrap(point));
      assertArrayEquals(infinity, point);
    }
  }

  @Test
  void shouldWriteEntriesAsSnarkjsDoes() throws Exception {
    Path target = folder.resolve("chain.zkey");
    BuiltInCircuit circuit = circuit("chain-4", CurveId.BN254);
    write(target, circuit, OptionalLong.of(1));
    BigInteger r = CurveId.BN254.scalarModulus();
    BigInteger stored = BigInteger.ONE.shiftLeft(512).mod(r);
    List<List<Integer>> expected = new ArrayList<>();
    for (int row = 0; row < 8; row++) {
      expected.add(List.of(0, row, row + 2));
      expected.add(List.of(1, row, row + 2));
    }
    expected.add(List.of(0, 8, 0));
    expected.add(List.of(0, 9, 1));
    try (ZkeyKey key = ZkeyKey.open(target)) {
      assertEquals(expected.size(), key.entryCount());
      ByteBuffer entries = ByteBuffer.allocate(44 * expected.size()).order(ByteOrder.LITTLE_ENDIAN);
      key.readEntries(0, expected.size(), entries);
      entries.flip();
      for (List<Integer> entry : expected) {
        assertEquals(entry, List.of(entries.getInt(), entries.getInt(), entries.getInt()));
        for (int word = 0; word < 4; word++) {
          assertEquals(stored.shiftRight(64 * word).longValue(), entries.getLong());
        }
      }
    }
  }

  @Test
  void shouldScaleOtherCoefficientsByTheSquareOfR() throws Exception {
    Path target = folder.resolve("bits.zkey");
    BuiltInCircuit circuit = circuit("bits-3", CurveId.BLS12_381);
    write(target, circuit, OptionalLong.of(1));
    BigInteger r = CurveId.BLS12_381.scalarModulus();
    CircuitTesting.Listed listed = CircuitTesting.list(circuit, 0, circuit.constraints());
    try (ZkeyKey key = ZkeyKey.open(target)) {
      int count = (int) key.entryCount() - 2;
      ByteBuffer entries = ByteBuffer.allocate(44 * count).order(ByteOrder.LITTLE_ENDIAN);
      key.readEntries(0, count, entries);
      entries.flip();
      while (entries.hasRemaining()) {
        int matrix = entries.getInt();
        var row = listed.rows().get(entries.getInt()).get(matrix);
        BigInteger value = row.get((long) entries.getInt()).shiftLeft(512).mod(r);
        for (int word = 0; word < 4; word++) {
          assertEquals(value.shiftRight(64 * word).longValue(), entries.getLong());
        }
      }
    }
  }

  @Test
  void shouldMakeTheSameKeyOfASeedAndAnotherWithout() throws Exception {
    BuiltInCircuit circuit = circuit("bits-3", CurveId.BN254);
    List<byte[]> keys = new ArrayList<>();
    for (OptionalLong seed :
        List.of(
            OptionalLong.of(7),
            OptionalLong.of(7),
            OptionalLong.of(8),
            OptionalLong.empty(),
            OptionalLong.empty())) {
      Path target = folder.resolve("key" + keys.size());
      write(target, circuit, seed);
      keys.add(Files.readAllBytes(target));
    }
    assertArrayEquals(keys.get(0), keys.get(1));
    for (int i = 1; i < 4; i++) {
      assertNotEquals(ByteBuffer.wrap(keys.get(i)), ByteBuffer.wrap(keys.get(i + 1)));
    }
  }

  @Test
  void shouldReportItsProgress() throws Exception {
    List<Long> done = new ArrayList<>();
    BuiltInCircuit circuit = circuit("bits-3", CurveId.BN254);
    TestSetup.write(
        folder.resolve("key"),
        TestSetup.Form.ZKEY,
        circuit,
        ReferenceBackend.make(),
        CircuitTesting.POOL,
        OptionalLong.of(1),
        (step, points, total) -> {
          assertEquals(4 * circuit.variables() + 8, total);
          done.add(points);
        });
    assertEquals(4 * circuit.variables() + 8, done.get(done.size() - 1));
  }

  /** Constraints of a size that no test could hold. */
  private record Huge(Field field, long constraints, long variables) implements Constraints {
    @Override
    public String name() {
      return "huge.r1cs";
    }

    @Override
    public int publicInputs() {
      return 1;
    }

    @Override
    public void forEach(long first, long count, Sink sink) {
      throw new AssertionError("read before its size was judged");
    }
  }

  private String refused(Constraints constraints) {
    Path target = folder.resolve("never");
    String message =
        assertThrows(InputException.class, () -> write(target, constraints, OptionalLong.empty()))
            .getMessage();
    assertFalse(Files.exists(target));
    return message;
  }

  @Test
  void shouldRefuseWhatNoKeyCanHold() {
    Field field = Field.scalar(CurveId.BN254);
    assertEquals(
        "huge.r1cs: too many constraints for a key over bn254 (expected a domain of at most 2^27,"
            + " found 2^28)",
        refused(new Huge(field, (1L << 27) - 1, 1 << 20)));
    assertTrue(refused(new Huge(field, 5, 1L << 32)).contains("2^32 variables"));
    Field tiny = new Field(BigInteger.valueOf(64513));
    assertTrue(refused(new Huge(tiny, 5, 7)).contains("no known curve"));
  }
}
