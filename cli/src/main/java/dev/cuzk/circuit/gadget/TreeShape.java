package dev.cuzk.circuit.gadget;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The shape of a compound Merkle tree: base trees under a sub tree under a top tree.
 *
 * @param hash how nodes are hashed
 * @param baseArity children of a node in base trees
 * @param baseLevels levels of hashing in a base tree
 * @param subArity children of the root of a sub tree, 0 if there is none
 * @param topArity children of the root of the top tree, 0 if there is none
 */
public record TreeShape(TreeHash hash, int baseArity, int baseLevels, int subArity, int topArity) {
  /** A tree without parts. */
  public static TreeShape simple(TreeHash hash, int arity, int levels) {
    return new TreeShape(hash, arity, levels, 0, 0);
  }

  /** Children of the nodes on a path, from the leaf upwards. */
  public List<Integer> arities() {
    List<Integer> arities = new ArrayList<>(Collections.nCopies(baseLevels, baseArity));
    if (subArity > 0) {
      arities.add(subArity);
    }
    if (topArity > 0) {
      arities.add(topArity);
    }
    return arities;
  }

  /** Levels of hashing from a leaf to the root. */
  public int levels() {
    return arities().size();
  }

  /** Bits of a leaf's index. */
  public int indexBits() {
    return arities().stream().mapToInt(TreeShape::log2).sum();
  }

  /** Siblings on a path, all levels together. */
  public int siblings() {
    return arities().stream().mapToInt(arity -> arity - 1).sum();
  }

  static int log2(int arity) {
    return Integer.numberOfTrailingZeros(arity);
  }

  /** The part of the tree that level i of a path lies in. */
  String part(int level) {
    if (level < baseLevels) {
      return "base";
    }
    return level == baseLevels && subArity > 0 ? "sub" : "top";
  }
}
