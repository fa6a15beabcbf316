package dev.cuzk.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.math.Curve;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.CurvePoints;
import dev.cuzk.proof.VerifyingKeyCheck.Finding;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

class VerifyingKeyCheckTest {
  private static VerifyingKey with(
      VerifyingKey key,
      List<BigInteger> alpha,
      List<BigInteger> beta,
      List<BigInteger> gamma,
      List<BigInteger> delta,
      List<BigInteger> lastInput) {
    List<List<BigInteger>> ic = new ArrayList<>(key.ic());
    if (lastInput != null) {
      ic.set(ic.size() - 1, lastInput);
    }
    return new VerifyingKey(
        key.curve(),
        alpha == null ? key.alpha1() : alpha,
        beta == null ? key.beta2() : beta,
        gamma == null ? key.gamma2() : gamma,
        delta == null ? key.delta2() : delta,
        ic);
  }

  private static void expect(VerifyingKey key, boolean fatal, String words) {
    List<Finding> findings = VerifyingKeyCheck.check(key, null);
    assertEquals(1, findings.size(), findings.toString());
    assertEquals(fatal, findings.get(0).fatal(), findings.toString());
    assertTrue(findings.get(0).message().contains(words), findings.toString());
  }

  @Test
  void shouldFindNoFaultInGoodKeys() throws Exception {
    for (String vector : ProofVectors.ALL) {
      assertEquals(List.of(), VerifyingKeyCheck.check(ProofVectors.key(vector), null));
    }
  }

  @Test
  void shouldRefusePointsThatAreNotElementsOfTheGroups() throws Exception {
    Random random = new Random(1);
    for (String vector : ProofVectors.ALL) {
      VerifyingKey key = ProofVectors.key(vector);
      CurveId curve = key.curve();
      BigInteger p = curve.baseModulus();
      List<BigInteger> off1 = List.of(BigInteger.ONE, BigInteger.ONE);
      List<BigInteger> off2 = Collections.nCopies(4, BigInteger.ONE);
      expect(with(key, off1, null, null, null, null), true, "alpha1 is not on the curve");
      expect(with(key, null, off2, null, null, null), true, "beta2 is not on the curve");
      expect(with(key, null, null, null, null, off1), true, "is not on the curve");
      expect(
          with(key, null, null, null, Collections.nCopies(4, p), null),
          true,
          "delta2 has a coordinate outside");
      List<BigInteger> any2 =
          TrapdoorKey.coordinates(curve, CurvePoints.anyPoint(Curve.of(curve), true, random));
      expect(with(key, null, null, any2, null, null), true, "gamma2 is on the curve but not");
      if (curve == CurveId.BLS12_381) {
        List<BigInteger> any1 =
            TrapdoorKey.coordinates(curve, CurvePoints.anyPoint(Curve.of(curve), false, random));
        expect(with(key, null, null, null, null, any1), true, "is on the curve but not");
      }
      List<BigInteger> infinity2 = Collections.nCopies(4, BigInteger.ZERO);
      expect(with(key, null, null, null, infinity2, null), true, "delta2 is the point at infinity");
    }
  }

  @Test
  void shouldWarnOfKeysWithoutContributions() throws Exception {
    for (String vector : ProofVectors.ALL) {
      VerifyingKey key = ProofVectors.key(vector);
      expect(with(key, null, null, null, key.gamma2(), null), false, "delta equals gamma");
      List<BigInteger> generator = TrapdoorKey.multiple(key.curve(), true, BigInteger.ONE);
      expect(with(key, null, generator, null, null, null), false, "phase-1");
      TrapdoorKey trapdoor = new TrapdoorKey(key.curve(), 2, 9);
      expect(with(trapdoor.key(), null, null, null, generator, null), false, "delta is the gen");
    }
  }

  @Test
  void shouldWarnOfInputsThatBindNothing() {
    List<BigInteger> infinity = List.of(BigInteger.ZERO, BigInteger.ZERO);
    VerifyingKey key = new TrapdoorKey(CurveId.BN254, 2, 10).key();
    expect(with(key, null, null, null, null, infinity), false, "public input 1");
  }

  @Test
  void shouldCheckManyInputsOnSeveralThreads() {
    VerifyingKey key = new TrapdoorKey(CurveId.BN254, 1, 11).key();
    List<List<BigInteger>> ic = new ArrayList<>(Collections.nCopies(2000, key.ic().get(0)));
    ic.set(1800, List.of(BigInteger.ONE, BigInteger.ONE));
    VerifyingKey large =
        new VerifyingKey(key.curve(), key.alpha1(), key.beta2(), key.gamma2(), key.delta2(), ic);
    List<Finding> findings = VerifyingKeyCheck.check(large, new ForkJoinPool(2));
    assertEquals(List.of(new Finding(true, "IC[1800] is not on the curve")), findings);
  }
}
