package dev.cuzk.circuit.gadget;

import dev.cuzk.circuit.ConstraintSystem;
import java.util.Arrays;

/** Labels of the stacked graph ({@code create_label_circuit} of storage-proofs-porep). */
public final class LabelGadget {
  /** Parents whose labels are hashed; the given ones are repeated up to this number. */
  public static final int PARENTS = 37;

  /** Private variables of a label, whatever its layer and number of parents. */
  public static final int AUXILIARIES = 521_749;

  private static final int PADDING_BITS = 160;

  private LabelGadget() {}

  /**
   * The label: SHA-256 of replica id | layer | node | zeros | parents, cut to 254 bits.
   *
   * @param replicaId 256 bits, bytes in SHA-256's order
   * @param layer counted from 1
   * @param node 64 bits, the least significant first
   * @param parents labels of 256 bits, bytes in SHA-256's order; repeated up to {@link #PARENTS}
   */
  public static int create(
      ConstraintSystem system, Bit[] replicaId, int layer, Bit[] node, Bit[][] parents) {
    Bit[] zeros = new Bit[PADDING_BITS];
    Arrays.fill(zeros, Bit.FALSE);
    Bit[][] parts = new Bit[4 + PARENTS][];
    parts[0] = replicaId;
    parts[1] = Words.reverse(Words.constant(layer));
    parts[2] = Words.reverse(node);
    parts[3] = zeros;
    for (int i = 0; i < PARENTS; i++) {
      parts[4 + i] = parents[i % parents.length];
    }
    return TreeHash.sha256(system, Words.concatenate(parts));
  }
}
