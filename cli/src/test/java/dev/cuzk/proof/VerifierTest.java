package dev.cuzk.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.math.Curve;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.CurvePoints;
import dev.cuzk.proof.Verdict.Check;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class VerifierTest {
  private static Check check(String vector, Proof proof, List<BigInteger> inputs) throws Exception {
    return Verifier.verify(ProofVectors.key(vector), proof, inputs).failed();
  }

  /** The proof with coordinate {@code index} of its eight replaced. */
  private static Proof withCoordinate(Proof proof, int index, BigInteger value) {
    List<BigInteger> all = new ArrayList<>(proof.a());
    all.addAll(proof.b());
    all.addAll(proof.c());
    all.set(index, value);
    return new Proof(proof.curve(), all.subList(0, 2), all.subList(2, 6), all.subList(6, 8));
  }

  private static BigInteger coordinate(Proof proof, int index) {
    return index < 2
        ? proof.a().get(index)
        : index < 6 ? proof.b().get(index - 2) : proof.c().get(index - 6);
  }

  @Test
  void shouldAcceptWhatSnarkjsAccepts() throws Exception {
    for (String vector : ProofVectors.ALL) {
      Verdict verdict =
          Verifier.verify(
              ProofVectors.key(vector),
              ProofVectors.proof(vector),
              ProofVectors.publicSignals(vector));
      assertTrue(verdict.valid(), vector + ": " + verdict.reason());
      assertFalse(verdict.malformed());
    }
  }

  @Property(tries = 12)
  void shouldAcceptProofsForAnyNumberOfInputs(
      @ForAll CurveId curve, @ForAll @IntRange(min = 0, max = 40) int inputs, @ForAll long seed) {
    TrapdoorKey trapdoor = new TrapdoorKey(curve, inputs, seed);
    Verifier verifier = new Verifier(PreparedVerifyingKey.of(trapdoor.key()));
    List<BigInteger> values = trapdoor.inputs();
    Proof proof = trapdoor.prove(values);
    assertTrue(verifier.verify(proof, values).valid());
    for (int i = 0; i < inputs; i += 7) {
      List<BigInteger> changed = new ArrayList<>(values);
      changed.set(i, changed.get(i).add(BigInteger.ONE).mod(curve.scalarModulus()));
      assertEquals(Check.EQUATION, verifier.verify(proof, changed).failed());
    }
  }

  @Test
  void shouldShareManyInputsAmongThreads() {
    TrapdoorKey trapdoor = new TrapdoorKey(CurveId.BN254, 150, 3);
    List<BigInteger> values = trapdoor.inputs();
    values.set(0, BigInteger.ZERO);
    values.set(1, BigInteger.ONE);
    values.set(2, CurveId.BN254.scalarModulus().subtract(BigInteger.ONE));
    Verifier verifier = new Verifier(PreparedVerifyingKey.of(trapdoor.key()), new ForkJoinPool(2));
    assertTrue(verifier.verify(trapdoor.prove(values), values).valid());
  }

  @Test
  void shouldRefuseEveryChangedCoordinate() throws Exception {
    for (String vector : ProofVectors.ALL) {
      Proof proof = ProofVectors.proof(vector);
      BigInteger p = proof.curve().baseModulus();
      List<BigInteger> inputs = ProofVectors.publicSignals(vector);
      for (int i = 0; i < 8; i++) {
        BigInteger value = coordinate(proof, i);
        Proof changed = withCoordinate(proof, i, value.add(BigInteger.ONE).mod(p));
        assertEquals(Check.ON_CURVE, check(vector, changed, inputs), vector + " " + i);
        Proof large = withCoordinate(proof, i, value.add(p));
        assertEquals(Check.COORDINATE_RANGE, check(vector, large, inputs));
        Proof negative = withCoordinate(proof, i, value.negate());
        assertEquals(Check.COORDINATE_RANGE, check(vector, negative, inputs));
      }
    }
  }

  @Test
  void shouldRefuseNegatedSwappedAndInfinitePoints() throws Exception {
    BigInteger zero = BigInteger.ZERO;
    for (String vector : ProofVectors.ALL) {
      Proof proof = ProofVectors.proof(vector);
      BigInteger p = proof.curve().baseModulus();
      List<BigInteger> inputs = ProofVectors.publicSignals(vector);
      for (int y : new int[] {1, 7}) {
        Proof negated = withCoordinate(proof, y, p.subtract(coordinate(proof, y)));
        assertEquals(Check.EQUATION, check(vector, negated, inputs));
      }
      CurveId curve = proof.curve();
      Proof swapped = new Proof(curve, proof.c(), proof.b(), proof.a());
      assertEquals(Check.EQUATION, check(vector, swapped, inputs));
      Proof infinite = new Proof(curve, List.of(zero, zero), proof.b(), proof.c());
      assertEquals(Check.EQUATION, check(vector, infinite, inputs));
      Proof empty =
          new Proof(curve, List.of(zero, zero), Collections.nCopies(4, zero), List.of(zero, zero));
      assertEquals(Check.EQUATION, check(vector, empty, inputs));
    }
  }

  @Test
  void shouldRefusePointsOutsideTheSubgroup() throws Exception {
    Random random = new Random(17);
    for (String vector : ProofVectors.ALL) {
      Proof proof = ProofVectors.proof(vector);
      CurveId curve = proof.curve();
      List<BigInteger> inputs = ProofVectors.publicSignals(vector);
      List<BigInteger> any2 =
          TrapdoorKey.coordinates(curve, CurvePoints.anyPoint(Curve.of(curve), true, random));
      assertEquals(
          Check.SUBGROUP, check(vector, new Proof(curve, proof.a(), any2, proof.c()), inputs));
      if (curve == CurveId.BLS12_381) {
        List<BigInteger> any1 =
            TrapdoorKey.coordinates(curve, CurvePoints.anyPoint(Curve.of(curve), false, random));
        Proof outside = new Proof(curve, any1, proof.b(), proof.c());
        assertEquals(Check.SUBGROUP, check(vector, outside, inputs));
        outside = new Proof(curve, proof.a(), proof.b(), any1);
        assertEquals(Check.SUBGROUP, check(vector, outside, inputs));
      }
    }
  }

  @Test
  void shouldRefusePublicInputsOfWrongCountOrRange() throws Exception {
    for (String vector : ProofVectors.ALL) {
      Proof proof = ProofVectors.proof(vector);
      BigInteger r = proof.curve().scalarModulus();
      List<BigInteger> inputs = ProofVectors.publicSignals(vector);
      List<BigInteger> more = new ArrayList<>(inputs);
      more.add(BigInteger.ZERO);
      assertEquals(Check.PUBLIC_INPUT_COUNT, check(vector, proof, more));
      if (inputs.isEmpty()) {
        continue;
      }
      List<BigInteger> fewer = inputs.subList(0, inputs.size() - 1);
      assertEquals(Check.PUBLIC_INPUT_COUNT, check(vector, proof, fewer));
      for (int i = 0; i < inputs.size(); i++) {
        List<BigInteger> changed = new ArrayList<>(inputs);
        changed.set(i, inputs.get(i).add(r));
        assertEquals(Check.PUBLIC_INPUT_RANGE, check(vector, proof, changed));
        changed.set(i, inputs.get(i).subtract(r));
        Verdict verdict = Verifier.verify(ProofVectors.key(vector), proof, changed);
        assertEquals(Check.PUBLIC_INPUT_RANGE, verdict.failed());
        assertTrue(verdict.malformed());
        changed.set(i, inputs.get(i).add(BigInteger.ONE).mod(r));
        assertEquals(Check.EQUATION, check(vector, proof, changed));
      }
    }
  }

  @Test
  void shouldRefuseProofsOfAnotherCurve() throws Exception {
    assertEquals(
        Check.CURVE,
        check(
            "multiplier-bn128",
            ProofVectors.proof("multiplier-bls12381"),
            ProofVectors.publicSignals("multiplier-bn128")));
  }

  @Test
  void shouldRefuseProofsOfAnotherKey() {
    TrapdoorKey one = new TrapdoorKey(CurveId.BLS12_381, 2, 1);
    TrapdoorKey other = new TrapdoorKey(CurveId.BLS12_381, 2, 2);
    List<BigInteger> inputs = one.inputs();
    assertEquals(Check.EQUATION, Verifier.verify(other.key(), one.prove(inputs), inputs).failed());
  }

  @Test
  void shouldNotPrepareKeysOutOfRange() throws Exception {
    VerifyingKey key = ProofVectors.key("multiplier-bn128");
    BigInteger p = key.curve().baseModulus();
    VerifyingKey bad =
        new VerifyingKey(
            key.curve(),
            List.of(key.alpha1().get(0).add(p), key.alpha1().get(1)),
            key.beta2(),
            key.gamma2(),
            key.delta2(),
            key.ic());
    assertThrows(IllegalArgumentException.class, () -> PreparedVerifyingKey.of(bad));
  }
}
