package dev.cuzk.proof;

import dev.cuzk.math.Curve;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Group;
import dev.cuzk.math.MultiScalarMultiplication;
import dev.cuzk.math.Pairing;
import dev.cuzk.math.PreparedG2;
import java.math.BigInteger;
import java.util.List;
import java.util.concurrent.ForkJoinPool;

/**
 * A verifying key with what every verification under it needs, computed once: e(alpha, beta) and
 * the lines of −gamma and −delta. Immutable, for use by any number of threads.
 *
 * <p>Its points are taken as they are: {@link VerifyingKeyCheck} tells whether a key is sound.
 */
public final class PreparedVerifyingKey {
  private final VerifyingKey key;
  private final Curve curve;
  private final long[] alphaBeta;
  private final PreparedG2 minusGamma;
  private final PreparedG2 minusDelta;
  private final long[] ic;

  private PreparedVerifyingKey(VerifyingKey key) {
    this.key = key;
    this.curve = Curve.of(key.curve());
    Pairing pairing = new Pairing(curve);
    Group g2 = Group.of(curve, true);
    long[] alpha = Points.words(curve, key.alpha1());
    long[] beta = Points.words(curve, key.beta2());
    this.alphaBeta = new long[pairing.target().size()];
    pairing.pair(alphaBeta, 0, alpha, 0, beta, 0);
    this.minusGamma = prepareNegative(pairing, g2, key.gamma2());
    this.minusDelta = prepareNegative(pairing, g2, key.delta2());
    int size = Group.of(curve, false).affineSize();
    this.ic = new long[key.ic().size() * size];
    int at = 0;
    for (List<BigInteger> point : key.ic()) {
      Points.set(curve, ic, at, point);
      at += size;
    }
  }

  /**
   * Prepares a key.
   *
   * @throws IllegalArgumentException if a coordinate is not in [0, p)
   */
  public static PreparedVerifyingKey of(VerifyingKey key) {
    return new PreparedVerifyingKey(key);
  }

  private PreparedG2 prepareNegative(Pairing pairing, Group g2, List<BigInteger> coordinates) {
    long[] point = Points.words(curve, coordinates);
    g2.negateAffine(point, 0, point, 0);
    return pairing.prepare(point, 0);
  }

  /** The key that was prepared. */
  public VerifyingKey key() {
    return key;
  }

  public CurveId curve() {
    return key.curve();
  }

  Curve constants() {
    return curve;
  }

  long[] alphaBeta() {
    return alphaBeta;
  }

  PreparedG2 minusGamma() {
    return minusGamma;
  }

  PreparedG2 minusDelta() {
    return minusDelta;
  }

  /**
   * Σ scalars[i] · IC[i], affine.
   *
   * @param scalars one for each point of the key's list, the one for ONE first, four words each
   * @param bits no scalar has more
   */
  long[] combineInputs(long[] scalars, int bits, ForkJoinPool pool) {
    Group g1 = Group.of(curve, false);
    long[] sum =
        MultiScalarMultiplication.sum(curve, false, ic, scalars, 4, bits, key.ic().size(), pool);
    long[] affine = new long[g1.affineSize()];
    g1.toAffine(affine, 0, sum, 0);
    return affine;
  }
}
