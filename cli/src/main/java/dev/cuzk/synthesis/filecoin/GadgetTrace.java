package dev.cuzk.synthesis.filecoin;

import static dev.cuzk.synthesis.filecoin.ValueWriter.WORDS;

import dev.cuzk.format.InputException;
import dev.cuzk.format.filecoin.MerkleProof;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import dev.cuzk.math.PoseidonConstants;
import java.util.Arrays;

/**
 * Writes the values that gadgets of {@link dev.cuzk.circuit.gadget} allocate, in their order, from
 * the numbers that go in. Numbers are canonical, four words each.
 *
 * <p>Holds room for the work: one instance serves one thread at a time.
 */
final class GadgetTrace {
  static final Field FIELD = Field.scalar(CurveId.BLS12_381);

  /** Bits of a number. */
  static final int FIELD_BITS = 255;

  private static final int LARGEST_ARITY = 11;
  private static final int NUMBER_WORDS32 = 8;

  /** The bit of a number's last byte that is no variable, as it lies in SHA-256's last word. */
  private static final int TOP_BIT = 0x80;

  private static final long TRUNCATION = -1L >>> 2;

  final ValueWriter out;
  private final PoseidonTrace[] poseidons = new PoseidonTrace[LARGEST_ARITY + 1];
  private final Sha256Trace sha256 = new Sha256Trace();
  private PoseidonTrace randomness;

  /** What an insertion chooses from: the node, then its siblings. */
  private final long[] choices = new long[8 * WORDS];

  private final long[] children = new long[8 * WORDS];
  private final int[] digest = new int[Sha256Trace.STATE_WORDS];
  private final int[] pairMessage = new int[2 * Sha256Trace.BLOCK_WORDS];
  private final int[] pairConstants = new int[2 * Sha256Trace.BLOCK_WORDS];

  GadgetTrace(ValueWriter out) {
    this.out = out;
    Arrays.fill(pairConstants, Sha256Trace.BLOCK_WORDS, pairConstants.length, -1);
    pairMessage[Sha256Trace.BLOCK_WORDS] = Integer.MIN_VALUE;
    pairMessage[pairMessage.length - 1] = Sha256Trace.BLOCK_WORDS * Integer.SIZE;
  }

  /**
   * Loads a number.
   *
   * @throws InputException if the bytes are not canonical
   */
  static void load(long[] z, int zAt, byte[] bytes, int offset, Place place) throws InputException {
    if (!FIELD.load(z, zAt, bytes, offset)) {
      throw place.problem(
          "is no field element", "a number below r", Hash32.of(bytes, offset).toString());
    }
  }

  /** Loads a number and writes it. */
  void allocate(long[] z, int zAt, byte[] bytes, int offset, Place place) throws InputException {
    load(z, zAt, bytes, offset, place);
    out.number(z, zAt);
  }

  /** z = Poseidon of numbers that stand one behind the other. */
  void poseidon(long[] z, int zAt, long[] x, int at, int arity) {
    if (poseidons[arity] == null) {
      poseidons[arity] =
          new PoseidonTrace(PoseidonConstants.of(arity, PoseidonConstants.Domain.MERKLE_TREE));
    }
    poseidons[arity].hash(out, z, zAt, x, at);
  }

  /** z = the hash of two numbers that randomness is made of. */
  void randomness(long[] z, int zAt, long[] x, int at) {
    if (randomness == null) {
      randomness = new PoseidonTrace(PoseidonConstants.of(2, PoseidonConstants.Domain.RANDOMNESS));
    }
    randomness.hash(out, z, zAt, x, at);
  }

  /** The 255 bits of a number, and its words as SHA-256 takes them. */
  void bits(long[] x, int at, int[] message, int[] constants, int first) {
    bits(x, at);
    toMessage(x, at, message, first);
    constants[first + NUMBER_WORDS32 - 1] = TOP_BIT;
  }

  /** The 255 bits of a number. */
  void bits(long[] x, int at) {
    for (int i = 0; i < WORDS; i++) {
      out.bits(x[at + i], Math.min(Long.SIZE, FIELD_BITS - i * Long.SIZE));
    }
  }

  /** A number's bytes as big-endian words. */
  static void toMessage(long[] x, int at, int[] message, int first) {
    for (int i = 0; i < WORDS; i++) {
      long reversed = Long.reverseBytes(x[at + i]);
      message[first + 2 * i] = (int) (reversed >>> Integer.SIZE);
      message[first + 2 * i + 1] = (int) reversed;
    }
  }

  /** z = SHA-256 of whole blocks, cut to 254 bits. */
  void sha256(long[] z, int zAt, int[] message, int[] constants) {
    sha256.hash(out, message, constants, digest);
    for (int i = 0; i < WORDS; i++) {
      long word = (long) digest[2 * i] << Integer.SIZE | Integer.toUnsignedLong(digest[2 * i + 1]);
      z[zAt + i] = Long.reverseBytes(word);
    }
    z[zAt + WORDS - 1] &= TRUNCATION;
    out.number(z, zAt);
  }

  /** z = the parent of two nodes of a SHA-256 tree that stand one behind the other. */
  void sha256Pair(long[] z, int zAt, long[] x, int at) {
    bits(x, at, pairMessage, pairConstants, 0);
    bits(x, at + WORDS, pairMessage, pairConstants, NUMBER_WORDS32);
    sha256(z, zAt, pairMessage, pairConstants);
  }

  /** Writes z = condition ? a : b, where a and b are places among the choices. */
  private int pick(long condition, int a, int b) {
    int chosen = condition != 0 ? a : b;
    out.number(choices, chosen * WORDS);
    return chosen;
  }

  /** One of 2^n numbers, by the lowest n bits of an index; gives its place. */
  int select(long[] from, int bits, long index) {
    int selected = 0;
    int half = 1 << bits;
    for (int bit = bits - 1; bit >= 0; bit--) {
      half >>= 1;
      selected |= (int) (index >>> bit & 1) << bit;
      for (int j = 0; j < half; j++) {
        out.number(from, (selected | j) * WORDS);
      }
    }
    return selected;
  }

  /**
   * Inserts a node among its siblings (in {@link #choices}) at an index, to {@link #children};
   * {@link dev.cuzk.circuit.gadget.Insertion} has these choices in this order.
   */
  private void insert(int arity, int index) {
    long b0 = index & 1;
    long b1 = index >>> 1 & 1;
    long b2 = index >>> 2 & 1;
    switch (arity) {
      case 2 -> children(pick(b0, 1, 0), pick(b0, 0, 1));
      case 8 -> {
        long neither = ~(b0 | b1) & 1;
        long both = b0 & b1;
        out.number(neither);
        out.number(both);
        children(
            pick(b2, 1, pick(neither, 0, 1)),
            pick(b2, 2, pick(b1, 2, pick(b0, 0, 1))),
            pick(b2, 3, pick(b1, pick(b0, 3, 0), 2)),
            pick(b2, 4, pick(both, 0, 3)),
            pick(b2, pick(neither, 0, 5), 4),
            pick(b2, pick(b1, 6, pick(b0, 0, 5)), 5),
            pick(b2, pick(b1, pick(b0, 7, 0), 6), 6),
            pick(b2, pick(both, 0, 7), 7));
      }
      default -> throw new IllegalArgumentException("a tree of arity " + arity);
    }
  }

  private void children(int... places) {
    for (int i = 0; i < places.length; i++) {
      System.arraycopy(choices, places[i] * WORDS, children, i * WORDS, WORDS);
    }
  }

  /**
   * Inclusion whose index and siblings are allocated level by level; changes the node to the root.
   *
   * @param binary whether it is a SHA-256 tree
   */
  void include(MerkleProof path, boolean binary, long[] node, Place place) throws InputException {
    for (int level = 0; level < path.height(); level++) {
      int arity = path.arities()[level];
      out.bits(path.indices()[level], Integer.numberOfTrailingZeros(arity));
      loadSiblings(path, level, place);
      for (int i = 1; i < arity; i++) {
        out.number(choices, i * WORDS);
      }
      climb(arity, path.indices()[level], binary, node);
    }
  }

  /**
   * Inclusion whose siblings are allocated first and whose index bits are there, in the lowest
   * levels of a path.
   */
  void includeGiven(MerkleProof path, int levels, boolean binary, long[] node, Place place)
      throws InputException {
    allocateSiblings(path, 0, levels, place);
    climbGiven(path, 0, levels, binary, node, place);
  }

  /** The siblings of some levels of a path. */
  void allocateSiblings(MerkleProof path, int first, int end, Place place) throws InputException {
    for (int level = first; level < end; level++) {
      loadSiblings(path, level, place);
      for (int i = 1; i < path.arities()[level]; i++) {
        out.number(choices, i * WORDS);
      }
    }
  }

  /** Insertions and hashes of some levels of a path. */
  void climbGiven(MerkleProof path, int first, int end, boolean binary, long[] node, Place place)
      throws InputException {
    for (int level = first; level < end; level++) {
      loadSiblings(path, level, place);
      climb(path.arities()[level], path.indices()[level], binary, node);
    }
  }

  private void loadSiblings(MerkleProof path, int level, Place place) throws InputException {
    for (int i = 0; i < path.arities()[level] - 1; i++) {
      if (!FIELD.load(choices, (1 + i) * WORDS, path.bytes(), path.sibling(level, i))) {
        throw place.problem("sibling " + i + " on level " + level + " is no field element");
      }
    }
  }

  private void climb(int arity, int index, boolean binary, long[] node) {
    System.arraycopy(node, 0, choices, 0, WORDS);
    insert(arity, index);
    if (binary) {
      sha256Pair(node, 0, children, 0);
    } else {
      poseidon(node, 0, children, 0, arity);
    }
  }

  /** Refuses a node that is not the root that its path should lead to. */
  static void requireRoot(long[] node, long[] root, int at, String tree, Place place)
      throws InputException {
    if (!Arrays.equals(node, 0, WORDS, root, at, at + WORDS)) {
      throw place.problem(
          tree
              + ": the path does not lead from the leaf to the root: the leaf, a sibling or the"
              + " root is wrong");
    }
  }
}
