package dev.cuzk.synthesis.filecoin;

import dev.cuzk.circuit.filecoin.SectorShape;
import dev.cuzk.format.InputException;
import dev.cuzk.format.filecoin.UpdatePartitionProof;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import dev.cuzk.math.Poseidon;
import dev.cuzk.math.PoseidonConstants;
import java.util.List;
import java.util.concurrent.ForkJoinPool;

/**
 * Whether the vanilla proofs of an update bear out its statement: {@link #requireShape} without the
 * paths' hashes, {@link #requireHashes} with them.
 */
public final class UpdateCheck {
  private static final int HASH = Hash32.BYTES;
  private static final int WORDS = 4;

  private final List<UpdatePartitionProof> partitions;
  private final UpdateStatement statement;
  private final SectorShape shape;
  private final TreeCheck oldTreeR;
  private final TreeCheck newTreeR;
  private final TreeCheck newTreeD;

  private UpdateCheck(List<UpdatePartitionProof> partitions, UpdateStatement statement) {
    this.partitions = partitions;
    this.statement = statement;
    this.shape = statement.shape();
    this.oldTreeR = new TreeCheck("old tree R", shape.treeR());
    this.newTreeR = new TreeCheck("new tree R", shape.treeR());
    this.newTreeD = new TreeCheck("new tree D", shape.treeD());
  }

  /** The checks that take microseconds a path. */
  public static void requireShape(List<UpdatePartitionProof> partitions, UpdateStatement statement)
      throws InputException {
    new UpdateCheck(partitions, statement).shape();
  }

  /**
   * As {@link #requireShape(List, UpdateStatement)}, of one partition that came without the others.
   */
  public static void requireShape(
      UpdatePartitionProof proof, UpdateStatement statement, int partition) throws InputException {
    UpdateCheck check = new UpdateCheck(List.of(proof), statement);
    check.commitments();
    check.partitionShape(proof, partition, new Hashers());
  }

  /** The checks that take some milliseconds for each challenge, after those of the shape. */
  public static void requireHashes(
      List<UpdatePartitionProof> partitions, UpdateStatement statement, ForkJoinPool pool)
      throws InputException {
    UpdateCheck check = new UpdateCheck(partitions, statement);
    check.shape();
    int perPartition = statement.shape().updateChallenges();
    long[] phi = statement.phi();
    Field.scalar(CurveId.BLS12_381).toMontgomery(phi, 0, phi, 0);
    VanillaTasks.run(
        pool,
        partitions.size() * perPartition,
        (index, hashers) -> check.hashes(index / perPartition, index % perPartition, phi, hashers));
    VanillaTasks.run(pool, partitions.size(), check::apexTree);
  }

  private void shape() throws InputException {
    commitments()
        .requireEqual("the number of partitions", statement.partitions(), partitions.size());
    Hashers hashers = new Hashers();
    for (int partition = 0; partition < partitions.size(); partition++) {
      partitionShape(partitions.get(partition), partition, hashers);
    }
  }

  private Place commitments() throws InputException {
    String file = partitions.isEmpty() ? statement.circuit() : partitions.get(0).file();
    Place whole = new Place(file, "the whole");
    whole.requireCommitment("comm_r_old", statement.commROld());
    whole.requireCommitment("comm_r_new", statement.commRNew());
    whole.requireCommitment("comm_d_new", statement.commDNew());
    return whole;
  }

  private void partitionShape(UpdatePartitionProof proof, int partition, Hashers hashers)
      throws InputException {
    Place place = new Place(proof.file(), "partition " + partition);
    byte[] bytes = proof.bytes();
    place.requireCommitment("comm_c", Hash32.of(bytes, proof.commC()));
    place.requireEqual(
        "the number of apex leaves", 1L << shape.apexLeavesLog2(), proof.apexLeafCount());
    for (int i = 0; i < proof.apexLeafCount(); i++) {
      if (!Hash32.isScalar(bytes, proof.apexLeaves() + i * HASH)) {
        throw place.problem("apex leaf " + i + " is no field element");
      }
    }
    long[] nodes = statement.challenges(partition);
    place.requireEqual("the number of challenges", nodes.length, proof.challenges().size());
    int oldRoot = proof.challenges().get(0).oldReplica().rootOffset();
    int newRoot = proof.challenges().get(0).newReplica().rootOffset();
    byte[] commDNew = statement.commDNew().bytes();
    for (int i = 0; i < nodes.length; i++) {
      UpdatePartitionProof.Challenge challenge = proof.challenges().get(i);
      Place at = Place.of(proof.file(), partition, i, nodes[i]);
      oldTreeR.requireShape(at, challenge.oldReplica(), nodes[i]);
      oldTreeR.requireRoot(at, challenge.oldReplica(), bytes, oldRoot, "that of the others");
      newTreeR.requireShape(at, challenge.newReplica(), nodes[i]);
      newTreeR.requireRoot(at, challenge.newReplica(), bytes, newRoot, "that of the others");
      newTreeD.requireShape(at, challenge.newData(), nodes[i]);
      newTreeD.requireRoot(at, challenge.newData(), commDNew, 0, "comm_d_new");
    }
    if (!hashers.isCommitment(statement.commROld().bytes(), 0, bytes, proof.commC(), oldRoot)) {
      throw place.problem("comm_r_old is not the hash of comm_c and the old tree R's root");
    }
    if (!hashers.isCommitment(statement.commRNew().bytes(), 0, bytes, proof.commC(), newRoot)) {
      throw place.problem("comm_r_new is not the hash of comm_c and the new tree R's root");
    }
  }

  private static Poseidon randomness() {
    return new Poseidon(PoseidonConstants.of(2, PoseidonConstants.Domain.RANDOMNESS));
  }

  private void hashes(int partition, int index, long[] phi, Hashers hashers) throws InputException {
    UpdatePartitionProof proof = partitions.get(partition);
    UpdatePartitionProof.Challenge challenge = proof.challenges().get(index);
    long node = challenge.newData().leafIndex();
    Place place = Place.of(proof.file(), partition, index, node);
    oldTreeR.requireHashes(place, challenge.oldReplica(), hashers);
    newTreeR.requireHashes(place, challenge.newReplica(), hashers);
    newTreeD.requireHashes(place, challenge.newData(), hashers);
    label(place, challenge, proof.bytes(), node, phi, hashers);
    apexLeaf(place, proof, challenge, node, hashers);
  }

  /** The new node is the old one plus the data's times rho(high bits of the challenge). */
  private void label(
      Place place,
      UpdatePartitionProof.Challenge challenge,
      byte[] bytes,
      long node,
      long[] phi,
      Hashers hashers)
      throws InputException {
    long[] words = new long[2 * WORDS];
    System.arraycopy(phi, 0, words, 0, WORDS);
    hashers.field.set(words, WORDS, node >>> shape.nodesLog2() - statement.highBits());
    randomness().hash(words, 0, words, 0);
    hashers.load(words, WORDS, bytes, challenge.newData().leafOffset());
    hashers.field.multiply(words, 0, words, 0, words, WORDS);
    hashers.load(words, WORDS, bytes, challenge.oldReplica().leafOffset());
    hashers.field.add(words, 0, words, 0, words, WORDS);
    if (!hashers.isEqual(words, 0, bytes, challenge.newReplica().leafOffset())) {
      throw place.problem("the leaf of the new tree R is not the data encoded on the old one");
    }
  }

  /** The data's path goes through the apex leaf above it. */
  private void apexLeaf(
      Place place,
      UpdatePartitionProof proof,
      UpdatePartitionProof.Challenge challenge,
      long node,
      Hashers hashers)
      throws InputException {
    int below = shape.nodesLog2() - shape.updatePartitionsLog2() - shape.apexLeavesLog2();
    byte[] hash = new byte[HASH];
    byte[] pair = new byte[2 * HASH];
    System.arraycopy(proof.bytes(), challenge.newData().leafOffset(), hash, 0, HASH);
    for (int level = 0; level < below; level++) {
      int own = challenge.newData().indices()[level] * HASH;
      System.arraycopy(hash, 0, pair, own, HASH);
      System.arraycopy(
          proof.bytes(), challenge.newData().sibling(level, 0), pair, HASH - own, HASH);
      hashers.sha256(pair, 0, pair.length, hash, 0);
    }
    int leaf = (int) (node >>> below) & (1 << shape.apexLeavesLog2()) - 1;
    if (!Hash32.of(hash).matches(proof.bytes(), proof.apexLeaves() + leaf * HASH)) {
      throw place.problem("the data's path does not go through apex leaf " + leaf);
    }
  }

  /** The apex leaves' tree leads to comm_d_new beside the other partitions'. */
  private void apexTree(int partition, Hashers hashers) throws InputException {
    UpdatePartitionProof proof = partitions.get(partition);
    byte[] row = new byte[proof.apexLeafCount() * HASH];
    System.arraycopy(proof.bytes(), proof.apexLeaves(), row, 0, row.length);
    for (int nodes = proof.apexLeafCount() / 2; nodes > 0; nodes /= 2) {
      for (int i = 0; i < nodes; i++) {
        hashers.sha256(row, 2 * i * HASH, 2 * HASH, row, i * HASH);
      }
    }
    var path = proof.challenges().get(0).newData();
    int first = path.height() - shape.updatePartitionsLog2();
    byte[] pair = new byte[2 * HASH];
    for (int level = first; level < path.height(); level++) {
      int own = path.indices()[level] * HASH;
      System.arraycopy(row, 0, pair, own, HASH);
      System.arraycopy(proof.bytes(), path.sibling(level, 0), pair, HASH - own, HASH);
      hashers.sha256(pair, 0, pair.length, row, 0);
    }
    if (!statement.commDNew().matches(row, 0)) {
      throw new Place(proof.file(), "partition " + partition)
          .problem("the apex leaves do not lead to comm_d_new");
    }
  }
}
