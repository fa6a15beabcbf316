package dev.cuzk.synthesis.filecoin;

import static dev.cuzk.synthesis.filecoin.ValueWriter.WORDS;

import dev.cuzk.circuit.filecoin.SectorShape;
import dev.cuzk.circuit.filecoin.UpdateCircuit;
import dev.cuzk.format.InputException;
import dev.cuzk.format.filecoin.MerkleProof;
import dev.cuzk.format.filecoin.UpdatePartitionProof;
import java.util.Arrays;
import java.util.List;

/** Makes the assignment of a partition of an empty sector's update ({@link UpdateCircuit}). */
public final class UpdateSynthesizer extends VanillaSynthesizer<List<UpdatePartitionProof>> {
  private final UpdateStatement statement;
  private final SectorShape shape;
  private final UpdateCircuit circuit;

  /**
   * @param source all partitions, or this one alone, as they passed {@link
   *     UpdateCheck#requireShape}
   */
  public UpdateSynthesizer(
      UpdateStatement statement, VanillaSource<List<UpdatePartitionProof>> source, int partition) {
    super(new UpdateCircuit(statement.shape(), false), statement, source, partition);
    this.statement = statement;
    this.shape = statement.shape();
    this.circuit = new UpdateCircuit(shape, false);
  }

  @Override
  public long packedBytes() {
    return packedBytes(variables());
  }

  @Override
  Maker maker(List<UpdatePartitionProof> proofs, int partition) throws InputException {
    return new ChallengeMaker(proofs.get(proofs.size() == 1 ? 0 : partition), partition);
  }

  /** A stretch is a challenge. */
  private final class ChallengeMaker implements Maker {
    private final UpdatePartitionProof proof;
    private final int partition;
    private final long[] nodes;
    private final int apexLevels = shape.apexLeavesLog2();

    /** Levels of the new tree D below the apex leaves. */
    private final int lowLevels = circuit.challengeBits() - apexLevels;

    /** comm_d_new, comm_r_old. */
    private final long[] old = new long[2 * WORDS];

    private final long[] phi;
    private final long[] rootROld = new long[WORDS];
    private final long[] rootRNew = new long[WORDS];
    private final long[] apexLeaves = new long[WORDS << apexLevels];

    ChallengeMaker(UpdatePartitionProof proof, int partition) throws InputException {
      this.proof = proof;
      this.partition = partition;
      this.nodes = statement.challenges(partition);
      this.phi = statement.phi();
      Place place = new Place(proof.file(), "partition " + partition);
      GadgetTrace.load(old, 0, statement.commDNew().bytes(), 0, place);
      GadgetTrace.load(old, WORDS, statement.commROld().bytes(), 0, place);
      byte[] bytes = proof.bytes();
      UpdatePartitionProof.Challenge any = proof.challenges().get(0);
      GadgetTrace.load(rootROld, 0, bytes, any.oldReplica().rootOffset(), place);
      GadgetTrace.load(rootRNew, 0, bytes, any.newReplica().rootOffset(), place);
      for (int i = 0; i < 1 << apexLevels; i++) {
        int leaf = proof.apexLeaves() + i * Hash32.BYTES;
        GadgetTrace.load(apexLeaves, i * WORDS, bytes, leaf, place.in("apex leaf " + i));
      }
    }

    @Override
    public int stretches() {
      return nodes.length;
    }

    @Override
    public void common(GadgetTrace trace) throws InputException {
      Place place = new Place(proof.file(), "partition " + partition);
      UpdatePartitionProof.Challenge any = proof.challenges().get(0);
      byte[] bytes = proof.bytes();
      long select = statement.publicInputs(partition).get(0).longValueExact();
      trace.out.number(select);
      trace.out.bits(select, circuit.partitionsLog2() + SectorShape.HIGH_BIT_CHOICES);
      trace.out.number(partition);
      trace.out.number(old, WORDS);
      trace.out.number(old, 0);
      long[] commRNew = new long[WORDS];
      trace.allocate(commRNew, 0, statement.commRNew().bytes(), 0, place);
      long[] hash = new long[WORDS];
      trace.randomness(hash, 0, old, 0);
      // comm_c, then a root
      long[] pair = new long[2 * WORDS];
      trace.allocate(pair, 0, bytes, proof.commC(), place);
      trace.out.number(rootROld, 0);
      trace.out.number(rootRNew, 0);
      for (int i = 0; i < 1 << apexLevels; i++) {
        trace.out.number(apexLeaves, i * WORDS);
      }
      MerkleProof path = any.newData();
      int first = path.height() - circuit.partitionsLog2();
      trace.allocateSiblings(path, first, path.height(), place);
      System.arraycopy(rootROld, 0, pair, WORDS, WORDS);
      trace.poseidon(hash, 0, pair, 0, 2);
      System.arraycopy(rootRNew, 0, pair, WORDS, WORDS);
      trace.poseidon(hash, 0, pair, 0, 2);
      long[] node = apexRoot(trace);
      trace.climbGiven(path, first, path.height(), true, node, place);
      if (!Arrays.equals(node, 0, WORDS, old, 0, WORDS)) {
        throw place.problem("the apex leaves do not lead to comm_d_new");
      }
      challengeBits(trace, commRNew);
    }

    private long[] apexRoot(GadgetTrace trace) {
      long[] row = apexLeaves.clone();
      for (int count = row.length / WORDS / 2; count > 0; count /= 2) {
        for (int i = 0; i < count; i++) {
          trace.sha256Pair(row, i * WORDS, row, 2 * i * WORDS);
        }
      }
      return Arrays.copyOf(row, WORDS);
    }

    private void challengeBits(GadgetTrace trace, long[] commRNew) {
      long[] pair = new long[2 * WORDS];
      long[] digest = new long[WORDS];
      System.arraycopy(commRNew, 0, pair, 0, WORDS);
      for (int i = 0; i < circuit.digests(); i++) {
        pair[WORDS] = (long) partition * circuit.digests() + i;
        trace.out.number(pair[WORDS]);
        trace.randomness(digest, 0, pair, 0);
        trace.bits(digest, 0);
      }
    }

    @Override
    public int auxiliariesPerStretch() {
      return circuit.auxiliariesPerChallenge();
    }

    @Override
    public void stretch(GadgetTrace trace, int index) throws InputException {
      long challenge = nodes[index];
      Place place = Place.of(proof.file(), partition, index, challenge);
      UpdatePartitionProof.Challenge paths = proof.challenges().get(index);
      byte[] bytes = proof.bytes();
      // phi, the high bits; rho
      long[] pair = new long[2 * WORDS];
      System.arraycopy(phi, 0, pair, 0, WORDS);
      pair[WORDS] = highBits(trace, challenge);
      long[] rho = new long[WORDS];
      trace.randomness(rho, 0, pair, 0);
      long[] oldLeaf = new long[WORDS];
      long[] dataLeaf = new long[WORDS];
      trace.allocate(
          oldLeaf, 0, bytes, paths.oldReplica().leafOffset(), place.in("the old replica's node"));
      trace.allocate(dataLeaf, 0, bytes, paths.newData().leafOffset(), place.in("the data node"));
      long[] newLeaf = new long[WORDS];
      GadgetTrace.FIELD.toMontgomery(rho, 0, rho, 0);
      GadgetTrace.FIELD.multiply(newLeaf, 0, rho, 0, dataLeaf, 0);
      trace.out.number(newLeaf, 0);
      GadgetTrace.FIELD.add(newLeaf, 0, newLeaf, 0, oldLeaf, 0);
      trace.out.number(newLeaf, 0);
      includeReplica(trace, paths.oldReplica(), oldLeaf, rootROld, "old tree R", place);
      includeReplica(trace, paths.newReplica(), newLeaf, rootRNew, "new tree R", place);
      int apexLeaf = trace.select(apexLeaves, apexLevels, challenge >>> lowLevels);
      trace.includeGiven(paths.newData(), lowLevels, true, dataLeaf, place);
      GadgetTrace.requireRoot(
          dataLeaf, apexLeaves, apexLeaf * WORDS, "new tree D up to apex leaf " + apexLeaf, place);
    }

    private void includeReplica(
        GadgetTrace trace, MerkleProof path, long[] node, long[] root, String tree, Place place)
        throws InputException {
      trace.includeGiven(path, path.height(), false, node, place);
      GadgetTrace.requireRoot(node, root, 0, tree, place);
    }

    /** For each choice its high bits, and the same if it is selected, else 0; then their sum. */
    private long highBits(GadgetTrace trace, long challenge) {
      long select =
          statement.publicInputs(partition).get(0).longValueExact() >>> circuit.partitionsLog2();
      long sum = 0;
      List<Integer> choices = shape.updateHighBits();
      for (int i = 0; i < choices.size(); i++) {
        long high = challenge >>> shape.nodesLog2() - choices.get(i);
        long selected = (select >>> i & 1) * high;
        trace.out.number(high);
        trace.out.number(selected);
        sum += selected;
      }
      trace.out.number(sum);
      return sum;
    }
  }
}
