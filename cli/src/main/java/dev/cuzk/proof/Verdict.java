package dev.cuzk.proof;

/**
 * What a verifier found.
 *
 * @param failed the first check that did not hold, {@link Check#NONE} for a valid proof
 * @param reason what is wrong, in words for a message; empty for a valid proof
 */
public record Verdict(Check failed, String reason) {
  /** The checks in the order they are made. */
  public enum Check {
    /** No check failed: the proof is valid. */
    NONE,
    /** The number of public inputs differs from the key's: the input is malformed. */
    PUBLIC_INPUT_COUNT,
    /** A public input is negative or not below r: the input is malformed. */
    PUBLIC_INPUT_RANGE,
    /** The proof is for another curve than the key: the input is malformed. */
    CURVE,
    /** A coordinate is negative or not below p: the input is malformed. */
    COORDINATE_RANGE,
    /** A point does not satisfy the curve's equation, so it is none: the input is malformed. */
    ON_CURVE,
    /** A point of the curve lies outside the subgroup of order r. */
    SUBGROUP,
    /** The pairing equation does not hold. */
    EQUATION
  }

  static final Verdict VALID = new Verdict(Check.NONE, "");
  static final Verdict NOT_EQUAL =
      new Verdict(
          Check.EQUATION,
          "the pairing equation does not hold (another key, other public inputs, or a wrong"
              + " proof)");

  public boolean valid() {
    return failed == Check.NONE;
  }

  /** Whether the proof or its public inputs are not even points and numbers that fit this key. */
  public boolean malformed() {
    return switch (failed) {
      case PUBLIC_INPUT_COUNT, PUBLIC_INPUT_RANGE, CURVE, COORDINATE_RANGE, ON_CURVE -> true;
      case NONE, SUBGROUP, EQUATION -> false;
    };
  }
}
