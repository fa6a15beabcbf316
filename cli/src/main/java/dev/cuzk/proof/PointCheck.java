package dev.cuzk.proof;

import dev.cuzk.math.Curve;
import dev.cuzk.math.Group;
import dev.cuzk.math.SubgroupCheck;
import dev.cuzk.proof.Verdict.Check;
import java.math.BigInteger;
import java.util.List;

/**
 * Whether coordinates are those of an element of G1 or G2, infinity included. One instance serves
 * one thread at a time.
 */
final class PointCheck {
  private final Curve curve;
  private final Group g1;
  private final Group g2;
  private final SubgroupCheck subgroup;

  PointCheck(Curve curve) {
    this.curve = curve;
    this.g1 = Group.of(curve, false);
    this.g2 = Group.of(curve, true);
    this.subgroup = new SubgroupCheck(curve);
  }

  /**
   * The first of COORDINATE_RANGE, ON_CURVE and SUBGROUP that fails, or NONE.
   *
   * @param z room for the affine point; filled if the coordinates are in range
   */
  Check check(List<BigInteger> coordinates, boolean inG2, long[] z) {
    if (!Points.areInRange(curve, coordinates)) {
      return Check.COORDINATE_RANGE;
    }
    Points.set(curve, z, 0, coordinates);
    if (!(inG2 ? g2 : g1).isOnCurve(z, 0)) {
      return Check.ON_CURVE;
    }
    return (inG2 ? subgroup.isInG2(z, 0) : subgroup.isInG1(z, 0)) ? Check.NONE : Check.SUBGROUP;
  }

  /** What a failed check says of a point of this name. */
  static String describe(Check failed, String name) {
    return switch (failed) {
      case COORDINATE_RANGE -> name + " has a coordinate outside [0, p)";
      case ON_CURVE -> name + " is not on the curve";
      case SUBGROUP -> name + " is on the curve but not in the subgroup of order r";
      default -> throw new IllegalArgumentException(failed + " is no check of a point");
    };
  }
}
