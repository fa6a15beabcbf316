package dev.cuzk.proof;

import dev.cuzk.math.Curve;
import dev.cuzk.math.Fp12;
import dev.cuzk.math.Group;
import dev.cuzk.math.Pairing;
import dev.cuzk.math.PreparedG2;
import java.math.BigInteger;
import java.util.List;
import java.util.concurrent.ForkJoinPool;

/**
 * The Groth16 verifier (Groth 2016, ePrint 2016/260, section 3.2): with the public inputs summed
 * into X = IC[0] + Σ input[i] · IC[i + 1],
 *
 * <pre>e(A, B) · e(X, −gamma) · e(C, −delta) = e(alpha, beta)</pre>
 *
 * <p>It takes nothing on trust: the count of public inputs, that each lies in [0, r), and that each
 * point is canonical, on the curve and in the subgroup are checked first. Points at infinity are
 * elements of the groups. It shares no code with the provers.
 */
public final class Verifier {
  private final PreparedVerifyingKey key;
  private final ForkJoinPool pool;

  /** Verifies on the calling thread alone. */
  public Verifier(PreparedVerifyingKey key) {
    this(key, null);
  }

  /**
   * Verifies proofs under a key; safe for use by several threads.
   *
   * @param pool shares the sum of many public inputs, or null
   */
  public Verifier(PreparedVerifyingKey key, ForkJoinPool pool) {
    this.key = key;
    this.pool = pool;
  }

  /** One proof under a key that is used once. */
  public static Verdict verify(VerifyingKey key, Proof proof, List<BigInteger> publicInputs) {
    return new Verifier(PreparedVerifyingKey.of(key)).verify(proof, publicInputs);
  }

  /** One proof with its public inputs, ONE not among them. */
  public Verdict verify(Proof proof, List<BigInteger> publicInputs) {
    Curve curve = key.constants();
    Group g1 = Group.of(curve, false);
    int affine = g1.affineSize();
    long[] points = new long[3 * affine];
    long[] a = new long[affine];
    long[] b = new long[2 * affine];
    long[] c = new long[affine];
    Verdict verdict = new ProofCheck(key).check(proof, publicInputs, a, b, c);
    if (!verdict.valid()) {
      return verdict;
    }
    System.arraycopy(a, 0, points, 0, affine);
    System.arraycopy(sumOfInputs(publicInputs), 0, points, affine, affine);
    System.arraycopy(c, 0, points, 2 * affine, affine);
    Pairing pairing = new Pairing(curve);
    PreparedG2[] lines = {pairing.prepare(b, 0), key.minusGamma(), key.minusDelta()};
    Fp12 target = pairing.target();
    long[] product = new long[target.size()];
    pairing.millerLoop(product, 0, points, lines, 3);
    pairing.finalExponentiation(product, 0, product, 0);
    return target.isEqual(product, 0, key.alphaBeta(), 0) ? Verdict.VALID : Verdict.NOT_EQUAL;
  }

  private long[] sumOfInputs(List<BigInteger> inputs) {
    long[] scalars = new long[4 * (inputs.size() + 1)];
    scalars[0] = 1;
    int bits = 1;
    int at = 4;
    for (BigInteger input : inputs) {
      Points.putScalar(scalars, at, 4, input);
      bits = Math.max(bits, input.bitLength());
      at += 4;
    }
    return key.combineInputs(scalars, bits, pool);
  }
}
