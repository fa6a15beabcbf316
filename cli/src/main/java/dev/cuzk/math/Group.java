package dev.cuzk.math;

/**
 * Points of y² = x³ + b over Fp (G1) or over Fp2 (G2).
 *
 * <p>An affine point is x then y, {@link #affineSize()} longs, infinity all zero (no point of these
 * curves has x = y = 0). A Jacobian point is X, Y, Z with x = X/Z², y = Y/Z³, {@link
 * #jacobianSize()} longs, infinity Z = 0. Formulas: Explicit-Formulas Database, short Weierstrass
 * curves with a = 0. A result may be the same point as an operand.
 *
 * <p>Holds room for intermediate values: one instance serves one thread at a time. Times depend on
 * the values: for public values only.
 */
public final class Group {
  private final Curve curve;
  private final boolean g2;
  private final AlgebraicField field;
  private final long[] b;
  private final int n;
  private final long[] t;
  private final long[] q;

  private Group(Curve curve, boolean g2) {
    this.curve = curve;
    this.g2 = g2;
    this.field = g2 ? curve.newFp2() : curve.base();
    this.b = curve.b(g2);
    this.n = field.size();
    this.t = new long[10 * n];
    this.q = new long[3 * n];
  }

  /** A workspace for a curve's G1 or G2. */
  public static Group of(Curve curve, boolean g2) {
    return new Group(curve, g2);
  }

  /** A workspace for a curve's G1 or G2. */
  public static Group of(CurveId curve, boolean g2) {
    return new Group(Curve.of(curve), g2);
  }

  public Curve curve() {
    return curve;
  }

  public boolean isG2() {
    return g2;
  }

  /** The arithmetic of coordinates; it shares this workspace's thread. */
  public AlgebraicField field() {
    return field;
  }

  /** Longs of an affine point. */
  public int affineSize() {
    return 2 * n;
  }

  /** Longs of a Jacobian point. */
  public int jacobianSize() {
    return 3 * n;
  }

  /** The generator, affine. */
  public long[] generator() {
    return g2 ? curve.generator2() : curve.generator1();
  }

  /** Whether an affine point satisfies the equation; infinity does. */
  public boolean isOnCurve(long[] p, int at) {
    if (isAffineInfinity(p, at)) {
      return true;
    }
    field.square(t, 0, p, at);
    field.multiply(t, 0, t, 0, p, at);
    field.add(t, 0, t, 0, b, 0);
    field.square(t, n, p, at + n);
    return field.isEqual(t, 0, t, n);
  }

  /**
   * Finds a y for the x of an affine point; which of the two is not said.
   *
   * @return whether a point of the curve has this x; if not, y is undefined
   */
  public boolean solveY(long[] p, int at) {
    field.square(t, 0, p, at);
    field.multiply(t, 0, t, 0, p, at);
    field.add(t, 0, t, 0, b, 0);
    return field instanceof Fp2 fp2
        ? fp2.squareRoot(p, at + n, t, 0)
        : curve.base().squareRoot(p, at + n, t, 0);
  }

  /** Whether all coordinates of an affine point are zero. */
  public boolean isAffineInfinity(long[] p, int at) {
    return field.isZero(p, at) && field.isZero(p, at + n);
  }

  /** Whether a Jacobian point is infinity. */
  public boolean isInfinity(long[] p, int at) {
    return field.isZero(p, at + 2 * n);
  }

  /** z = −p, both affine. */
  public void negateAffine(long[] z, int zAt, long[] p, int at) {
    field.copy(z, zAt, p, at);
    field.negate(z, zAt + n, p, at + n);
  }

  /** z = −p, both Jacobian. */
  public void negate(long[] z, int zAt, long[] p, int at) {
    field.copy(z, zAt, p, at);
    field.negate(z, zAt + n, p, at + n);
    field.copy(z, zAt + 2 * n, p, at + 2 * n);
  }

  /** z = infinity, Jacobian. */
  public void setInfinity(long[] z, int zAt) {
    field.setOne(z, zAt);
    field.setOne(z, zAt + n);
    field.setZero(z, zAt + 2 * n);
  }

  /** z = p, affine to Jacobian. */
  public void toJacobian(long[] z, int zAt, long[] p, int at) {
    if (isAffineInfinity(p, at)) {
      setInfinity(z, zAt);
    } else {
      field.copy(z, zAt, p, at);
      field.copy(z, zAt + n, p, at + n);
      field.setOne(z, zAt + 2 * n);
    }
  }

  /** z = p, Jacobian to affine: one inversion. */
  public void toAffine(long[] z, int zAt, long[] p, int at) {
    if (isInfinity(p, at)) {
      field.setZero(z, zAt);
      field.setZero(z, zAt + n);
      return;
    }
    field.inverse(t, 0, p, at + 2 * n);
    field.square(t, n, t, 0);
    field.multiply(z, zAt, p, at, t, n);
    field.multiply(t, n, t, n, t, 0);
    field.multiply(z, zAt + n, p, at + n, t, n);
  }

  /** Whether two Jacobian points are equal: X1 Z2² = X2 Z1² and Y1 Z2³ = Y2 Z1³. */
  public boolean isEqual(long[] p, int pAt, long[] o, int oAt) {
    if (isInfinity(p, pAt) || isInfinity(o, oAt)) {
      return isInfinity(p, pAt) && isInfinity(o, oAt);
    }
    field.square(t, 0, p, pAt + 2 * n);
    field.square(t, n, o, oAt + 2 * n);
    field.multiply(t, 2 * n, p, pAt, t, n);
    field.multiply(t, 3 * n, o, oAt, t, 0);
    if (!field.isEqual(t, 2 * n, t, 3 * n)) {
      return false;
    }
    field.multiply(t, 0, t, 0, p, pAt + 2 * n);
    field.multiply(t, n, t, n, o, oAt + 2 * n);
    field.multiply(t, 2 * n, p, pAt + n, t, n);
    field.multiply(t, 3 * n, o, oAt + n, t, 0);
    return field.isEqual(t, 2 * n, t, 3 * n);
  }

  /** z = 2p, Jacobian (dbl-2009-l). */
  public void twice(long[] z, int zAt, long[] p, int at) {
    if (isInfinity(p, at)) {
      copyJacobian(z, zAt, p, at);
      return;
    }
    field.square(t, 0, p, at);
    field.square(t, n, p, at + n);
    field.square(t, 2 * n, t, n);
    field.add(t, 3 * n, p, at, t, n);
    field.square(t, 3 * n, t, 3 * n);
    field.subtract(t, 3 * n, t, 3 * n, t, 0);
    field.subtract(t, 3 * n, t, 3 * n, t, 2 * n);
    field.twice(t, 3 * n, t, 3 * n);
    field.twice(t, 4 * n, t, 0);
    field.add(t, 4 * n, t, 4 * n, t, 0);
    field.multiply(t, 5 * n, p, at + n, p, at + 2 * n);
    field.twice(z, zAt + 2 * n, t, 5 * n);
    field.square(t, 5 * n, t, 4 * n);
    field.subtract(t, 5 * n, t, 5 * n, t, 3 * n);
    field.subtract(z, zAt, t, 5 * n, t, 3 * n);
    field.subtract(t, 3 * n, t, 3 * n, z, zAt);
    field.multiply(t, 3 * n, t, 3 * n, t, 4 * n);
    field.twice(t, 2 * n, t, 2 * n);
    field.twice(t, 2 * n, t, 2 * n);
    field.twice(t, 2 * n, t, 2 * n);
    field.subtract(z, zAt + n, t, 3 * n, t, 2 * n);
  }

  /** z = p + o, p and z Jacobian, o affine (madd-2007-bl). */
  public void addAffine(long[] z, int zAt, long[] p, int pAt, long[] o, int oAt) {
    if (isAffineInfinity(o, oAt)) {
      copyJacobian(z, zAt, p, pAt);
      return;
    }
    if (isInfinity(p, pAt)) {
      toJacobian(z, zAt, o, oAt);
      return;
    }
    int pz = pAt + 2 * n;
    field.square(t, 0, p, pz);
    field.multiply(t, n, o, oAt, t, 0);
    field.multiply(t, 2 * n, t, 0, p, pz);
    field.multiply(t, 2 * n, t, 2 * n, o, oAt + n);
    field.subtract(t, n, t, n, p, pAt);
    field.subtract(t, 2 * n, t, 2 * n, p, pAt + n);
    if (field.isZero(t, n)) {
      addOnOneVertical(z, zAt, p, pAt);
      return;
    }
    // t: 0 Z1Z1, 1 H, 2 S2 − Y1
    field.twice(t, 2 * n, t, 2 * n);
    field.square(t, 3 * n, t, n);
    field.add(t, 7 * n, p, pz, t, n);
    field.square(t, 7 * n, t, 7 * n);
    field.subtract(t, 7 * n, t, 7 * n, t, 0);
    field.subtract(t, 7 * n, t, 7 * n, t, 3 * n);
    field.twice(t, 4 * n, t, 3 * n);
    field.twice(t, 4 * n, t, 4 * n);
    field.multiply(t, 5 * n, t, n, t, 4 * n);
    field.multiply(t, 6 * n, p, pAt, t, 4 * n);
    finishAddition(z, zAt, p, pAt + n);
  }

  /** z = p + o for o = p or o = −p: t[1] = H = 0, and t[2], the difference of y, tells which. */
  private void addOnOneVertical(long[] z, int zAt, long[] p, int pAt) {
    if (field.isZero(t, 2 * n)) {
      twice(z, zAt, p, pAt);
    } else {
      setInfinity(z, zAt);
    }
  }

  /** From t: 2 r, 5 J, 6 V, 7 Z3, and S1 = Y1 at s: X3 = r² − J − 2V, Y3 = r (V − X3) − 2 S1 J. */
  private void finishAddition(long[] z, int zAt, long[] s, int sAt) {
    field.multiply(t, 4 * n, s, sAt, t, 5 * n);
    field.twice(t, 4 * n, t, 4 * n);
    field.square(t, 3 * n, t, 2 * n);
    field.subtract(t, 3 * n, t, 3 * n, t, 5 * n);
    field.subtract(t, 3 * n, t, 3 * n, t, 6 * n);
    field.subtract(z, zAt, t, 3 * n, t, 6 * n);
    field.subtract(t, 6 * n, t, 6 * n, z, zAt);
    field.multiply(t, 6 * n, t, 6 * n, t, 2 * n);
    field.subtract(z, zAt + n, t, 6 * n, t, 4 * n);
    field.copy(z, zAt + 2 * n, t, 7 * n);
  }

  /** z = p + o, all Jacobian (add-2007-bl). */
  public void add(long[] z, int zAt, long[] p, int pAt, long[] o, int oAt) {
    if (isInfinity(o, oAt)) {
      copyJacobian(z, zAt, p, pAt);
      return;
    }
    if (isInfinity(p, pAt)) {
      copyJacobian(z, zAt, o, oAt);
      return;
    }
    int pz = pAt + 2 * n;
    int oz = oAt + 2 * n;
    field.square(t, 0, p, pz);
    field.square(t, 3 * n, o, oz);
    field.multiply(t, 6 * n, p, pAt, t, 3 * n);
    field.multiply(t, n, o, oAt, t, 0);
    field.multiply(t, 8 * n, p, pAt + n, o, oz);
    field.multiply(t, 8 * n, t, 8 * n, t, 3 * n);
    field.multiply(t, 2 * n, o, oAt + n, p, pz);
    field.multiply(t, 2 * n, t, 2 * n, t, 0);
    field.subtract(t, n, t, n, t, 6 * n);
    field.subtract(t, 2 * n, t, 2 * n, t, 8 * n);
    if (field.isZero(t, n)) {
      addOnOneVertical(z, zAt, p, pAt);
      return;
    }
    // t: 0 Z1Z1, 1 H, 2 S2 − S1, 3 Z2Z2, 6 U1, 8 S1
    field.twice(t, 2 * n, t, 2 * n);
    field.add(t, 7 * n, p, pz, o, oz);
    field.square(t, 7 * n, t, 7 * n);
    field.subtract(t, 7 * n, t, 7 * n, t, 0);
    field.subtract(t, 7 * n, t, 7 * n, t, 3 * n);
    field.multiply(t, 7 * n, t, 7 * n, t, n);
    field.twice(t, 4 * n, t, n);
    field.square(t, 4 * n, t, 4 * n);
    field.multiply(t, 5 * n, t, n, t, 4 * n);
    field.multiply(t, 6 * n, t, 6 * n, t, 4 * n);
    finishAddition(z, zAt, t, 8 * n);
  }

  private void copyJacobian(long[] z, int zAt, long[] p, int pAt) {
    if (z != p || zAt != pAt) {
      System.arraycopy(p, pAt, z, zAt, 3 * n);
    }
  }

  /**
   * z = [k] p, Jacobian, for k &gt; 0 in digits −1, 0, 1, most significant first; z must not be p.
   */
  void multiplyByDigits(long[] z, int zAt, long[] p, int pAt, byte[] digits) {
    negate(q, 0, p, pAt);
    setInfinity(z, zAt);
    for (byte digit : digits) {
      twice(z, zAt, z, zAt);
      if (digit > 0) {
        add(z, zAt, z, zAt, p, pAt);
      } else if (digit < 0) {
        add(z, zAt, z, zAt, q, 0);
      }
    }
  }

  /**
   * z = [k] p, z Jacobian, p affine, k unsigned in {@code words} words, least significant first.
   * Windows of four bits. The point need not lie in the subgroup.
   */
  public void multiply(long[] z, int zAt, long[] p, int pAt, long[] k, int kAt, int words) {
    int size = jacobianSize();
    long[] table = new long[16 * size];
    setInfinity(table, 0);
    for (int i = 1; i < 16; i++) {
      addAffine(table, i * size, table, (i - 1) * size, p, pAt);
    }
    setInfinity(z, zAt);
    for (int bit = 64 * words - 4; bit >= 0; bit -= 4) {
      for (int i = 0; i < 4; i++) {
        twice(z, zAt, z, zAt);
      }
      int digit = (int) (k[kAt + (bit >> 6)] >>> bit & 15);
      if (digit != 0) {
        add(z, zAt, z, zAt, table, digit * size);
      }
    }
  }
}
