package dev.cuzk.circuit.gadget;

import dev.cuzk.circuit.ConstraintSystem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Inclusion of a leaf in a Merkle tree, in the two forms that Filecoin's circuits have. */
public final class MerklePath {
  private MerklePath() {}

  /**
   * Private variables of {@link #include}: index bits, siblings, insertions and hashes; the leaf
   * and the root not counted.
   */
  public static int auxiliaries(TreeShape shape) {
    return shape.indexBits() + auxiliariesGiven(shape);
  }

  /** Private variables of {@link #includeGiven} together with the siblings. */
  public static int auxiliariesGiven(TreeShape shape) {
    int count = shape.siblings();
    for (int arity : shape.arities()) {
      count += Insertion.auxiliaries(arity) + shape.hash().auxiliaries(arity);
    }
    return count;
  }

  /**
   * Inclusion with the leaf's index as public input ({@code PoRCircuit}, private root). Per level:
   * index bits, siblings, insertion, hash; then the packed index as input, then computed root · ONE
   * = root.
   */
  public static void include(ConstraintSystem system, TreeShape shape, int leaf, int root) {
    List<Bit> index = new ArrayList<>();
    int computed = climb(system, shape, leaf, index);
    packIndex(system, index, computed, root);
  }

  /** The same with the root allocated after the index and made a public input. */
  public static void includeInPublicRoot(ConstraintSystem system, TreeShape shape, int leaf) {
    List<Bit> index = new ArrayList<>();
    int computed = climb(system, shape, leaf, index);
    Numbers.packIntoInputs(system, index.toArray(new Bit[0]));
    int root = system.allocate(values -> values.value(computed));
    Numbers.equal(system, computed, root);
    Numbers.toInput(system, root);
  }

  private static int climb(ConstraintSystem system, TreeShape shape, int leaf, List<Bit> index) {
    List<Integer> arities = shape.arities();
    int node = leaf;
    String part = null;
    int levelOfPart = 0;
    for (int level = 0; level < arities.size(); level++) {
      if (!shape.part(level).equals(part)) {
        if (part != null) {
          system.leave();
        }
        part = shape.part(level);
        levelOfPart = 0;
        system.enter(part);
      }
      system.enter("merkle tree hash " + levelOfPart++);
      node = level(system, shape.hash(), arities.get(level), node, index);
      system.leave();
    }
    system.leave();
    return node;
  }

  private static int level(
      ConstraintSystem system, TreeHash hash, int arity, int node, List<Bit> index) {
    if (hash == TreeHash.SHA256) {
      int[] step = step(system, hash, arity, node);
      return finish(index, step);
    }
    int[] step =
        system.place(
            "level " + arity,
            new int[] {node},
            (inner, arguments) -> step(inner, hash, arity, arguments[0]));
    return finish(index, step);
  }

  private static int finish(List<Bit> index, int[] step) {
    for (int i = 1; i < step.length; i++) {
      index.add(Bit.of(step[i]));
    }
    return step[0];
  }

  /** Gives the parent, then the index bits. */
  private static int[] step(ConstraintSystem system, TreeHash hash, int arity, int node) {
    Bit[] bits = Words.allocate(system, TreeShape.log2(arity));
    int[] siblings = new int[arity - 1];
    for (int i = 0; i < siblings.length; i++) {
      siblings[i] = system.allocate();
    }
    int[] children = Insertion.insert(system, node, bits, siblings);
    system.enter("computation of commitment hash");
    int parent = hash.hash(system, children);
    system.leave();
    int[] result = new int[1 + bits.length];
    result[0] = parent;
    for (int i = 0; i < bits.length; i++) {
      result[1 + i] = bits[i].code();
    }
    return result;
  }

  private static void packIndex(ConstraintSystem system, List<Bit> index, int computed, int root) {
    int[] arguments = new int[index.size() + 2];
    for (int i = 0; i < index.size(); i++) {
      arguments[i] = index.get(i).code();
    }
    arguments[index.size()] = computed;
    arguments[index.size() + 1] = root;
    system.place(
        "path " + index.size(),
        arguments,
        (inner, codes) -> {
          int bits = codes.length - 2;
          Bit[] packed = Arrays.stream(codes, 0, bits).mapToObj(Bit::of).toArray(Bit[]::new);
          Numbers.packIntoInputs(inner, packed);
          Numbers.equal(inner, codes[bits], codes[bits + 1]);
          return new int[0];
        });
  }

  /**
   * Inclusion with given index bits and siblings ({@code por_no_challenge_input}): per level
   * insertion and hash; then computed root · ONE = root.
   *
   * @param bits of the index, the least significant first
   * @param siblings per level, from the leaf upwards
   */
  public static void includeGiven(
      ConstraintSystem system,
      TreeShape shape,
      Bit[] bits,
      int leaf,
      List<int[]> siblings,
      int root) {
    List<Integer> arities = shape.arities();
    int node = leaf;
    int used = 0;
    for (int level = 0; level < arities.size(); level++) {
      int width = TreeShape.log2(arities.get(level));
      Bit[] index = Arrays.copyOfRange(bits, used, used + width);
      used += width;
      node = givenLevel(system, shape.hash(), level, index, node, siblings.get(level));
    }
    if (used != bits.length) {
      throw new IllegalArgumentException("as many index bits as the tree's shape has");
    }
    Numbers.equal(system, node, root);
  }

  private static int givenLevel(
      ConstraintSystem system, TreeHash hash, int level, Bit[] index, int node, int[] siblings) {
    int[] arguments = new int[index.length + 1 + siblings.length];
    for (int i = 0; i < index.length; i++) {
      arguments[i] = index[i].code();
    }
    arguments[index.length] = node;
    System.arraycopy(siblings, 0, arguments, index.length + 1, siblings.length);
    system.enter("merkle proof insert (height=" + level + ")");
    int[] children =
        system.place(
            "insert " + (siblings.length + 1),
            arguments,
            (inner, codes) ->
                Insertion.insert(
                    inner,
                    codes[index.length],
                    Arrays.stream(codes, 0, index.length).mapToObj(Bit::of).toArray(Bit[]::new),
                    Arrays.copyOfRange(codes, index.length + 1, codes.length)));
    system.leave();
    system.enter("merkle proof hash (height=" + level + ")");
    int parent = hash.hash(system, children);
    system.leave();
    return parent;
  }
}
