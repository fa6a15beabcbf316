package dev.cuzk.circuit.gadget;

import dev.cuzk.circuit.ConstraintSystem;

/** How the nodes of a Merkle tree are hashed. */
public enum TreeHash {
  /** Poseidon with the tag of its arity: TreeC, TreeR. */
  POSEIDON {
    @Override
    public int hash(ConstraintSystem system, int... children) {
      return PoseidonGadget.hash(system, children);
    }

    @Override
    public int auxiliaries(int arity) {
      return PoseidonGadget.auxiliaries(arity);
    }
  },

  /** SHA-256 of two nodes of 256 bits, cut to 254 bits: TreeD. */
  SHA256 {
    @Override
    public int hash(ConstraintSystem system, int... children) {
      return sha256(system, children, "0_num_into_bits", "1_num_into_bits");
    }

    @Override
    public int auxiliaries(int arity) {
      return SHA256_AUXILIARIES;
    }
  };

  private static final int SHA256_AUXILIARIES = 45_331;

  /** Private variables of the hash of a node with that many children, those not counted. */
  public abstract int auxiliaries(int arity);

  /** The parent of nodes; numbers all. */
  public abstract int hash(ConstraintSystem system, int... children);

  /** The parent of two nodes in a SHA-256 tree, with names for the parts. */
  static int sha256(ConstraintSystem system, int[] children, String... names) {
    Bit[][] parts = new Bit[children.length][];
    for (int i = 0; i < children.length; i++) {
      system.enter(names[i]);
      parts[i] = Numbers.reverseBitsOfBytes(Numbers.toBits(system, children[i]));
      system.leave();
    }
    return sha256(system, Words.concatenate(parts));
  }

  /** SHA-256 of bits, cut to 254 bits and made a number. */
  static int sha256(ConstraintSystem system, Bit[] message) {
    system.enter("hash");
    Bit[] digest = Sha256Gadget.hash(system, message);
    system.leave();
    return Numbers.pack(system, Numbers.reverseBitsOfBytes(digest));
  }

  /** A node of the apex tree of an EmptySectorUpdate. */
  public static int apex(ConstraintSystem system, int left, int right) {
    return sha256(system, new int[] {left, right}, "a_bits", "b_bits");
  }
}
