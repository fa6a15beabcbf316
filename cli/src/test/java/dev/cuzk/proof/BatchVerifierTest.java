package dev.cuzk.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cuzk.math.CurveId;
import dev.cuzk.proof.Verdict.Check;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BatchVerifierTest {
  private static final ForkJoinPool POOL = new ForkJoinPool(2);

  @Property(tries = 8)
  void shouldNameExactlyTheWrongProofs(
      @ForAll CurveId curve,
      @ForAll @IntRange(min = 0, max = 3) int inputs,
      @ForAll @Size(max = 9) List<Boolean> good,
      @ForAll boolean pooled) {
    TrapdoorKey trapdoor = new TrapdoorKey(curve, inputs, good.hashCode());
    List<Proof> proofs = new ArrayList<>();
    List<List<BigInteger>> publicInputs = new ArrayList<>();
    for (boolean isGood : good) {
      List<BigInteger> values = trapdoor.inputs();
      publicInputs.add(values);
      Proof proof = trapdoor.prove(values);
      proofs.add(isGood ? proof : new Proof(curve, proof.c(), proof.b(), proof.a()));
    }
    List<Verdict> verdicts =
        new BatchVerifier(PreparedVerifyingKey.of(trapdoor.key()), pooled ? POOL : null)
            .verify(proofs, publicInputs);
    assertEquals(good.size(), verdicts.size());
    for (int i = 0; i < good.size(); i++) {
      assertEquals(good.get(i) ? Check.NONE : Check.EQUATION, verdicts.get(i).failed());
    }
  }

  /** Two errors that cancel in a plain sum must not cancel in a random one. */
  @Test
  void shouldNotLetErrorsCancel() {
    CurveId curve = CurveId.BN254;
    TrapdoorKey trapdoor = new TrapdoorKey(curve, 1, 5);
    List<BigInteger> x = trapdoor.inputs();
    List<BigInteger> y = trapdoor.inputs();
    Proof p = trapdoor.prove(x);
    Proof q = trapdoor.prove(y);
    // C of one under the other: e(C1, delta) e(C2, delta) stays the same product.
    List<Proof> crossed =
        List.of(new Proof(curve, p.a(), p.b(), q.c()), new Proof(curve, q.a(), q.b(), p.c()));
    List<Verdict> verdicts =
        new BatchVerifier(PreparedVerifyingKey.of(trapdoor.key()), null)
            .verify(crossed, List.of(x, y));
    assertEquals(Check.EQUATION, verdicts.get(0).failed());
    assertEquals(Check.EQUATION, verdicts.get(1).failed());
  }

  @Test
  void shouldVerifyMoreThanOneGroup() {
    TrapdoorKey trapdoor = new TrapdoorKey(CurveId.BN254, 1, 6);
    List<Proof> proofs = new ArrayList<>();
    List<List<BigInteger>> publicInputs = new ArrayList<>();
    for (int i = 0; i < 130; i++) {
      publicInputs.add(trapdoor.inputs());
      proofs.add(trapdoor.prove(publicInputs.get(i)));
    }
    publicInputs.set(129, List.of(CurveId.BN254.scalarModulus()));
    publicInputs.set(70, List.of(BigInteger.TWO));
    publicInputs.set(3, List.of());
    List<Verdict> verdicts =
        new BatchVerifier(PreparedVerifyingKey.of(trapdoor.key()), POOL)
            .verify(proofs, publicInputs);
    for (int i = 0; i < 130; i++) {
      Check expected =
          switch (i) {
            case 3 -> Check.PUBLIC_INPUT_COUNT;
            case 70 -> Check.EQUATION;
            case 129 -> Check.PUBLIC_INPUT_RANGE;
            default -> Check.NONE;
          };
      assertEquals(expected, verdicts.get(i).failed(), "proof " + i);
    }
  }

  @Test
  void shouldWantPublicInputsForEachProof() {
    TrapdoorKey trapdoor = new TrapdoorKey(CurveId.BN254, 0, 7);
    BatchVerifier verifier = new BatchVerifier(PreparedVerifyingKey.of(trapdoor.key()), null);
    List<Proof> proofs = List.of(trapdoor.prove(List.of()));
    assertThrows(IllegalArgumentException.class, () -> verifier.verify(proofs, List.of()));
  }
}
