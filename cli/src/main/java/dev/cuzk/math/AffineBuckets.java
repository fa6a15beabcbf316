package dev.cuzk.math;

/**
 * Sums of many points into buckets, all in affine coordinates: points of a bucket are added in
 * pairs, round by round, and one inversion serves all pairs of a round. An addition costs six
 * products, where a mixed Jacobian one costs eleven.
 */
final class AffineBuckets {
  private final AlgebraicField field;
  private final int n;
  private final int affine;
  private final int buckets;

  /** Bucket b holds points starts[b] … starts[b] + lengths[b] − 1. */
  private final int[] starts;

  private final int[] lengths;
  private final long[] points;
  private final long[] inverses;
  private final long[] prefixes;
  private final long[] t;

  private AffineBuckets(Group group, long[] source, short[] digits, int count, int half) {
    this.field = group.field();
    this.n = field.size();
    this.affine = group.affineSize();
    this.buckets = half + 1;
    this.starts = new int[buckets + 1];
    this.lengths = new int[buckets];
    for (int i = 0; i < count; i++) {
      starts[Math.abs(digits[i]) + 1]++;
    }
    // Points of digit 0 are left out.
    starts[1] = 0;
    for (int i = 1; i <= buckets; i++) {
      starts[i] += starts[i - 1];
    }
    this.points = new long[starts[buckets] * affine];
    for (int i = 0; i < count; i++) {
      int bucket = Math.abs(digits[i]);
      if (bucket == 0 || group.isAffineInfinity(source, i * affine)) {
        continue;
      }
      int at = (starts[bucket] + lengths[bucket]) * affine;
      lengths[bucket]++;
      if (digits[i] > 0) {
        System.arraycopy(source, i * affine, points, at, affine);
      } else {
        group.negateAffine(points, at, source, i * affine);
      }
    }
    int pairs = starts[buckets] / 2 + 1;
    this.inverses = new long[pairs * n];
    this.prefixes = new long[(pairs + 1) * n];
    this.t = new long[5 * n];
  }

  /**
   * The sum of each bucket: affine points 0 … half, where bucket b sums sign(digit_i) P_i over
   * |digit_i| = b; bucket 0 is infinity.
   */
  static long[] sums(Group group, long[] points, short[] digits, int count, int half) {
    return new AffineBuckets(group, points, digits, count, half).sums();
  }

  private long[] sums() {
    int pairs = denominators();
    while (pairs > 0) {
      invert(pairs);
      addPairs();
      pairs = denominators();
    }
    long[] result = new long[buckets * affine];
    for (int b = 1; b < buckets; b++) {
      if (lengths[b] > 0) {
        System.arraycopy(points, starts[b] * affine, result, b * affine, affine);
      }
    }
    return result;
  }

  /** The slope's denominator for each pair of this round: x2 − x1, 2y for equal points, or 0. */
  private int denominators() {
    int pair = 0;
    for (int b = 1; b < buckets; b++) {
      for (int j = 0; j + 1 < lengths[b]; j += 2) {
        int p = (starts[b] + j) * affine;
        int q = p + affine;
        int at = pair * n;
        field.subtract(inverses, at, points, q, points, p);
        if (field.isZero(inverses, at)) {
          // y + y' is 2y for equal points and 0 for opposite ones.
          field.add(inverses, at, points, p + n, points, q + n);
        }
        pair++;
      }
    }
    return pair;
  }

  /** Inverts the first {@code count} denominators; zeros stay zeros. */
  private void invert(int count) {
    field.setOne(prefixes, 0);
    for (int i = 0; i < count; i++) {
      if (field.isZero(inverses, i * n)) {
        field.copy(prefixes, (i + 1) * n, prefixes, i * n);
      } else {
        field.multiply(prefixes, (i + 1) * n, prefixes, i * n, inverses, i * n);
      }
    }
    field.inverse(t, 0, prefixes, count * n);
    for (int i = count - 1; i >= 0; i--) {
      if (!field.isZero(inverses, i * n)) {
        field.multiply(t, n, t, 0, prefixes, i * n);
        field.multiply(t, 0, t, 0, inverses, i * n);
        field.copy(inverses, i * n, t, n);
      }
    }
  }

  /** Replaces each pair by its sum, moves sums to the front of their bucket, drops infinities. */
  private void addPairs() {
    int pair = 0;
    for (int b = 1; b < buckets; b++) {
      int length = lengths[b];
      int kept = 0;
      for (int j = 0; j + 1 < length; j += 2) {
        int p = (starts[b] + j) * affine;
        if (addPair((starts[b] + kept) * affine, p, p + affine, pair * n)) {
          kept++;
        }
        pair++;
      }
      if ((length & 1) == 1) {
        int last = (starts[b] + length - 1) * affine;
        System.arraycopy(points, last, points, (starts[b] + kept) * affine, affine);
        kept++;
      }
      lengths[b] = kept;
    }
  }

  /** points[z] = points[p] + points[q]; false, and nothing stored, if that is infinity. */
  private boolean addPair(int z, int p, int q, int inverse) {
    if (field.isZero(inverses, inverse)) {
      return false;
    }
    if (field.isEqual(points, p, points, q)) {
      field.square(t, 0, points, p);
      field.twice(t, n, t, 0);
      field.add(t, 0, t, 0, t, n);
    } else {
      field.subtract(t, 0, points, q + n, points, p + n);
    }
    field.multiply(t, 0, t, 0, inverses, inverse);
    field.square(t, n, t, 0);
    field.subtract(t, n, t, n, points, p);
    field.subtract(t, n, t, n, points, q);
    field.subtract(t, 2 * n, points, p, t, n);
    field.multiply(t, 2 * n, t, 2 * n, t, 0);
    field.subtract(t, 2 * n, t, 2 * n, points, p + n);
    field.copy(points, z, t, n);
    field.copy(points, z + n, t, 2 * n);
    return true;
  }
}
