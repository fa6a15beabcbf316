package dev.cuzk.proof;

import dev.cuzk.proof.Verdict.Check;
import java.math.BigInteger;
import java.util.List;

/**
 * The checks of a proof and its public inputs that come before any pairing. One instance serves one
 * thread at a time.
 */
final class ProofCheck {
  private final PreparedVerifyingKey key;
  private final PointCheck points;

  ProofCheck(PreparedVerifyingKey key) {
    this.key = key;
    this.points = new PointCheck(key.constants());
  }

  /**
   * The first check that fails, or VALID for a proof that may go to the pairing equation.
   *
   * @param a room for A, affine; filled if the verdict is valid, like b and c
   */
  Verdict check(Proof proof, List<BigInteger> inputs, long[] a, long[] b, long[] c) {
    Verdict verdict = checkInputs(inputs);
    if (!verdict.valid()) {
      return verdict;
    }
    if (proof.curve() != key.curve()) {
      return new Verdict(
          Check.CURVE, "the key is for " + key.curve() + ", the proof for " + proof.curve());
    }
    verdict = checkPoint("A", proof.a(), false, a);
    if (verdict.valid()) {
      verdict = checkPoint("B", proof.b(), true, b);
    }
    if (verdict.valid()) {
      verdict = checkPoint("C", proof.c(), false, c);
    }
    return verdict;
  }

  private Verdict checkInputs(List<BigInteger> inputs) {
    int expected = key.key().publicInputs();
    if (inputs.size() != expected) {
      return new Verdict(
          Check.PUBLIC_INPUT_COUNT,
          "the key wants " + expected + " public inputs, found " + inputs.size());
    }
    BigInteger r = key.curve().scalarModulus();
    int index = 0;
    for (BigInteger input : inputs) {
      if (input.signum() < 0 || input.compareTo(r) >= 0) {
        return new Verdict(
            Check.PUBLIC_INPUT_RANGE, "public input " + index + " is outside [0, r)");
      }
      index++;
    }
    return Verdict.VALID;
  }

  private Verdict checkPoint(String name, List<BigInteger> coordinates, boolean inG2, long[] z) {
    Check failed = points.check(coordinates, inG2, z);
    return failed == Check.NONE
        ? Verdict.VALID
        : new Verdict(failed, PointCheck.describe(failed, "point " + name));
  }
}
