package dev.cuzk.circuit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PlainBuffer;
import java.math.BigInteger;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BuiltInCircuitsTest {
  private static BuiltInCircuit circuit(String name, CurveId curve) {
    return BuiltInCircuits.byName(name, curve).orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(CurveId.class)
  void shouldSatisfyEverySizeWithItsOwnWitness(CurveId curve) throws Exception {
    for (BuiltInCircuits.Family family : BuiltInCircuits.families()) {
      for (int k = family.minimumLog2(); k <= 12; k++) {
        BuiltInCircuit circuit = circuit(family.prefix() + "-" + k, curve);
        try (Buffer witness = CircuitTesting.witnessOf(circuit)) {
          assertEquals(
              Optional.empty(),
              ConstraintCheck.firstFailure(circuit, witness, CircuitTesting.POOL),
              circuit.name());
        }
        assertEquals(k, circuit.domainLog2(), circuit.name());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"chain-9", "bits-9"})
  void shouldMakeTheSameWitnessWhateverThePool(String name) {
    BuiltInCircuit circuit = circuit(name, CurveId.BN254);
    ForkJoinPool single = new ForkJoinPool(1);
    try (Buffer first = CircuitTesting.witnessOf(circuit);
        Buffer second = PlainBuffer.allocate(first.byteSize())) {
      circuit.writeWitness(second, single);
      int length = (int) first.byteSize();
      assertEquals(first.view(0, length), second.view(0, length));
    } finally {
      single.shutdown();
    }
  }

  @ParameterizedTest
  @EnumSource(CurveId.class)
  void shouldWalkTheChainOfTheOtherProvers(CurveId curve) {
    BuiltInCircuit circuit = circuit("chain-5", curve);
    BigInteger p = Field.scalar(curve).modulus();
    try (Buffer witness = CircuitTesting.witnessOf(circuit)) {
      BigInteger x = unsigned(0xe220a8397b1dcdafL);
      for (int i = 0; i < 24; i++) {
        assertEquals(x, CircuitTesting.value(witness, i + 2), "x_" + i);
        x = x.multiply(x).add(unsigned(SplitMix64.at(i + 1))).mod(p);
      }
      assertEquals(x, CircuitTesting.value(witness, 1));
      assertEquals(BigInteger.ONE, CircuitTesting.value(witness, 0));
    }
  }

  private static BigInteger unsigned(long value) {
    return new BigInteger(Long.toUnsignedString(value));
  }

  @Test
  void shouldWriteTheChainsConstraintsInTheLayoutOfKeys() throws Exception {
    BuiltInCircuit circuit = circuit("chain-4", CurveId.BN254);
    CircuitTesting.Listed listed = CircuitTesting.list(circuit, 0, 8);
    BigInteger p = circuit.field().modulus();
    for (int i = 0; i < 8; i++) {
      List<TreeMap<Long, BigInteger>> row = listed.rows().get(i);
      TreeMap<Long, BigInteger> square = new TreeMap<>();
      square.put(i + 2L, BigInteger.ONE);
      assertEquals(square, row.get(0));
      assertEquals(square, row.get(1));
      TreeMap<Long, BigInteger> c = new TreeMap<>();
      c.put(0L, p.subtract(unsigned(SplitMix64.at(i + 1))));
      c.put(i == 7 ? 1L : i + 3L, BigInteger.ONE);
      assertEquals(c, row.get(2));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"chain-8", "bits-8", "bits-10"})
  void shouldReplayAnyRangeAsPartOfTheWhole(String name) throws Exception {
    BuiltInCircuit circuit = circuit(name, CurveId.BLS12_381);
    long all = circuit.constraints();
    CircuitTesting.Listed whole = CircuitTesting.list(circuit, 0, all);
    assertEquals(all, whole.rows().size());
    for (long first = 0; first < all; first += 37) {
      long count = Math.min(all - first, 1 + first % 91);
      assertEquals(
          whole.rows().subList((int) first, (int) (first + count)),
          CircuitTesting.list(circuit, first, count).rows());
    }
    assertThrows(IndexOutOfBoundsException.class, () -> CircuitTesting.list(circuit, all - 1, 2));
  }

  /** Figures of filecoin/digests/porep-32GiB.json. */
  @Test
  void shouldHaveTheProportionsOfAPorepPartition() throws Exception {
    BuiltInCircuit circuit = circuit("bits-14", CurveId.BLS12_381);
    Density density = new Density();
    circuit.forEach(0, circuit.constraints(), density);
    double rows = circuit.constraints();
    assertEquals(0.9968, density.seen[0].cardinality() / rows, 0.004);
    assertEquals(0.2544, density.seen[1].cardinality() / rows, 0.006);
    assertEquals(2.375, density.terms[0] / rows, 0.02);
    assertEquals(1.0004, density.terms[1] / rows, 0.001);
    assertEquals(2.17, density.terms[2] / rows, 0.2);
    int bits = 0;
    int ones = 0;
    try (Buffer witness = CircuitTesting.witnessOf(circuit)) {
      for (long i = 0; i < circuit.variables(); i++) {
        BigInteger value = CircuitTesting.value(witness, i);
        bits += value.bitLength() <= 1 ? 1 : 0;
        ones += value.equals(BigInteger.ONE) ? 1 : 0;
      }
    }
    assertEquals(0.987, bits / rows, 0.001);
    assertEquals(0.473, ones / rows, 0.03);
    assertEquals(0.97, rows / (1 << 14), 0.01);
  }

  private static final class Density implements Constraints.Sink {
    private final BitSet[] seen = {new BitSet(), new BitSet(), new BitSet()};
    private final long[] terms = new long[3];

    @Override
    public void term(int matrix, long variable, long c0, long c1, long c2, long c3) {
      seen[matrix].set((int) variable);
      terms[matrix]++;
    }

    @Override
    public void end(long constraint) {
      // Counted by the circuit itself.
    }
  }

  @Test
  void shouldBindEveryValueOfTheWitness() throws Exception {
    for (String name : List.of("bits-7", "chain-6")) {
      BuiltInCircuit circuit = circuit(name, CurveId.BN254);
      try (Buffer witness = CircuitTesting.witnessOf(circuit)) {
        for (long i = 0; i < circuit.variables(); i++) {
          BigInteger value = CircuitTesting.value(witness, i);
          CircuitTesting.set(witness, i, value.add(BigInteger.TWO));
          assertTrue(
              ConstraintCheck.firstFailure(circuit, witness, CircuitTesting.POOL).isPresent(),
              name + ", value " + i);
          CircuitTesting.set(witness, i, value);
        }
      }
    }
  }

  @Test
  void shouldKnowNoOtherNames() {
    for (String name :
        List.of("chain-3", "chain-28", "bits-2", "chain", "chain-", "chain-05", "Chain-9", "x-9")) {
      assertFalse(BuiltInCircuits.byName(name, CurveId.BN254).isPresent(), name);
    }
    assertEquals("chain-4 … chain-27, bits-3 … bits-27", BuiltInCircuits.known());
    assertEquals(130_023_424L, circuit("bits-27", CurveId.BLS12_381).constraints());
    assertEquals(27, circuit("bits-27", CurveId.BLS12_381).domainLog2());
  }

  @Test
  void shouldRefuseABufferOfAnotherSize() {
    BuiltInCircuit circuit = circuit("bits-5", CurveId.BN254);
    try (Buffer small = PlainBuffer.allocate(32 * circuit.variables() - 32)) {
      assertThrows(
          IllegalArgumentException.class, () -> circuit.writeWitness(small, CircuitTesting.POOL));
    }
  }
}
