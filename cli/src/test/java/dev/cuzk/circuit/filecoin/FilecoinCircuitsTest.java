package dev.cuzk.circuit.filecoin;

import static dev.cuzk.circuit.filecoin.FilecoinTesting.reference;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cuzk.circuit.CompactMatrices;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.Namespaces;
import dev.cuzk.circuit.VariableSet;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilecoinCircuitsTest {
  static Stream<String> names() {
    return FilecoinCircuits.all().stream().map(FilecoinCircuit::name);
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldKnowWhatTheReferencePublished(String name) throws Exception {
    FilecoinCircuit circuit = FilecoinCircuits.byName(name).orElseThrow();
    JsonNode expected;
    try (InputStream stream = reference("digests/" + name + ".json")) {
      expected = new ObjectMapper().readTree(stream);
    }
    ReferenceDigest digest = circuit.reference();
    assertEquals(expected.get("root").asText(), digest.root());
    assertEquals(expected.get("constraints").asLong(), digest.constraints());
    assertEquals(expected.get("inputs_with_one").asInt(), digest.inputs());
    assertEquals(expected.get("aux").asLong(), digest.auxiliaries());
    JsonNode density = expected.get("density");
    assertEquals(density.get("a_aux").asLong(), digest.auxiliariesInA());
    assertEquals(density.get("b_inputs").asInt(), digest.inputsInB());
    assertEquals(density.get("b_aux").asLong(), digest.auxiliariesInB());
    assertEquals(digest.inputs() - 1, circuit.publicInputs());
    assertEquals(digest.auxiliaries(), circuit.auxiliaries());
    assertEquals(expected.get("sector_size").asLong(), circuit.shape().bytes());
    assertEquals(expected.get("sector_nodes").asLong(), circuit.shape().nodes());
  }

  @Test
  void shouldKnowEveryCircuitOnceByItsName() {
    List<String> names = names().toList();
    assertEquals(35, names.size());
    assertEquals(names.size(), new HashSet<>(names).size());
    for (String name : new String[] {"porep", "porep-1KiB", "POREP-2KiB", "window-2KiB ", ""}) {
      assertTrue(FilecoinCircuits.byName(name).isEmpty(), name);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"porep-4KiB", "update-8MiB", "update-poseidon-2KiB", "window-16KiB"})
  void shouldTellWhereEachChallengeBegins(String name) {
    FilecoinCircuit circuit = FilecoinCircuits.byName(name).orElseThrow();
    List<Long> expected = new ArrayList<>();
    circuit
        .namespaces(2)
        .forEach(
            2,
            (path, namespace) -> {
              if (path.matches("challenge_\\d+|get_challenge_high.*|outer namespace/sector_\\d+")) {
                expected.add(namespace.firstAuxiliary());
              }
            });
    List<Long> actual = new ArrayList<>();
    for (int i = 0; i < expected.size(); i++) {
      if (circuit instanceof PorepCircuit porep) {
        actual.add((long) porep.firstAuxiliary(i));
      } else if (circuit instanceof UpdateCircuit update) {
        actual.add((long) update.firstAuxiliary(i));
      } else if (circuit instanceof PostCircuit post) {
        actual.add((long) i * post.auxiliariesPerSector());
      }
    }
    assertTrue(expected.size() > 1);
    assertEquals(expected, actual);
  }

  @Test
  void shouldFindShapesBySizeAndLabel() {
    for (SectorShape shape : SectorShape.values()) {
      assertEquals(shape, SectorShape.ofBytes(shape.bytes()).orElseThrow());
      assertEquals(shape, SectorShape.ofLabel(shape.label()).orElseThrow());
      assertEquals(shape.nodesLog2(), shape.treeR().indexBits());
      assertEquals(shape.nodesLog2(), shape.treeD().levels());
    }
    assertTrue(SectorShape.ofBytes(2047).isEmpty());
    assertTrue(SectorShape.ofLabel("2kib").isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "porep-8MiB",
        "update-2KiB",
        "update-32GiB",
        "update-poseidon-512MiB",
        "window-512MiB",
        "winning-64GiB"
      })
  void shouldHaveTheReferencesDensities(String name) {
    FilecoinCircuit circuit = FilecoinCircuits.byName(name).orElseThrow();
    ReferenceDigest expected = circuit.reference();
    CompactMatrices matrices = circuit.matrices();
    assertEquals(
        expected.auxiliariesInA(),
        matrices.occurring(Constraints.A).count(expected.inputs(), matrices.variables()));
    VariableSet b = matrices.occurring(Constraints.B);
    assertEquals(expected.inputsInB(), b.count(0, expected.inputs()));
    assertEquals(expected.auxiliariesInB(), b.count(expected.inputs(), matrices.variables()));
    assertTrue(b.contains(0));
    assertFalse(b.contains(1));
  }

  @ParameterizedTest
  @CsvSource({
    "porep-2KiB, porep-2KiB.segments.tsv, 3",
    "porep-2KiB, porep-2KiB.segments-deep.tsv, 6",
    "porep-32KiB, porep-32KiB.segments.tsv, 3",
    "porep-32GiB, porep-32GiB.segments.tsv, 2",
    "update-2KiB, update-2KiB.segments-deep.tsv, 5",
    "update-32KiB, update-32KiB.segments.tsv, 3",
    "update-64GiB, update-64GiB.segments.tsv, 2",
    "update-poseidon-2KiB, update-poseidon-2KiB.segments-deep.tsv, 8",
    "window-32KiB, window-32KiB.segments-deep.tsv, 8",
    "winning-64GiB, winning-64GiB.segments-deep.tsv, 6",
  })
  void shouldHaveTheReferencesNamespaces(String name, String table, int depth) throws Exception {
    List<String> expected;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(reference("digests/" + table), StandardCharsets.UTF_8))) {
      expected = lines.lines().skip(1).toList();
    }
    Namespaces namespaces = FilecoinCircuits.byName(name).orElseThrow().namespaces(depth);
    List<String> actual = new ArrayList<>();
    namespaces.forEach(
        depth,
        (path, namespace) ->
            actual.add(
                String.join(
                    "\t",
                    path,
                    "" + namespace.firstConstraint(),
                    "" + namespace.endConstraint(),
                    "" + namespace.firstAuxiliary(),
                    "" + namespace.endAuxiliary())));
    for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
      assertEquals(expected.get(i), actual.get(i), "line " + i);
    }
    assertEquals(expected.size(), actual.size());
    assertEquals(actual.size(), namespaces.count(depth));
  }
}
