package dev.cuzk.circuit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.FileRange;
import dev.cuzk.format.TestFiles;
import dev.cuzk.format.WtnsFile;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PlainBuffer;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class R1csConstraintsTest {
  private static Buffer read(Path path) throws Exception {
    try (WtnsFile file = WtnsFile.open(FileRange.whole(path))) {
      Buffer buffer = PlainBuffer.allocate(32 * file.variables());
      file.readInto(buffer);
      return buffer;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multiplier-bn128",
        "multiplier-bls12381",
        "nopub-bn128",
        "merkle16-bn128",
        "merkle16-bls12381",
        "sha256x1-bn128"
      })
  void shouldBeSatisfiedByTheSamplesWitnesses(String name) throws Exception {
    try (R1csConstraints system =
            R1csConstraints.open(FileRange.whole(TestFiles.sample(name + "/circuit.r1cs")));
        Buffer witness = read(TestFiles.sample(name + "/witness_0.wtns"))) {
      assertEquals(
          Optional.empty(), ConstraintCheck.firstFailure(system, witness, CircuitTesting.POOL));
      // Any wire that some constraint looks at breaks one when it is changed.
      long wire = system.variables() - 1;
      CircuitTesting.set(witness, wire, CircuitTesting.value(witness, wire).add(BigInteger.TWO));
      ConstraintCheck.Failure failure =
          ConstraintCheck.firstFailure(system, witness, CircuitTesting.POOL).orElseThrow();
      assertTrue(
          failure.a().contains(wire) || failure.b().contains(wire) || failure.c().contains(wire));
    }
  }

  @Test
  void shouldReplayAnyRangeAsPartOfTheWhole() throws Exception {
    try (R1csConstraints system =
        R1csConstraints.open(FileRange.whole(TestFiles.sample("sha256x1-bn128/circuit.r1cs")))) {
      long all = system.constraints();
      assertEquals(31_761, all);
      assertEquals(15, system.domainLog2());
      CircuitTesting.Listed whole = CircuitTesting.list(system, 0, all);
      for (long first : new long[] {0, 1, 4_095, 4_096, 4_097, 8_192, 20_000, all - 1, all}) {
        long count = Math.min(100, all - first);
        assertEquals(
            whole.rows().subList((int) first, (int) (first + count)),
            CircuitTesting.list(system, first, count).rows());
      }
      assertThrows(IndexOutOfBoundsException.class, () -> CircuitTesting.list(system, all - 1, 2));
    }
  }
}
