package dev.cuzk.proof;

import dev.cuzk.format.InputException;
import dev.cuzk.math.Curve;
import dev.cuzk.proof.Verdict.Check;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;

/**
 * Whether a verifying key is sound as far as its points tell: each canonical, on the curve, in the
 * subgroup, none at infinity, and delta not the value it has before any phase-2 contribution.
 */
public final class VerifyingKeyCheck {
  /**
   * Something found.
   *
   * @param fatal the key is malformed and must not be used; otherwise it is a warning
   * @param message what is wrong, one line
   */
  public record Finding(boolean fatal, String message) {}

  private static final int PIECE = 512;

  private final VerifyingKey key;
  private final Curve curve;

  private VerifyingKeyCheck(VerifyingKey key) {
    this.key = key;
    this.curve = Curve.of(key.curve());
  }

  /**
   * All findings, fatal ones first; empty for a key without fault.
   *
   * @param pool shares the work on keys of many public inputs, or null
   */
  public static List<Finding> check(VerifyingKey key, ForkJoinPool pool) {
    VerifyingKeyCheck check = new VerifyingKeyCheck(key);
    List<Finding> findings = new ArrayList<>();
    check.points(findings);
    check.inputPoints(findings, pool);
    if (findings.isEmpty()) {
      check.contributions(findings);
    }
    return findings;
  }

  /**
   * Refuses a key that is malformed.
   *
   * @param file the proving key that carries it
   */
  public static void requireSound(String file, VerifyingKey key) throws InputException {
    for (Finding finding : check(key, null)) {
      if (finding.fatal()) {
        throw new InputException(
            file,
            "its verifying key is not sound: " + finding.message() + ". " + InputException.DAMAGED);
      }
    }
  }

  private void points(List<Finding> findings) {
    Checker checker = new Checker(curve);
    checker.point("alpha1", key.alpha1(), false, findings);
    checker.point("beta2", key.beta2(), true, findings);
    checker.point("gamma2", key.gamma2(), true, findings);
    checker.point("delta2", key.delta2(), true, findings);
  }

  private void inputPoints(List<Finding> findings, ForkJoinPool pool) {
    int count = key.ic().size();
    int pieces = (count + PIECE - 1) / PIECE;
    if (pool == null || pieces == 1) {
      inputPoints(0, count, findings);
      return;
    }
    List<List<Finding>> found = new ArrayList<>();
    List<ForkJoinTask<?>> tasks = new ArrayList<>();
    for (int i = 0; i < pieces; i++) {
      int from = i * PIECE;
      List<Finding> own = new ArrayList<>();
      found.add(own);
      tasks.add(pool.submit(() -> inputPoints(from, Math.min(count, from + PIECE), own)));
    }
    for (ForkJoinTask<?> task : tasks) {
      task.join();
    }
    for (List<Finding> own : found) {
      findings.addAll(own);
    }
  }

  private void inputPoints(int from, int to, List<Finding> findings) {
    Checker checker = new Checker(curve);
    for (int i = from; i < to; i++) {
      // Infinity binds the proof to no value of this input, but is what a circuit that never uses
      // the input gives.
      if (i == 0 || !Points.isInfinity(key.ic().get(i))) {
        checker.inGroup("IC[" + i + "]", key.ic().get(i), false, findings);
      }
    }
  }

  private void contributions(List<Finding> findings) {
    long[] delta = Points.words(curve, key.delta2());
    long[] generator = curve.generator2();
    if (key.delta2().equals(key.gamma2())) {
      findings.add(
          new Finding(
              false,
              "delta equals gamma: the key has no phase-2 contribution, anyone can forge proofs"));
    } else if (Arrays.equals(delta, generator)) {
      findings.add(
          new Finding(
              false,
              "delta is the generator: the key has no phase-2 contribution, anyone can forge"
                  + " proofs"));
    }
    if (Arrays.equals(Points.words(curve, key.alpha1()), curve.generator1())
        || Arrays.equals(Points.words(curve, key.beta2()), generator)) {
      findings.add(
          new Finding(
              false,
              "alpha or beta is the generator: the key has no phase-1 contribution, anyone can"
                  + " forge proofs"));
    }
    for (int i = 1; i < key.ic().size(); i++) {
      if (Points.isInfinity(key.ic().get(i))) {
        findings.add(
            new Finding(
                false,
                "IC[" + i + "] is at infinity: proofs do not depend on public input " + (i - 1)));
      }
    }
  }

  /** Checks single points on one thread. */
  private static final class Checker {
    private final Curve curve;
    private final PointCheck points;

    Checker(Curve curve) {
      this.curve = curve;
      this.points = new PointCheck(curve);
    }

    void point(String name, List<BigInteger> coordinates, boolean inG2, List<Finding> findings) {
      if (Points.isInfinity(coordinates)) {
        findings.add(new Finding(true, name + " is the point at infinity"));
      } else {
        inGroup(name, coordinates, inG2, findings);
      }
    }

    void inGroup(String name, List<BigInteger> coordinates, boolean inG2, List<Finding> findings) {
      long[] point = new long[coordinates.size() * curve.base().size()];
      Check failed = points.check(coordinates, inG2, point);
      if (failed != Check.NONE) {
        findings.add(new Finding(true, PointCheck.describe(failed, name)));
      }
    }
  }
}
