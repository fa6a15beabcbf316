package dev.cuzk.synthesis.filecoin;

import dev.cuzk.format.InputException;

/**
 * Where in a vanilla proof something stands, for messages.
 *
 * @param file what messages call it
 * @param where {@code partition 3, challenge 5 (node 27)}
 */
record Place(String file, String where) {
  private static final String REMEDY =
      "Make the vanilla proofs again, or check the facts that they were made for.";

  static Place of(String file, int partition, int challenge, long node) {
    return new Place(
        file, "partition " + partition + ", challenge " + challenge + " (node " + node + ")");
  }

  /** The same place, and more exactly. */
  Place in(String part) {
    return new Place(file, where + ", " + part);
  }

  InputException problem(String problem) {
    return new InputException(file, problem + " (" + where + "). " + REMEDY);
  }

  InputException problem(String problem, Object expected, Object found) {
    return InputException.at(file, problem, where, expected, found, REMEDY);
  }

  void requireEqual(String what, long expected, long found) throws InputException {
    if (expected != found) {
      throw problem(what + " is another one", expected, found);
    }
  }

  /** Refuses what is not the canonical form of a field element, or zero. */
  void requireCommitment(String name, Hash32 commitment) throws InputException {
    if (!commitment.isScalar()) {
      throw problem(name + " is no field element", "a number below r", commitment);
    }
    if (commitment.isZero()) {
      throw problem(name + " is zero", "a commitment", commitment);
    }
  }
}
