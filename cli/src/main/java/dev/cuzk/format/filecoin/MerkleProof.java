package dev.cuzk.format.filecoin;

/**
 * A path from a leaf of a tree to its root, as a view on the bytes of a bincode file: nothing is
 * copied. Hashes are 32 bytes, little-endian canonical.
 *
 * @param bytes the file; must not be changed
 * @param form 0 Single, 1 Sub, 2 Top: how many trees stand one above the other, less one
 * @param rootOffset where the root stands
 * @param leafOffset where the leaf stands
 * @param levels for each level, leaf first, where its siblings stand (arity − 1 hashes)
 * @param arities for each level the number of children of a node
 * @param indices for each level the position among these
 * @param subLevel the first level of the sub tree, or the number of levels
 * @param topLevel the first level of the top tree, or the number of levels
 */
public record MerkleProof(
    byte[] bytes,
    int form,
    int rootOffset,
    int leafOffset,
    int[] levels,
    byte[] arities,
    byte[] indices,
    int subLevel,
    int topLevel) {
  /** Bytes of a hash. */
  public static final int HASH_BYTES = 32;

  /** Number of levels between leaf and root. */
  public int height() {
    return levels.length;
  }

  /** Where sibling i of a level stands; siblings are those in order, the own node left out. */
  public int sibling(int level, int i) {
    return levels[level] + i * HASH_BYTES;
  }

  /** The leaf's number: the lowest digit is the first level's index. */
  public long leafIndex() {
    long index = 0;
    for (int level = levels.length - 1; level >= 0; level--) {
      index = index * arities[level] + indices[level];
    }
    return index;
  }
}
