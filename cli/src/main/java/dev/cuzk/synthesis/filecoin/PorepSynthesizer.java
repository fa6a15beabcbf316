package dev.cuzk.synthesis.filecoin;

import static dev.cuzk.circuit.filecoin.SectorShape.BASE_PARENTS;
import static dev.cuzk.circuit.filecoin.SectorShape.EXPANDER_PARENTS;
import static dev.cuzk.synthesis.filecoin.ValueWriter.WORDS;

import dev.cuzk.circuit.filecoin.PorepCircuit;
import dev.cuzk.circuit.gadget.LabelGadget;
import dev.cuzk.format.InputException;
import dev.cuzk.format.filecoin.C1Output;
import dev.cuzk.format.filecoin.ColumnProof;
import dev.cuzk.format.filecoin.MerkleProof;
import dev.cuzk.format.filecoin.PorepChallenge;
import java.util.Arrays;

/** Makes the assignment of a partition of a proof of replication ({@link PorepCircuit}). */
public final class PorepSynthesizer extends VanillaSynthesizer<C1Output> {
  private static final int PARENTS = BASE_PARENTS + EXPANDER_PARENTS;
  private static final int NUMBER_WORDS32 = 8;

  // Words of a label's message: replica id, layer, node, zeros, parents, padding.
  private static final int LAYER_WORD = 8;
  private static final int NODE_WORD = 9;
  private static final int ZEROS_WORD = 11;
  private static final int PARENTS_WORD = 16;
  private static final int MESSAGE_WORDS = PARENTS_WORD + LabelGadget.PARENTS * NUMBER_WORDS32;
  private static final int PADDED_WORDS = 20 * Sha256Trace.BLOCK_WORDS;

  private final PorepStatement statement;
  private final PorepCircuit circuit;

  /**
   * @param source passed {@link PorepCheck#requireShape}
   */
  public PorepSynthesizer(PorepStatement statement, VanillaSource<C1Output> source, int partition) {
    super(new PorepCircuit(statement.shape()), statement, source, partition);
    this.statement = statement;
    this.circuit = new PorepCircuit(statement.shape());
  }

  @Override
  public long packedBytes() {
    return packedBytes(variables());
  }

  @Override
  Maker maker(C1Output proofs, int partition) throws InputException {
    return new ChallengeMaker(proofs, partition);
  }

  /** A stretch is a challenge. */
  private final class ChallengeMaker implements Maker {
    private final C1Output c1;
    private final int partition;
    private final long[] nodes;
    private final int layers = statement.shape().layers();
    private final long[] replicaId = new long[WORDS];
    private final long[] commD = new long[WORDS];

    /** comm_c, comm_r_last. */
    private final long[] commitments = new long[2 * WORDS];

    ChallengeMaker(C1Output c1, int partition) throws InputException {
      this.c1 = c1;
      this.partition = partition;
      this.nodes = statement.challenges(partition);
      PorepChallenge any = c1.partitions().get(partition).get(0);
      Place place = new Place(c1.file(), "partition " + partition);
      GadgetTrace.load(replicaId, 0, statement.replicaId().bytes(), 0, place);
      GadgetTrace.load(commD, 0, statement.commD().bytes(), 0, place);
      byte[] bytes = c1.bytes();
      GadgetTrace.load(commitments, 0, bytes, any.column().inclusion().rootOffset(), place);
      GadgetTrace.load(commitments, WORDS, bytes, any.replica().rootOffset(), place);
    }

    @Override
    public void common(GadgetTrace trace) throws InputException {
      trace.out.number(replicaId, 0);
      trace.bits(replicaId, 0);
      trace.out.number(commD, 0);
      long[] commR = new long[WORDS];
      Place place = new Place(c1.file(), "partition " + partition);
      trace.allocate(commR, 0, statement.commR().bytes(), 0, place);
      trace.out.number(commitments, WORDS);
      trace.out.number(commitments, 0);
      trace.poseidon(commR, 0, commitments, 0, 2);
    }

    @Override
    public int stretches() {
      return nodes.length;
    }

    @Override
    public int auxiliariesPerStretch() {
      return circuit.auxiliariesPerChallenge();
    }

    @Override
    public void stretch(GadgetTrace trace, int index) throws InputException {
      Place place = Place.of(c1.file(), partition, index, nodes[index]);
      PorepChallenge challenge = c1.partitions().get(partition).get(index);
      byte[] bytes = c1.bytes();
      long[] data = new long[WORDS];
      trace.allocate(data, 0, bytes, challenge.data().leafOffset(), place.in("the data node"));
      long[] node = data.clone();
      include(trace, challenge.data(), true, node, commD, 0, "tree D", place);
      long[][] columns = new long[PARENTS][layers * WORDS];
      for (int i = 0; i < PARENTS; i++) {
        boolean base = i < BASE_PARENTS;
        int number = base ? i : i - BASE_PARENTS;
        ColumnProof column =
            base ? challenge.baseParents().get(number) : challenge.expanderParents().get(number);
        Place at = place.in((base ? "base parent " : "expander parent ") + number);
        for (int layer = 0; layer < layers; layer++) {
          int row = column.rowsOffset() + layer * Hash32.BYTES;
          trace.allocate(columns[i], layer * WORDS, bytes, row, at);
        }
        includeColumn(trace, columns[i], column.inclusion(), at);
      }
      trace.out.bits(nodes[index], Long.SIZE);
      long[] labels = labels(trace, nodes[index], columns);
      System.arraycopy(labels, (layers - 1) * WORDS, node, 0, WORDS);
      GadgetTrace.FIELD.add(node, 0, node, 0, data, 0);
      trace.out.number(node, 0);
      include(trace, challenge.replica(), false, node, commitments, WORDS, "tree R", place);
      includeColumn(trace, labels, challenge.column().inclusion(), place);
    }

    private void include(
        GadgetTrace trace,
        MerkleProof path,
        boolean binary,
        long[] node,
        long[] root,
        int at,
        String tree,
        Place place)
        throws InputException {
      trace.include(path, binary, node, place);
      GadgetTrace.requireRoot(node, root, at, tree, place);
    }

    private void includeColumn(GadgetTrace trace, long[] column, MerkleProof path, Place place)
        throws InputException {
      long[] node = new long[WORDS];
      trace.poseidon(node, 0, column, 0, layers);
      include(trace, path, false, node, commitments, 0, "tree C", place);
    }

    /** The node's labels in all layers, each after the bits of the parents that it is made of. */
    private long[] labels(GadgetTrace trace, long node, long[][] columns) {
      long[] labels = new long[layers * WORDS];
      int[] message = new int[PADDED_WORDS];
      int[] constants = new int[PADDED_WORDS];
      GadgetTrace.toMessage(replicaId, 0, message, 0);
      constants[LAYER_WORD - 1] = 0x80;
      constants[LAYER_WORD] = -1;
      message[NODE_WORD] = (int) (node >>> Integer.SIZE);
      message[NODE_WORD + 1] = (int) node;
      Arrays.fill(constants, ZEROS_WORD, PARENTS_WORD, -1);
      Arrays.fill(constants, MESSAGE_WORDS, PADDED_WORDS, -1);
      message[MESSAGE_WORDS] = Integer.MIN_VALUE;
      message[PADDED_WORDS - 1] = MESSAGE_WORDS * Integer.SIZE;
      for (int layer = 1; layer <= layers; layer++) {
        message[LAYER_WORD] = layer;
        int parents = layer == 1 ? BASE_PARENTS : PARENTS;
        for (int i = 0; i < parents; i++) {
          // Base parents are in the layer itself, expander parents in the one before.
          int row = i < BASE_PARENTS ? layer - 1 : layer - 2;
          int word = PARENTS_WORD + i * NUMBER_WORDS32;
          trace.bits(columns[i], row * WORDS, message, constants, word);
        }
        int given = parents * NUMBER_WORDS32;
        for (int word = PARENTS_WORD + given; word < MESSAGE_WORDS; word++) {
          message[word] = message[word - given];
          constants[word] = constants[word - given];
        }
        trace.sha256(labels, (layer - 1) * WORDS, message, constants);
      }
      return labels;
    }
  }
}
