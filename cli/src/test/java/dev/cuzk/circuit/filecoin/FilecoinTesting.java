package dev.cuzk.circuit.filecoin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cuzk.circuit.CircuitTesting;
import dev.cuzk.circuit.CompactMatrices;
import dev.cuzk.circuit.ConstraintDigest;
import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.circuit.WitnessSystem;
import dev.cuzk.format.TestFiles;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/** What tests of Filecoin's circuits share. */
public final class FilecoinTesting {
  private FilecoinTesting() {}

  /** Lines of a table in testdata/filecoin, in columns, without its head. */
  public static List<String[]> table(String name) {
    try (var lines = Files.lines(TestFiles.testdata("filecoin/" + name))) {
      return lines.skip(1).map(line -> line.split("\t")).toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A file of the reference's, plain or as .gz; the test is skipped where there is none. */
  public static InputStream reference(String path) throws IOException {
    Path folder = TestFiles.shared("filecoin");
    Path plain = folder.resolve(path);
    Path packed = folder.resolve(path + ".gz");
    assumeTrue(Files.isRegularFile(plain) || Files.isRegularFile(packed), path + " is not there");
    return Files.isRegularFile(plain)
        ? new BufferedInputStream(Files.newInputStream(plain))
        : new BufferedInputStream(new GZIPInputStream(Files.newInputStream(packed)));
  }

  /** Compares counts and digest of a circuit with the reference's. */
  public static void assertSameCircuit(String name) throws Exception {
    FilecoinCircuit circuit = FilecoinCircuits.byName(name).orElseThrow();
    ReferenceDigest expected = circuit.reference();
    CompactMatrices matrices = circuit.matrices();
    assertEquals(expected.constraints(), matrices.constraints());
    assertEquals(expected.inputs() - 1, matrices.publicInputs());
    assertEquals(circuit.publicInputs(), matrices.publicInputs());
    assertEquals(expected.auxiliaries(), matrices.variables() - expected.inputs());
    assertEquals(expected.root(), ConstraintDigest.of(matrices, CircuitTesting.POOL).root().hex());
  }

  /**
   * Computes an assignment from the values that come from outside, read from the reference's, and
   * compares all others with it.
   *
   * @param values ONE, inputs, auxiliaries, 32 bytes each, little-endian
   */
  public static void assertSameAssignment(
      Consumer<ConstraintSystem> circuit, byte[] values, int inputs) {
    WitnessSystem system =
        new WitnessSystem(
            FilecoinCircuit.CURVE,
            code ->
                value(
                    values, code >= 0 ? code : inputs + 1 + (code & ~ConstraintSystem.AUXILIARY)));
    circuit.accept(system);
    assertTrue(system.constraints() > 0);
    assertEquals(inputs + 1, system.inputs().size());
    assertEquals(values.length / 32, system.inputs().size() + system.auxiliaries().size());
    for (int i = 0; i <= inputs; i++) {
      assertEquals(value(values, i), system.inputs().get(i), "input " + i);
    }
    for (int i = 0; i < system.auxiliaries().size(); i++) {
      if (!value(values, inputs + 1 + i).equals(system.auxiliaries().get(i))) {
        assertEquals(value(values, inputs + 1 + i), system.auxiliaries().get(i), "auxiliary " + i);
      }
    }
  }

  static BigInteger value(byte[] values, int index) {
    byte[] bigEndian = new byte[32];
    for (int i = 0; i < 32; i++) {
      bigEndian[31 - i] = values[32 * index + i];
    }
    return new BigInteger(1, bigEndian);
  }
}
