package dev.cuzk.circuit.filecoin;

import static dev.cuzk.circuit.filecoin.FilecoinTesting.assertSameAssignment;
import static dev.cuzk.circuit.filecoin.FilecoinTesting.assertSameCircuit;
import static dev.cuzk.circuit.filecoin.FilecoinTesting.reference;

import java.io.InputStream;
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
}
