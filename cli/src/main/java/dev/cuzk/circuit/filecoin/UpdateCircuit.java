package dev.cuzk.circuit.filecoin;

import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.circuit.LinearCombination;
import dev.cuzk.circuit.gadget.Bit;
import dev.cuzk.circuit.gadget.Insertion;
import dev.cuzk.circuit.gadget.MerklePath;
import dev.cuzk.circuit.gadget.Numbers;
import dev.cuzk.circuit.gadget.PoseidonGadget;
import dev.cuzk.circuit.gadget.TreeHash;
import dev.cuzk.circuit.gadget.TreeShape;
import dev.cuzk.circuit.gadget.Words;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * A partition of an update of an empty sector ({@code EmptySectorUpdateCircuit}), SnapDeals; or the
 * whole of one with a TreeD of Poseidon ({@code EmptySectorUpdatePoseidonCircuit}).
 *
 * <p>Public inputs: k | h_select · 2^p for partition k of 2^p (of the Poseidon form h_select),
 * comm_r_old, comm_d_new, comm_r_new.
 *
 * @param shape the size of sectors
 * @param poseidon whether TreeD is a Poseidon tree of TreeR's shape; there is one partition then
 */
public record UpdateCircuit(SectorShape shape, boolean poseidon) implements FilecoinCircuit {
  @Override
  public String name() {
    return (poseidon ? "update-poseidon-" : "update-") + shape.label();
  }

  @Override
  public String description() {
    return String.format(
        "update of an empty sector%s: %d challenges; %d partition%s a sector",
        poseidon ? " with a TreeD of Poseidon" : "",
        challenges(),
        1 << partitionsLog2(),
        partitionsLog2() == 0 ? "" : "s");
  }

  @Override
  public int publicInputs() {
    return 4;
  }

  @Override
  public long auxiliaries() {
    return firstAuxiliary(challenges());
  }

  /** Number of private variables before those of a challenge, all of which have as many. */
  public int firstAuxiliary(int challenge) {
    int hash = PoseidonGadget.auxiliaries(2);
    int common = 8 + partitionsLog2() + SectorShape.HIGH_BIT_CHOICES + 3 * hash;
    if (!poseidon) {
      int leaves = 1 << shape.apexLeavesLog2();
      common += leaves + (leaves - 1) * TreeHash.SHA256.auxiliaries(2);
      common += MerklePath.auxiliariesGiven(partitionTree());
    }
    common += digests() * (1 + hash + Numbers.FIELD_BITS);
    return common + challenge * auxiliariesPerChallenge();
  }

  /**
   * Private variables of a challenge: its high bits; rho; old leaf, data, product and new leaf;
   * siblings and path of the old leaf, of the new one; the apex leaf's selection; siblings and path
   * of the data.
   */
  public int auxiliariesPerChallenge() {
    int path = MerklePath.auxiliariesGiven(shape.treeR());
    int common =
        2 * SectorShape.HIGH_BIT_CHOICES + 1 + PoseidonGadget.auxiliaries(2) + 4 + 2 * path;
    return poseidon
        ? common + path
        : common
            + (1 << shape.apexLeavesLog2())
            - 1
            + MerklePath.auxiliariesGiven(treeToApexLeaf());
  }

  /** From an apex tree's root to comm_d_new. */
  private TreeShape partitionTree() {
    return TreeShape.simple(TreeHash.SHA256, 2, partitionsLog2());
  }

  /** From the data to an apex leaf. */
  private TreeShape treeToApexLeaf() {
    return TreeShape.simple(TreeHash.SHA256, 2, challengeBits() - shape.apexLeavesLog2());
  }

  /** log2 of the number of partitions. */
  public int partitionsLog2() {
    return poseidon ? 0 : shape.updatePartitionsLog2();
  }

  /** Challenges per partition; the Poseidon form proves those of all partitions in one. */
  public int challenges() {
    return poseidon
        ? shape.updateChallenges() << shape.updatePartitionsLog2()
        : shape.updateChallenges();
  }

  /** Bits of a challenge that come from randomness; the partition's bits follow above them. */
  public int challengeBits() {
    return shape.nodesLog2() - partitionsLog2();
  }

  /** Challenges that one digest gives. */
  public int challengesPerDigest() {
    return Numbers.CAPACITY / challengeBits();
  }

  /** Digests that challenges are cut from. */
  public int digests() {
    int each = challengesPerDigest();
    return (challenges() + each - 1) / each;
  }

  /** What all challenges share. */
  private record Common(
      Bit[] partitionBits,
      Bit[] selectBits,
      int phi,
      int rootROld,
      int rootRNew,
      int commDNew,
      int[] apexLeaves) {}

  @Override
  public void define(ConstraintSystem system) {
    String select = poseidon ? "h_select" : "k_and_h_select";
    Bit[] bits = selectBits(system, select);
    Bit[] partitionBits = Arrays.copyOf(bits, partitionsLog2());
    Bit[] selectBits = Arrays.copyOfRange(bits, partitionsLog2(), bits.length);
    int partition =
        poseidon ? 0 : in(system, "pack partition bits", () -> Numbers.pack(system, partitionBits));
    int commROld = Numbers.allocateAsInput(system, "comm_r_old");
    int commDNew = Numbers.allocateAsInput(system, "comm_d_new");
    int commRNew = Numbers.allocateAsInput(system, "comm_r_new");
    int phi = in(system, "phi", () -> PoseidonGadget.randomness(system, commDNew, commROld));
    int commC = Numbers.allocate(system, "comm_c");
    int rootROld = Numbers.allocate(system, "root_r_old");
    int rootRNew = Numbers.allocate(system, "root_r_new");
    int[] apexLeaves =
        poseidon ? new int[0] : numbers(system, "apex_leaf_", 1 << shape.apexLeavesLog2());
    int[] partitionPath = numbers(system, "partition_path_sibling_", partitionsLog2());
    int oldHash = in(system, "comm_r_old_calc", () -> PoseidonGadget.hash(system, commC, rootROld));
    Numbers.equal(system, oldHash, commROld);
    int newHash = in(system, "comm_r_new_calc", () -> PoseidonGadget.hash(system, commC, rootRNew));
    Numbers.equal(system, newHash, commRNew);
    if (poseidon) {
      partition = Numbers.allocate(system, "gen_challenge_bits partition zero");
    } else {
      system.enter("apex_gadget");
      defineApex(system, apexLeaves, partitionBits, partitionPath, commDNew);
      system.leave();
    }
    Common common =
        new Common(partitionBits, selectBits, phi, rootROld, rootRNew, commDNew, apexLeaves);
    List<Bit[]> challenges = challenges(system, commRNew, partition);
    for (int i = 0; i < challenges.size(); i++) {
      defineChallenge(
          system,
          " (c_index=" + i + ")",
          Words.concatenate(challenges.get(i), partitionBits),
          common);
    }
  }

  /** Makes a number in a namespace. */
  private static int in(ConstraintSystem system, String name, IntSupplier gadget) {
    system.enter(name);
    int number = gadget.getAsInt();
    system.leave();
    return number;
  }

  private static int[] numbers(ConstraintSystem system, String prefix, int count) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = Numbers.allocate(system, prefix + i);
    }
    return numbers;
  }

  private Bit[] selectBits(ConstraintSystem system, String name) {
    int packed = Numbers.allocateAsInput(system, name, name + " (public input)");
    Bit[] bits = new Bit[partitionsLog2() + SectorShape.HIGH_BIT_CHOICES];
    for (int i = 0; i < bits.length; i++) {
      int position = i;
      system.enter(name + "_bit_" + i);
      bits[i] =
          Bit.allocate(
              system,
              values -> values.value(packed).testBit(position) ? BigInteger.ONE : BigInteger.ZERO);
      system.leave();
    }
    Numbers.equateInA(system, bits, packed);
    return bits;
  }

  /** The tree over the partition's apex leaves, and its root's place in the tree to comm_d_new. */
  private void defineApex(
      ConstraintSystem system, int[] leaves, Bit[] partitionBits, int[] path, int commDNew) {
    int[] row = leaves;
    for (int level = 0; row.length > 1; level++) {
      int[] parents = new int[row.length / 2];
      for (int i = 0; i < parents.length; i++) {
        system.enter("apex_tree generation hash (tree_row=" + level + ", siblings=" + i + ")");
        parents[i] = TreeHash.apex(system, row[2 * i], row[2 * i + 1]);
        system.leave();
      }
      row = parents;
    }
    List<int[]> siblings = Arrays.stream(path).mapToObj(number -> new int[] {number}).toList();
    system.enter("partition-tree por");
    MerklePath.includeGiven(system, partitionTree(), partitionBits, row[0], siblings, commDNew);
    system.leave();
  }

  /** Bits of all challenges, without those of the partition. */
  private List<Bit[]> challenges(ConstraintSystem system, int commRNew, int partition) {
    List<Bit[]> challenges = new ArrayList<>();
    system.enter("gen_challenge_bits");
    for (int digest = 0; digest < digests(); digest++) {
      int index = digestIndex(system, partition, digest);
      int hash =
          in(system, "digest_" + digest, () -> PoseidonGadget.randomness(system, commRNew, index));
      system.enter("digest_" + digest + "_bits");
      Bit[] bits = Numbers.toAllocatedBits(system, hash);
      system.leave();
      for (int i = 0; i < challengesPerDigest(); i++) {
        if (challenges.size() < challenges()) {
          int first = i * challengeBits();
          challenges.add(Arrays.copyOfRange(bits, first, first + challengeBits()));
        }
      }
    }
    system.leave();
    return challenges;
  }

  /** (digests · partition + j · ONE) · ONE = index. */
  private int digestIndex(ConstraintSystem system, int partition, int digest) {
    BigInteger factor = BigInteger.valueOf(digests());
    BigInteger offset = BigInteger.valueOf(digest);
    int index = system.allocate(values -> values.value(partition).multiply(factor).add(offset));
    system.enforce(
        new LinearCombination(system.field())
            .plus(partition, factor)
            .plus(ConstraintSystem.ONE, offset),
        new LinearCombination(system.field()).plus(ConstraintSystem.ONE),
        new LinearCombination(system.field()).plus(index));
    return index;
  }

  private void defineChallenge(ConstraintSystem system, String suffix, Bit[] bits, Common common) {
    int high =
        in(
            system,
            "get_challenge_high_bits" + suffix,
            () -> highBits(system, bits, common.selectBits));
    int rho = in(system, "rho" + suffix, () -> PoseidonGadget.randomness(system, common.phi, high));
    int leafROld = Numbers.allocate(system, "leaf_r_old" + suffix);
    int leafDNew = Numbers.allocate(system, "leaf_d_new" + suffix);
    int leafRNew =
        in(
            system,
            "leaf_r_new" + suffix,
            () -> Numbers.add(system, leafROld, Numbers.multiply(system, leafDNew, rho)));
    include(system, "por tree_r_old" + suffix, shape.treeR(), bits, leafROld, common.rootROld);
    include(system, "por tree_r_new" + suffix, shape.treeR(), bits, leafRNew, common.rootRNew);
    if (poseidon) {
      include(system, "por tree_d_new" + suffix, shape.treeR(), bits, leafDNew, common.commDNew);
      return;
    }
    int levels = challengeBits() - shape.apexLeavesLog2();
    Bit[] apexBits = Arrays.copyOfRange(bits, levels, challengeBits());
    int apexLeaf =
        in(
            system,
            "select_apex_leaf" + suffix,
            () -> Insertion.select(system, common.apexLeaves, apexBits));
    include(
        system,
        "por to_apex_leaf" + suffix,
        treeToApexLeaf(),
        Arrays.copyOf(bits, levels),
        leafDNew,
        apexLeaf);
  }

  /** Allocates the siblings of a path, then includes. */
  private static void include(
      ConstraintSystem system, String name, TreeShape tree, Bit[] bits, int leaf, int root) {
    List<int[]> siblings = new ArrayList<>();
    for (int arity : tree.arities()) {
      int[] level = new int[arity - 1];
      Arrays.setAll(level, i -> system.allocate());
      siblings.add(level);
    }
    system.enter(name);
    MerklePath.includeGiven(system, tree, bits, leaf, siblings, root);
    system.leave();
  }

  /** The high bits of a challenge, as many as the one select bit that is set says. */
  private int highBits(ConstraintSystem system, Bit[] challenge, Bit[] selectBits) {
    List<Integer> choices = shape.updateHighBits();
    int[] selected = new int[selectBits.length];
    for (int i = 0; i < selected.length; i++) {
      Bit[] top =
          Arrays.copyOfRange(challenge, challenge.length - choices.get(i), challenge.length);
      int high = Numbers.pack(system, top);
      selected[i] = Numbers.multiply(system, high, selectBits[i].code());
    }
    int sum =
        system.allocate(
            values ->
                Arrays.stream(selected)
                    .mapToObj(values::value)
                    .reduce(BigInteger.ZERO, BigInteger::add));
    LinearCombination combination = new LinearCombination(system.field());
    Arrays.stream(selected).forEach(combination::plus);
    system.enforce(
        combination,
        new LinearCombination(system.field()).plus(ConstraintSystem.ONE),
        new LinearCombination(system.field()).plus(sum));
    return sum;
  }
}
