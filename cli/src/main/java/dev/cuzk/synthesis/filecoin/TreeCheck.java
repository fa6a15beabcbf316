package dev.cuzk.synthesis.filecoin;

import dev.cuzk.circuit.gadget.TreeHash;
import dev.cuzk.circuit.gadget.TreeShape;
import dev.cuzk.format.InputException;
import dev.cuzk.format.filecoin.MerkleProof;
import java.util.List;

/** Whether paths fit a tree's shape, and lead from their leaf to their root. Immutable. */
final class TreeCheck {
  private static final List<String> FORMS = List.of("Single", "Sub", "Top");

  private static final int WORDS = 4;

  private final String name;
  private final TreeShape shape;
  private final List<Integer> arities;

  /**
   * @param name for messages: {@code tree R}
   */
  TreeCheck(String name, TreeShape shape) {
    this.name = name;
    this.shape = shape;
    this.arities = shape.arities();
  }

  /** A path that does not fit, with its place. */
  private InputException problem(Place place, String problem, Object expected, Object found) {
    return place.problem(name + ": " + problem, expected, found);
  }

  /** Height, arities and the leaf's number; all without hashing. */
  void requireShape(Place place, MerkleProof path, long leaf) throws InputException {
    int form = (shape.subArity() > 0 ? 1 : 0) + (shape.topArity() > 0 ? 1 : 0);
    if (path.form() != form) {
      throw problem(place, "the path is of another form", FORMS.get(form), FORMS.get(path.form()));
    }
    if (path.height() != arities.size() || path.subLevel() != shape.baseLevels()) {
      throw problem(
          place, "the path is of another length", arities.size() + " levels", path.height());
    }
    for (int level = 0; level < arities.size(); level++) {
      if (path.arities()[level] != arities.get(level)) {
        throw problem(
            place,
            "level " + level + " of the path has another number of siblings",
            arities.get(level) - 1,
            path.arities()[level] - 1);
      }
    }
    if (path.leafIndex() != leaf) {
      throw problem(place, "the path is of another leaf", leaf, path.leafIndex());
    }
  }

  /** That the root of a path is this one. */
  void requireRoot(Place place, MerkleProof path, byte[] bytes, int offset, String root)
      throws InputException {
    Hash32 expected = Hash32.of(bytes, offset);
    if (!expected.matches(path.bytes(), path.rootOffset())) {
      throw problem(
          place,
          "the path's root is not " + root,
          expected,
          Hash32.of(path.bytes(), path.rootOffset()));
    }
  }

  /** That hashing leads from the leaf to the root. */
  void requireHashes(Place place, MerkleProof path, Hashers hashers) throws InputException {
    boolean leads =
        shape.hash() == TreeHash.POSEIDON
            ? leadsByPoseidon(place, path, hashers)
            : leadsBySha256(place, path, hashers);
    if (!leads) {
      throw place.problem(
          name
              + ": the path does not lead from the leaf to the root: the leaf, a sibling or the"
              + " root is wrong");
    }
  }

  private boolean leadsByPoseidon(Place place, MerkleProof path, Hashers hashers)
      throws InputException {
    long[] node = new long[WORDS];
    requireCanonical(place, hashers.load(node, 0, path.bytes(), path.leafOffset()), "the leaf");
    long[] children = new long[shape.baseArity() * WORDS];
    for (int level = 0; level < path.height(); level++) {
      int arity = path.arities()[level];
      for (int i = 0, sibling = 0; i < arity; i++) {
        if (i == path.indices()[level]) {
          System.arraycopy(node, 0, children, i * WORDS, WORDS);
        } else {
          boolean canonical =
              hashers.load(children, i * WORDS, path.bytes(), path.sibling(level, sibling++));
          requireCanonical(place, canonical, "a sibling on level " + level);
        }
      }
      hashers.poseidon(arity).hash(node, 0, children, 0);
    }
    return hashers.isEqual(node, 0, path.bytes(), path.rootOffset());
  }

  private boolean leadsBySha256(Place place, MerkleProof path, Hashers hashers)
      throws InputException {
    byte[] pair = new byte[2 * Hash32.BYTES];
    byte[] node = new byte[Hash32.BYTES];
    System.arraycopy(path.bytes(), path.leafOffset(), node, 0, Hash32.BYTES);
    requireCanonical(place, Hash32.isScalar(node, 0), "the leaf");
    for (int level = 0; level < path.height(); level++) {
      int own = path.indices()[level] * Hash32.BYTES;
      int sibling = path.sibling(level, 0);
      requireCanonical(
          place, Hash32.isScalar(path.bytes(), sibling), "the sibling on level " + level);
      System.arraycopy(node, 0, pair, own, Hash32.BYTES);
      System.arraycopy(path.bytes(), sibling, pair, Hash32.BYTES - own, Hash32.BYTES);
      hashers.sha256(pair, 0, pair.length, node, 0);
    }
    return Hash32.of(node).matches(path.bytes(), path.rootOffset());
  }

  private void requireCanonical(Place place, boolean canonical, String what) throws InputException {
    if (!canonical) {
      throw problem(place, what + " is no field element", "a number below r", "a larger one");
    }
  }
}
