package dev.cuzk.proof;

import dev.cuzk.math.Curve;
import dev.cuzk.math.Group;
import dev.cuzk.math.SubgroupCheck;
import dev.cuzk.proof.Verdict.Check;
import java.math.BigInteger;
import java.util.List;

/**
 * The checks of a proof and its public inputs that come before any pairing. One instance serves one
 * thread at a time.
 */
final class ProofCheck {
  private final PreparedVerifyingKey key;
  private final Curve curve;
  private final Group g1;
  private final Group g2;
  private final SubgroupCheck subgroup;

  ProofCheck(PreparedVerifyingKey key) {
    this.key = key;
    this.curve = key.constants();
    this.g1 = Group.of(curve, false);
    this.g2 = Group.of(curve, true);
    this.subgroup = new SubgroupCheck(curve);
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
    if (!Points.areInRange(curve, coordinates)) {
      return new Verdict(
          Check.COORDINATE_RANGE, "a coordinate of point " + name + " is outside [0, p)");
    }
    Points.set(curve, z, 0, coordinates);
    if (!(inG2 ? g2 : g1).isOnCurve(z, 0)) {
      return new Verdict(Check.ON_CURVE, "point " + name + " is not on the curve");
    }
    if (!(inG2 ? subgroup.isInG2(z, 0) : subgroup.isInG1(z, 0))) {
      return new Verdict(
          Check.SUBGROUP, "point " + name + " is on the curve but not in the subgroup of order r");
    }
    return Verdict.VALID;
  }
}
