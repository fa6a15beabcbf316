package dev.cuzk.synthesis.filecoin;

import dev.cuzk.circuit.filecoin.SectorShape;
import dev.cuzk.format.InputException;
import dev.cuzk.format.filecoin.C1Output;
import dev.cuzk.format.filecoin.ColumnProof;
import dev.cuzk.format.filecoin.LabelingProof;
import dev.cuzk.format.filecoin.MerkleProof;
import dev.cuzk.format.filecoin.PorepChallenge;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;

/**
 * Whether the vanilla proofs of a seal bear out its statement. {@link #requireShape} looks at
 * counts, numbers and bytes that must be the same; {@link #requireHashes} also hashes: labels,
 * columns, encodings and all paths. What passes both satisfies the circuit.
 */
public final class PorepCheck {
  private static final int HASH = Hash32.BYTES;
  private static final int LABEL_PARENTS = 37;

  /** replica_id, layer, node, 20 zero bytes. */
  private static final int LABEL_PREFIX = 64;

  private final C1Output c1;
  private final PorepStatement statement;
  private final SectorShape shape;
  private final StackedGraph graph;
  private final TreeCheck treeD;
  private final TreeCheck treeC;
  private final TreeCheck treeR;
  private final byte[] bytes;

  private PorepCheck(C1Output c1, PorepStatement statement) {
    this.c1 = c1;
    this.statement = statement;
    this.shape = statement.shape();
    this.graph = statement.graph();
    this.treeD = new TreeCheck("tree D", shape.treeD());
    this.treeC = new TreeCheck("tree C", shape.treeR());
    this.treeR = new TreeCheck("tree R", shape.treeR());
    this.bytes = c1.bytes();
  }

  /** The checks that take milliseconds. */
  public static void requireShape(C1Output c1, PorepStatement statement) throws InputException {
    new PorepCheck(c1, statement).shape();
  }

  /** The checks that take about a millisecond for each path, after those of the shape. */
  public static void requireHashes(C1Output c1, PorepStatement statement, ForkJoinPool pool)
      throws InputException {
    PorepCheck check = new PorepCheck(c1, statement);
    check.shape();
    int perPartition = statement.shape().porepChallenges();
    VanillaTasks.run(
        pool,
        statement.partitions() * perPartition,
        (index, hashers) -> check.hashes(index / perPartition, index % perPartition, hashers));
  }

  private void shape() throws InputException {
    Place whole = new Place(c1.file(), "the whole");
    whole.requireCommitment("comm_r", statement.commR());
    whole.requireCommitment("comm_d", statement.commD());
    whole.requireCommitment("replica_id", statement.replicaId());
    if (!c1.vanillaSize().equals(shape.label())) {
      throw whole.problem(
          "the vanilla proofs are of another sector size", shape.label(), c1.vanillaSize());
    }
    whole.requireEqual("the number of partitions", statement.partitions(), c1.partitions().size());
    for (int partition = 0; partition < c1.partitions().size(); partition++) {
      long[] nodes = statement.challenges(partition);
      List<PorepChallenge> opened = c1.partitions().get(partition);
      new Place(c1.file(), "partition " + partition)
          .requireEqual("the number of challenges", nodes.length, opened.size());
      for (int i = 0; i < nodes.length; i++) {
        challengeShape(Place.of(c1.file(), partition, i, nodes[i]), opened.get(i), nodes[i]);
      }
    }
    MerkleProof commC = first().column().inclusion();
    MerkleProof commRLast = first().replica();
    if (!new Hashers()
        .isCommitment(bytes, c1.commR(), bytes, commC.rootOffset(), commRLast.rootOffset())) {
      throw whole.problem("comm_r is not the hash of the roots of tree C and tree R");
    }
  }

  private PorepChallenge first() {
    return c1.partitions().get(0).get(0);
  }

  private void challengeShape(Place place, PorepChallenge challenge, long node)
      throws InputException {
    treeD.requireShape(place, challenge.data(), node);
    treeD.requireRoot(place, challenge.data(), bytes, c1.commD(), "comm_d");
    treeR.requireShape(place, challenge.replica(), node);
    treeR.requireRoot(
        place, challenge.replica(), bytes, first().replica().rootOffset(), "that of the others");
    columnShape(place, challenge.column(), node);
    columnShapes(place, "base parent", challenge.baseParents(), graph.baseParents(node));
    columnShapes(
        place, "expander parent", challenge.expanderParents(), graph.expanderParents(node));
    place.requireEqual("the number of labels", shape.layers(), challenge.labels().size());
    for (int layer = 1; layer <= shape.layers(); layer++) {
      labelShape(
          place.in("layer " + layer), challenge, challenge.labels().get(layer - 1), layer, node);
    }
    labelShape(place.in("the encoding"), challenge, challenge.encoding(), shape.layers(), node);
  }

  private void columnShapes(Place place, String name, List<ColumnProof> columns, long[] nodes)
      throws InputException {
    place.requireEqual("the number of columns of a " + name, nodes.length, columns.size());
    for (int i = 0; i < nodes.length; i++) {
      columnShape(place.in(name + " " + i), columns.get(i), nodes[i]);
    }
  }

  private void columnShape(Place place, ColumnProof column, long node) throws InputException {
    place.requireEqual("the column's node", node, column.node());
    place.requireEqual("the number of the column's rows", shape.layers(), column.rows());
    for (int row = 0; row < column.rows(); row++) {
      if (!Hash32.isScalar(bytes, column.rowsOffset() + row * HASH)) {
        throw place.problem("row " + row + " of the column is no field element");
      }
    }
    treeC.requireShape(place, column.inclusion(), node);
    treeC.requireRoot(
        place,
        column.inclusion(),
        bytes,
        first().column().inclusion().rootOffset(),
        "that of the others");
  }

  /** A label's parents are the rows of the parents' columns, over and over. */
  private void labelShape(
      Place place, PorepChallenge challenge, LabelingProof label, int layer, long node)
      throws InputException {
    place.requireEqual("the label's layer", layer, label.layer());
    place.requireEqual("the label's node", node, label.node());
    place.requireEqual("the number of the label's parents", LABEL_PARENTS, label.parents());
    int distinct = SectorShape.BASE_PARENTS + (layer > 1 ? SectorShape.EXPANDER_PARENTS : 0);
    for (int i = 0; i < LABEL_PARENTS; i++) {
      int row = parentRow(challenge, i % distinct, layer);
      int own = label.parentsOffset() + i * HASH;
      if (!Arrays.equals(bytes, own, own + HASH, bytes, row, row + HASH)) {
        throw place.problem("parent " + i + " of the label is not its column's row");
      }
    }
  }

  /** Base parents give their row of the same layer, expander parents that of the layer before. */
  private static int parentRow(PorepChallenge challenge, int parent, int layer) {
    return parent < SectorShape.BASE_PARENTS
        ? challenge.baseParents().get(parent).rowsOffset() + (layer - 1) * HASH
        : challenge.expanderParents().get(parent - SectorShape.BASE_PARENTS).rowsOffset()
            + (layer - 2) * HASH;
  }

  private void hashes(int partition, int index, Hashers hashers) throws InputException {
    PorepChallenge challenge = c1.partitions().get(partition).get(index);
    long node = challenge.column().node();
    Place place = Place.of(c1.file(), partition, index, node);
    treeD.requireHashes(place, challenge.data(), hashers);
    treeR.requireHashes(place, challenge.replica(), hashers);
    columnHash(place, challenge.column(), hashers);
    for (int i = 0; i < challenge.baseParents().size(); i++) {
      columnHash(place.in("base parent " + i), challenge.baseParents().get(i), hashers);
    }
    for (int i = 0; i < challenge.expanderParents().size(); i++) {
      columnHash(place.in("expander parent " + i), challenge.expanderParents().get(i), hashers);
    }
    for (LabelingProof label : challenge.labels()) {
      labelHash(place.in("layer " + label.layer()), challenge, label, hashers);
    }
    encoding(place, challenge, hashers);
  }

  private void columnHash(Place place, ColumnProof column, Hashers hashers) throws InputException {
    long[] hash = hashers.columnHash(bytes, column.rowsOffset(), column.rows());
    if (!hashers.isEqual(hash, 0, bytes, column.inclusion().leafOffset())) {
      throw place.problem("the column's hash is not the leaf of its path in tree C");
    }
    treeC.requireHashes(place, column.inclusion(), hashers);
  }

  private void labelHash(
      Place place, PorepChallenge challenge, LabelingProof label, Hashers hashers)
      throws InputException {
    ByteBuffer message = ByteBuffer.allocate(LABEL_PREFIX + LABEL_PARENTS * HASH);
    message
        .put(statement.replicaId().bytes())
        .putInt((int) label.layer())
        .putLong(label.node())
        .position(LABEL_PREFIX)
        .put(bytes, label.parentsOffset(), LABEL_PARENTS * HASH);
    byte[] made = new byte[HASH];
    hashers.sha256(message.array(), 0, message.capacity(), made, 0);
    int row = challenge.column().rowsOffset() + ((int) label.layer() - 1) * HASH;
    if (!Arrays.equals(made, 0, HASH, bytes, row, row + HASH)) {
      throw place.problem("the label is not the hash of its parents");
    }
  }

  /** The replica's node is the last label plus the data's node. */
  private void encoding(Place place, PorepChallenge challenge, Hashers hashers)
      throws InputException {
    long[] key = new long[4];
    long[] data = new long[4];
    hashers.load(key, 0, bytes, challenge.column().rowsOffset() + (shape.layers() - 1) * HASH);
    hashers.load(data, 0, bytes, challenge.data().leafOffset());
    hashers.field.add(key, 0, key, 0, data, 0);
    if (!hashers.isEqual(key, 0, bytes, challenge.replica().leafOffset())) {
      throw place.problem("the leaf of tree R is not the data encoded with the last label");
    }
  }
}
