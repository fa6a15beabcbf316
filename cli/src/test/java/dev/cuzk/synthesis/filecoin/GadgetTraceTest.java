package dev.cuzk.synthesis.filecoin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.circuit.WitnessSystem;
import dev.cuzk.circuit.filecoin.FilecoinCircuit;
import dev.cuzk.circuit.filecoin.SectorShape;
import dev.cuzk.circuit.gadget.MerklePath;
import dev.cuzk.circuit.gadget.TreeShape;
import dev.cuzk.format.filecoin.MerkleProof;
import dev.cuzk.memory.PlainBuffer;
import dev.cuzk.memory.ScalarTarget;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares straight traces with the circuit that computes its own assignment. */
class GadgetTraceTest {
  private static final int HASH = ValueWriter.VALUE_BYTES;
  private static final Place PLACE = new Place("a file", "a place");

  /** A path of random siblings, and a random leaf at the start of the bytes. */
  private static MerkleProof randomPath(TreeShape shape, Random random) {
    List<Integer> arities = shape.arities();
    byte[] bytes = new byte[(1 + shape.siblings()) * HASH];
    random.nextBytes(bytes);
    for (int i = HASH - 1; i < bytes.length; i += HASH) {
      bytes[i] &= 0x3f;
    }
    int[] levels = new int[arities.size()];
    byte[] all = new byte[arities.size()];
    byte[] indices = new byte[arities.size()];
    int at = HASH;
    for (int level = 0; level < levels.length; level++) {
      levels[level] = at;
      all[level] = arities.get(level).byteValue();
      indices[level] = (byte) random.nextInt(arities.get(level));
      at += (arities.get(level) - 1) * HASH;
    }
    return new MerkleProof(
        bytes, 0, 0, 0, levels, all, indices, shape.baseLevels(), shape.baseLevels());
  }

  /** Writes leaf, root and path; gives the root. */
  private static long[] write(PlainBuffer target, MerkleProof path, boolean binary, long[] root)
      throws Exception {
    ValueWriter writer = new ValueWriter(ScalarTarget.of(target), 0, target.byteSize() / HASH);
    GadgetTrace trace = new GadgetTrace(writer);
    long[] node = new long[ValueWriter.WORDS];
    trace.allocate(node, 0, path.bytes(), 0, PLACE);
    writer.number(root, 0);
    trace.include(path, binary, node, PLACE);
    writer.finish();
    return node;
  }

  private static BigInteger value(PlainBuffer assignment, int index) {
    byte[] bytes = new byte[HASH];
    assignment.view((long) index * HASH, HASH).get(bytes);
    return Hash32.of(bytes).number();
  }

  private static void compare(TreeShape shape, boolean binary) throws Exception {
    MerkleProof path = randomPath(shape, new Random(shape.levels()));
    int values = 2 + MerklePath.auxiliaries(shape);
    try (PlainBuffer assignment = PlainBuffer.allocate((long) values * HASH)) {
      long[] root = write(assignment, path, binary, new long[ValueWriter.WORDS]);
      write(assignment, path, binary, root);
      WitnessSystem system =
          new WitnessSystem(
              FilecoinCircuit.CURVE, code -> value(assignment, code & ~ConstraintSystem.AUXILIARY));
      int leaf = system.allocate();
      MerklePath.include(system, shape, leaf, system.allocate());
      assertEquals(values, system.auxiliaries().size());
      for (int i = 0; i < values; i++) {
        assertEquals(system.auxiliaries().get(i), value(assignment, i), "value " + i);
      }
      assertEquals(BigInteger.valueOf(path.leafIndex()), system.inputs().get(1));
    }
  }

  /** Sub and top trees of all sizes: there are no vectors with a top tree. */
  @ParameterizedTest
  @EnumSource(
      value = SectorShape.class,
      names = {"KIB_4", "KIB_16", "KIB_32", "GIB_64"})
  void shouldTraceWhatTheCircuitComputes(SectorShape shape) throws Exception {
    compare(shape.treeR(), false);
  }

  @ParameterizedTest
  @EnumSource(
      value = SectorShape.class,
      names = {"KIB_2"})
  void shouldTraceSha256AsTheCircuitComputesIt(SectorShape shape) throws Exception {
    compare(TreeShape.simple(shape.treeD().hash(), 2, 1), true);
  }
}
