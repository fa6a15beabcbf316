package dev.cuzk.circuit.filecoin;

import static dev.cuzk.circuit.filecoin.FilecoinTesting.assertSameAssignment;
import static dev.cuzk.circuit.filecoin.FilecoinTesting.assertSameCircuit;
import static dev.cuzk.circuit.filecoin.FilecoinTesting.reference;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cuzk.circuit.CompactMatrices;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.format.Sha256;
import java.io.InputStream;
import java.math.BigInteger;
import java.security.MessageDigest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostCircuitTest {
  @ParameterizedTest
  @ValueSource(strings = {"2KiB", "4KiB", "16KiB", "32KiB", "8MiB", "512MiB", "32GiB", "64GiB"})
  void shouldBeTheReferencesWinningPost(String size) throws Exception {
    assertSameCircuit("winning-" + size);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2KiB", "4KiB", "16KiB", "32KiB", "8MiB", "512MiB"})
  void shouldBeTheReferencesWindowPost(String size) throws Exception {
    assertSameCircuit("window-" + size);
  }

  @ParameterizedTest
  @CsvSource({"window-2-sectors, 0", "window-1-sector, 0", "window-3-sectors, 1"})
  void shouldComputeTheReferencesAssignment(String vector, int partition) throws Exception {
    FilecoinCircuit circuit = PostCircuit.window(SectorShape.KIB_2);
    String path = "vectors-2k/post/" + vector + "/partition-" + partition + ".assignment.bin";
    try (InputStream stream = reference(path)) {
      assertSameAssignment(circuit::define, stream.readAllBytes(), circuit.publicInputs());
    }
  }

  /** A·w, B·w and C·w of the whole circuit against the reference's, by their digests. */
  @Test
  void shouldMultiplyTheReferencesAssignmentToTheReferencesRows() throws Exception {
    byte[] assignment;
    JsonNode expected;
    String folder = "vectors-2k/post/window-2-sectors/";
    try (InputStream values = reference(folder + "partition-0.assignment.bin");
        InputStream facts = reference(folder + "case.json")) {
      assignment = values.readAllBytes();
      expected = new ObjectMapper().readTree(facts).get("partitions").get(0);
    }
    CompactMatrices matrices = PostCircuit.window(SectorShape.KIB_2).matrices();
    Rows rows = new Rows(assignment, matrices.field().modulus());
    matrices.forEach(0, matrices.constraints(), rows);
    assertEquals(expected.get("a_rows_sha256").asText(), rows.digest(Constraints.A));
    assertEquals(expected.get("b_rows_sha256").asText(), rows.digest(Constraints.B));
    assertEquals(expected.get("c_rows_sha256").asText(), rows.digest(Constraints.C));
  }

  private static final class Rows implements Constraints.Sink {
    private final byte[] assignment;
    private final BigInteger modulus;
    private final BigInteger[] sums = {BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO};
    private final MessageDigest[] digests = {Sha256.create(), Sha256.create(), Sha256.create()};

    Rows(byte[] assignment, BigInteger modulus) {
      this.assignment = assignment;
      this.modulus = modulus;
    }

    @Override
    public void term(int matrix, long variable, long c0, long c1, long c2, long c3) {
      BigInteger coefficient = BigInteger.ZERO;
      for (long word : new long[] {c3, c2, c1, c0}) {
        BigInteger unsigned = new BigInteger(Long.toUnsignedString(word));
        coefficient = coefficient.shiftLeft(64).add(unsigned);
      }
      BigInteger value = FilecoinTesting.value(assignment, (int) variable);
      sums[matrix] = sums[matrix].add(coefficient.multiply(value));
    }

    @Override
    public void end(long constraint) {
      for (int matrix = 0; matrix < 3; matrix++) {
        byte[] bigEndian =
            sums[matrix].mod(modulus).add(BigInteger.ONE.shiftLeft(256)).toByteArray();
        byte[] row = new byte[32];
        for (int i = 0; i < 32; i++) {
          row[i] = bigEndian[32 - i];
        }
        digests[matrix].update(row);
        sums[matrix] = BigInteger.ZERO;
      }
    }

    String digest(int matrix) {
      return Sha256.hex(digests[matrix].digest());
    }
  }
}
