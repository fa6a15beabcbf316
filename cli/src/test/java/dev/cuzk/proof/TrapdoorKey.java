package dev.cuzk.proof;

import dev.cuzk.math.Curve;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import dev.cuzk.math.Group;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A verifying key whose secrets are known, so that valid proofs for any public inputs follow from
 * scalars: C = (a b − alpha beta − gamma x) / delta.
 */
final class TrapdoorKey {
  private final CurveId curve;
  private final Random random;
  private final BigInteger r;
  private final BigInteger alpha;
  private final BigInteger beta;
  private final BigInteger gamma;
  private final BigInteger delta;
  private final List<BigInteger> ic = new ArrayList<>();
  private final VerifyingKey key;

  TrapdoorKey(CurveId curve, int publicInputs, long seed) {
    this.curve = curve;
    this.random = new Random(seed);
    this.r = curve.scalarModulus();
    this.alpha = scalar();
    this.beta = scalar();
    this.gamma = scalar();
    this.delta = scalar();
    List<List<BigInteger>> points = new ArrayList<>();
    for (int i = 0; i <= publicInputs; i++) {
      ic.add(scalar());
      points.add(multiple(curve, false, ic.get(i)));
    }
    this.key =
        new VerifyingKey(
            curve,
            multiple(curve, false, alpha),
            multiple(curve, true, beta),
            multiple(curve, true, gamma),
            multiple(curve, true, delta),
            points);
  }

  VerifyingKey key() {
    return key;
  }

  BigInteger scalar() {
    return new BigInteger(r.bitLength() + 64, random).mod(r);
  }

  List<BigInteger> inputs() {
    List<BigInteger> inputs = new ArrayList<>();
    for (int i = 1; i < ic.size(); i++) {
      inputs.add(scalar());
    }
    return inputs;
  }

  Proof prove(List<BigInteger> inputs) {
    BigInteger x = ic.get(0);
    for (int i = 0; i < inputs.size(); i++) {
      x = x.add(inputs.get(i).multiply(ic.get(i + 1)));
    }
    BigInteger a = scalar();
    BigInteger b = scalar();
    BigInteger c =
        a.multiply(b)
            .subtract(alpha.multiply(beta))
            .subtract(gamma.multiply(x))
            .multiply(delta.modInverse(r))
            .mod(r);
    return new Proof(
        curve, multiple(curve, false, a), multiple(curve, true, b), multiple(curve, false, c));
  }

  /** [k] generator as coordinates. */
  static List<BigInteger> multiple(CurveId curve, boolean g2, BigInteger k) {
    Group group = Group.of(curve, g2);
    long[] words = new long[4];
    Points.putScalar(words, 0, 4, k);
    long[] jacobian = new long[group.jacobianSize()];
    long[] affine = new long[group.affineSize()];
    group.multiply(jacobian, 0, group.generator(), 0, words, 0, 4);
    group.toAffine(affine, 0, jacobian, 0);
    return coordinates(curve, affine);
  }

  static List<BigInteger> coordinates(CurveId curve, long[] affine) {
    Field base = Curve.of(curve).base();
    List<BigInteger> coordinates = new ArrayList<>();
    for (int i = 0; i < affine.length; i += base.size()) {
      coordinates.add(base.get(affine, i));
    }
    return coordinates;
  }
}
