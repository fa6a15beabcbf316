package dev.cuzk.math;

/**
 * Whether a point of the curve lies in the subgroup of order r, by an endomorphism instead of a
 * multiplication by r. SubgroupCheckTest compares each with the multiplication, on points inside
 * and outside.
 *
 * <ul>
 *   <li>BN254, G1: the curve has order r, every point passes.
 *   <li>BN254, G2: [x + 1]P + ψ([x]P) + ψ²([x]P) = ψ³([2x]P) (Dai, Lin, Zhao, Zhou, ePrint
 *       2022/348).
 *   <li>BLS12-381, G1: φ(P) = −[x²]P; G2: ψ(P) = [x]P (Scott, ePrint 2021/1130).
 * </ul>
 *
 * <p>Holds room for intermediate values: one instance serves one thread at a time.
 */
public final class SubgroupCheck {
  private final Curve curve;
  private final Group g1;
  private final Group g2;
  private final Fp2 fp2;
  private final long[] t;

  public SubgroupCheck(Curve curve) {
    this.curve = curve;
    this.g1 = Group.of(curve, false);
    this.g2 = Group.of(curve, true);
    this.fp2 = (Fp2) g2.field();
    this.t = new long[4 * g2.jacobianSize()];
  }

  /** Of an affine point that is on the curve; infinity passes. */
  public boolean isInG1(long[] p, int at) {
    if (curve.id() == CurveId.BN254 || g1.isAffineInfinity(p, at)) {
      return true;
    }
    int size = g1.jacobianSize();
    Field field = curve.base();
    g1.toJacobian(t, 0, p, at);
    g1.multiplyByDigits(t, size, t, 0, curve.parameterDigits());
    g1.multiplyByDigits(t, 2 * size, t, size, curve.parameterDigits());
    g1.negate(t, 2 * size, t, 2 * size);
    field.multiply(t, 0, t, 0, curve.beta(), 0);
    return g1.isEqual(t, 0, t, 2 * size);
  }

  /** Of an affine point that is on the twist; infinity passes. */
  public boolean isInG2(long[] p, int at) {
    if (g2.isAffineInfinity(p, at)) {
      return true;
    }
    int size = g2.jacobianSize();
    g2.toJacobian(t, 0, p, at);
    g2.multiplyByDigits(t, size, t, 0, curve.parameterDigits());
    if (curve.id() == CurveId.BLS12_381) {
      g2.negate(t, size, t, size);
      psi(t, 0, t, 0);
      return g2.isEqual(t, 0, t, size);
    }
    // t: 0 sum, 1 [x]P, 2 ψ^k([x]P)
    g2.add(t, 0, t, 0, t, size);
    psi(t, 2 * size, t, size);
    g2.add(t, 0, t, 0, t, 2 * size);
    psi(t, 2 * size, t, 2 * size);
    g2.add(t, 0, t, 0, t, 2 * size);
    psi(t, 2 * size, t, 2 * size);
    g2.twice(t, 2 * size, t, 2 * size);
    return g2.isEqual(t, 0, t, 2 * size);
  }

  /** z = ψ(p), Jacobian: conjugation acts on Z alone, the factors on X and Y. */
  private void psi(long[] z, int zAt, long[] p, int at) {
    int n = fp2.size();
    for (int i = 0; i < 3; i++) {
      fp2.conjugate(z, zAt + i * n, p, at + i * n);
    }
    fp2.multiply(z, zAt, z, zAt, curve.psi(), 0);
    fp2.multiply(z, zAt + n, z, zAt + n, curve.psi(), n);
  }
}
