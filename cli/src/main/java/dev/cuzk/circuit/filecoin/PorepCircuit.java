package dev.cuzk.circuit.filecoin;

import static dev.cuzk.circuit.filecoin.SectorShape.BASE_PARENTS;
import static dev.cuzk.circuit.filecoin.SectorShape.EXPANDER_PARENTS;

import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.circuit.gadget.Bit;
import dev.cuzk.circuit.gadget.LabelGadget;
import dev.cuzk.circuit.gadget.MerklePath;
import dev.cuzk.circuit.gadget.Numbers;
import dev.cuzk.circuit.gadget.PoseidonGadget;
import dev.cuzk.circuit.gadget.Words;

/**
 * A partition of a proof of replication ({@code StackedCircuit}).
 *
 * <p>Public inputs: replica id, comm_d, comm_r, then {@value #INPUTS_PER_CHALLENGE} a challenge:
 * its index in TreeD, the {@value SectorShape#BASE_PARENTS} base and {@value
 * SectorShape#EXPANDER_PARENTS} expander parents, the challenge, its index in TreeR, in TreeC; so
 * the challenge stands there four times.
 *
 * @param shape the size of sectors
 */
public record PorepCircuit(SectorShape shape) implements FilecoinCircuit {
  /** Public inputs before those of the challenges. */
  public static final int COMMON_INPUTS = 3;

  /** Public inputs of each challenge. */
  public static final int INPUTS_PER_CHALLENGE = 4 + BASE_PARENTS + EXPANDER_PARENTS;

  private static final int PARENTS = BASE_PARENTS + EXPANDER_PARENTS;
  private static final int NODE_BITS = 64;

  @Override
  public String name() {
    return "porep-" + shape.label();
  }

  @Override
  public String description() {
    return String.format(
        "proof of replication: %d challenges, %d layers; %d partition%s a sector",
        shape.porepChallenges(),
        shape.layers(),
        shape.porepPartitions(),
        shape.porepPartitions() == 1 ? "" : "s");
  }

  @Override
  public int publicInputs() {
    return COMMON_INPUTS + shape.porepChallenges() * INPUTS_PER_CHALLENGE;
  }

  @Override
  public long auxiliaries() {
    return firstAuxiliary(shape.porepChallenges());
  }

  /** Number of private variables before those of a challenge, all of which have as many. */
  public int firstAuxiliary(int challenge) {
    int common = 5 + Numbers.FIELD_BITS + PoseidonGadget.auxiliaries(2);
    return common + challenge * auxiliariesPerChallenge();
  }

  /**
   * Private variables of a challenge: the data node and its path; per parent its column, the hash
   * of it and its path; the bits of the challenge; per layer the bits of the parents' labels and
   * the label; the replica node and its path; the column's hash and path.
   */
  public int auxiliariesPerChallenge() {
    int layers = shape.layers();
    int columnHash = PoseidonGadget.auxiliaries(layers);
    int path = MerklePath.auxiliaries(shape.treeR());
    int openedLabels = layers * BASE_PARENTS + (layers - 1) * EXPANDER_PARENTS;
    return 1
        + MerklePath.auxiliaries(shape.treeD())
        + PARENTS * (layers + columnHash + path)
        + NODE_BITS
        + openedLabels * Numbers.FIELD_BITS
        + layers * LabelGadget.AUXILIARIES
        + 1
        + path
        + columnHash
        + path;
  }

  /** What all challenges share. */
  private record Commitments(Bit[] replicaId, int commD, int commRLast, int commC) {}

  @Override
  public void define(ConstraintSystem system) {
    int replicaId = Numbers.allocateAsInput(system, "replica_id");
    system.enter("replica_id_bits");
    Bit[] replicaIdBits = Numbers.reverseBitsOfBytes(Numbers.toBits(system, replicaId));
    system.leave();
    int commD = Numbers.allocateAsInput(system, "comm_d");
    int commR = Numbers.allocateAsInput(system, "comm_r");
    int commRLast = Numbers.allocate(system, "comm_r_last");
    int commC = Numbers.allocate(system, "comm_c");
    system.enter("H_comm_c_comm_r_last");
    int hash = PoseidonGadget.hash(system, commC, commRLast);
    system.leave();
    Numbers.equal(system, commR, hash);
    Commitments commitments = new Commitments(replicaIdBits, commD, commRLast, commC);
    for (int i = 0; i < shape.porepChallenges(); i++) {
      system.enter("challenge_" + i);
      defineChallenge(system, commitments);
      system.leave();
    }
  }

  private void defineChallenge(ConstraintSystem system, Commitments commitments) {
    int data = system.allocate();
    system.enter("comm_d_inclusion");
    MerklePath.include(system, shape.treeD(), data, commitments.commD);
    system.leave();
    int[][] columns = new int[PARENTS][];
    for (int i = 0; i < PARENTS; i++) {
      String name = i < BASE_PARENTS ? "drg_parent_" + i : "exp_parent_" + (i - BASE_PARENTS);
      columns[i] = new int[shape.layers()];
      for (int layer = 0; layer < shape.layers(); layer++) {
        columns[i][layer] = system.allocate();
      }
      includeColumn(system, name + "_constraint", name + "_inclusion", columns[i], commitments);
    }
    system.enter("challenge");
    Bit[] node = Words.allocate(system, NODE_BITS);
    system.leave();
    Numbers.packIntoInputs(system, node);
    int[] labels = new int[shape.layers()];
    for (int layer = 1; layer <= shape.layers(); layer++) {
      system.enter("labeling_" + layer);
      labels[layer - 1] = label(system, commitments.replicaId, layer, node, columns);
      system.leave();
    }
    int replicaNode = Numbers.add(system, labels[labels.length - 1], data);
    system.enter("comm_r_last_data_inclusion");
    MerklePath.include(system, shape.treeR(), replicaNode, commitments.commRLast);
    system.leave();
    includeColumn(system, "c_x_column_hash", "c_x_inclusion", labels, commitments);
  }

  private void includeColumn(
      ConstraintSystem system,
      String hashName,
      String inclusionName,
      int[] column,
      Commitments commitments) {
    system.enter(hashName);
    int hash = PoseidonGadget.hash(system, column);
    system.leave();
    system.enter(inclusionName);
    MerklePath.include(system, shape.treeR(), hash, commitments.commC);
    system.leave();
  }

  /** Base parents are in the layer itself, expander parents in the one before. */
  private static int label(
      ConstraintSystem system, Bit[] replicaId, int layer, Bit[] node, int[][] columns) {
    Bit[][] parents = new Bit[layer == 1 ? BASE_PARENTS : PARENTS][];
    for (int i = 0; i < parents.length; i++) {
      boolean base = i < BASE_PARENTS;
      system.enter((base ? "drg_parent_" : "exp_parent_") + i + "_bits");
      int parent = columns[i][base ? layer - 1 : layer - 2];
      parents[i] = Numbers.reverseBitsOfBytes(Numbers.toBits(system, parent));
      system.leave();
    }
    system.enter("create_label");
    int label = LabelGadget.create(system, replicaId, layer, node, parents);
    system.leave();
    return label;
  }
}
