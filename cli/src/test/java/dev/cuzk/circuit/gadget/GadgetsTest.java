package dev.cuzk.circuit.gadget;

import static dev.cuzk.circuit.filecoin.FilecoinTesting.assertSameAssignment;
import static dev.cuzk.circuit.filecoin.FilecoinTesting.reference;
import static dev.cuzk.circuit.filecoin.FilecoinTesting.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.circuit.CircuitTesting;
import dev.cuzk.circuit.CompactMatrices;
import dev.cuzk.circuit.ConstraintDigest;
import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.R1csConstraints;
import dev.cuzk.circuit.TemplateSystem;
import dev.cuzk.circuit.WitnessSystem;
import dev.cuzk.circuit.filecoin.FilecoinCircuit;
import dev.cuzk.circuit.filecoin.FilecoinCircuits;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.TestFiles;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The gadgets against the systems that the reference made with its own. */
class GadgetsTest {
  /** Bytes before the values of a .wtns over a field of 32 bytes, as snarkjs writes it. */
  private static final int WTNS_HEAD = 12 + 12 + 4 + 32 + 4 + 12;

  private static CompactMatrices updateMatrices;

  /** name, constraints, wires with ONE, public inputs, root, where in update-8MiB it lies. */
  record Sample(String name, long constraints, long wires, int inputs, String root, String cut) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Sample> samples() {
    return table("gadgets.tsv").stream()
        .map(
            row ->
                new Sample(
                    row[0],
                    Long.parseLong(row[1]),
                    Long.parseLong(row[2]),
                    Integer.parseInt(row[3]),
                    row[4],
                    row[5]))
        .toList();
  }

  private static CompactMatrices matrices(String name) {
    TemplateSystem system = new TemplateSystem(name, FilecoinCircuit.CURVE, 0);
    GadgetCatalog.systems().get(name).accept(system);
    return system.finish();
  }

  private static Constraints system(Sample sample) {
    if (sample.cut.equals("-")) {
      return matrices(sample.name);
    }
    if (updateMatrices == null) {
      updateMatrices = FilecoinCircuits.byName("update-8MiB").orElseThrow().matrices();
    }
    long[] cut = Arrays.stream(sample.cut.split(":")).mapToLong(Long::parseLong).toArray();
    return new Cut(updateMatrices, cut[0], cut[1] - cut[0], cut[2], cut[3] - cut[2]);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void shouldMakeTheReferencesSystem(Sample sample) throws Exception {
    Constraints system = system(sample);
    assertEquals(sample.constraints, system.constraints());
    assertEquals(sample.wires, system.variables());
    assertEquals(sample.inputs, system.publicInputs());
    assertEquals(sample.root, ConstraintDigest.of(system, CircuitTesting.POOL).root().hex());
  }

  @ParameterizedTest
  @MethodSource("samples")
  void shouldDigestTheReferencesFile(Sample sample, @TempDir Path folder) throws Exception {
    // The reference keeps this one without its system: its labels are like those of layer 2.
    String name = sample.name.equals("create-label-layer1") ? "create-label-layer2" : sample.name;
    Path file = folder.resolve("system.r1cs");
    try (InputStream stream = reference("gadgets/" + name + ".r1cs")) {
      Files.copy(stream, file);
    }
    String root =
        samples().stream().filter(each -> each.name.equals(name)).findFirst().orElseThrow().root;
    assertEquals(root, digest(file));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "boolean-sha-maj",
        "insertion-insert-8",
        "multipack-into-inputs-30",
        "num-to-bits-le",
        "poseidon-2"
      })
  void shouldAgreeWithTheFilesKeptHere(String name) throws Exception {
    Path folder = TestFiles.testdata("filecoin/gadgets");
    CompactMatrices matrices = matrices(name);
    assertEquals(
        ConstraintDigest.of(matrices, CircuitTesting.POOL).root().hex(),
        digest(folder.resolve(name + ".r1cs")));
    assertSameWitness(
        GadgetCatalog.systems().get(name),
        Files.readAllBytes(folder.resolve(name + ".wtns")),
        matrices.publicInputs());
  }

  private static String digest(Path file) throws InputException {
    try (R1csConstraints system = R1csConstraints.open(FileRange.whole(file))) {
      return ConstraintDigest.of(system, CircuitTesting.POOL).root().hex();
    }
  }

  static List<Sample> wholeSamples() {
    return samples().stream().filter(sample -> sample.cut.equals("-")).toList();
  }

  @ParameterizedTest
  @MethodSource("wholeSamples")
  void shouldComputeTheReferencesWitness(Sample sample) throws Exception {
    byte[] file;
    try (InputStream stream = reference("gadgets/" + sample.name + ".wtns")) {
      file = stream.readAllBytes();
    }
    assertSameWitness(GadgetCatalog.systems().get(sample.name), file, sample.inputs);
  }

  private static void assertSameWitness(
      Consumer<ConstraintSystem> gadget, byte[] file, int inputs) {
    assertSameAssignment(gadget, Arrays.copyOfRange(file, WTNS_HEAD, file.length), inputs);
  }

  @Test
  void shouldKnowEverySampleThatIsNoPartOfAnother() {
    assertEquals(
        new TreeSet<>(wholeSamples().stream().map(Sample::name).toList()),
        new TreeSet<>(GadgetCatalog.systems().keySet()));
  }

  @Test
  void shouldRefuseValuesThatDoNotSatisfy() {
    WitnessSystem system = new WitnessSystem(FilecoinCircuit.CURVE, code -> BigInteger.TWO);
    system.enter("flag");
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> Bit.allocate(system));
    assertEquals("constraint 0 does not hold, in flag", refused.getMessage());
  }

  @Test
  void shouldRefuseAWrongNumberOfSiblingsOrBits() {
    WitnessSystem system = new WitnessSystem(FilecoinCircuit.CURVE, code -> BigInteger.ONE);
    Bit[] bits = Words.allocate(system, 3);
    int[] six = new int[6];
    assertThrows(IllegalArgumentException.class, () -> Insertion.insert(system, 0, bits, six));
    assertThrows(IllegalArgumentException.class, () -> Insertion.select(system, six, bits));
    assertThrows(IllegalArgumentException.class, () -> Sha256Gadget.hashBlock(system, bits));
    TreeShape deeper = TreeShape.simple(TreeHash.POSEIDON, 2, 1);
    List<int[]> siblings = List.of(new int[] {ConstraintSystem.ONE});
    assertThrows(
        IllegalArgumentException.class,
        () ->
            MerklePath.includeGiven(
                system, deeper, bits, ConstraintSystem.ONE, siblings, ConstraintSystem.ONE));
  }

  @Test
  void shouldExpandFromAnywhere() {
    CompactMatrices matrices = matrices("fallback-post-mini");
    assertTrue(matrices.places() > matrices.templates());
    long[] whole = new long[(int) matrices.constraints()];
    matrices.forEach(0, whole.length, new Sums(whole));
    long[] pieces = new long[whole.length];
    for (int first = 0; first < pieces.length; first += 7) {
      matrices.forEach(first, Math.min(7, pieces.length - first), new Sums(pieces));
    }
    assertEquals(Arrays.hashCode(whole), Arrays.hashCode(pieces));
    assertThrows(
        IndexOutOfBoundsException.class, () -> matrices.forEach(whole.length, 1, new Sums(pieces)));
  }

  /** A sum over the terms of each constraint. */
  private static final class Sums implements Constraints.Sink {
    private final long[] sums;
    private long sum;

    Sums(long[] sums) {
      this.sums = sums;
    }

    @Override
    public void term(int matrix, long variable, long c0, long c1, long c2, long c3) {
      sum = 31 * sum + matrix + 3 * variable + c0 + c1 + c2 + c3;
    }

    @Override
    public void end(long constraint) {
      sums[(int) constraint] = sum;
      sum = 0;
    }
  }
}
