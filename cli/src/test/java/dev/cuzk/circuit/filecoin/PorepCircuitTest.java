package dev.cuzk.circuit.filecoin;

import static dev.cuzk.circuit.filecoin.FilecoinTesting.assertSameAssignment;
import static dev.cuzk.circuit.filecoin.FilecoinTesting.assertSameCircuit;
import static dev.cuzk.circuit.filecoin.FilecoinTesting.reference;

import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PorepCircuitTest {
  @ParameterizedTest
  @ValueSource(strings = {"2KiB", "4KiB", "16KiB", "32KiB", "8MiB"})
  void shouldBeTheReferencesCircuit(String size) throws Exception {
    assertSameCircuit("porep-" + size);
  }

  @Test
  void shouldComputeTheReferencesAssignment() throws Exception {
    FilecoinCircuit circuit = new PorepCircuit(SectorShape.KIB_2);
    try (InputStream stream = reference("vectors-2k/porep/partition-0.assignment.bin")) {
      assertSameAssignment(circuit::define, stream.readAllBytes(), circuit.publicInputs());
    }
  }
}
