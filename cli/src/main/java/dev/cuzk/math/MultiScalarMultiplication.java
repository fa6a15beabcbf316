package dev.cuzk.math;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;

/**
 * Sums Σ [k_i] P_i. Few points are summed with one chain of doublings for all (Straus), many with
 * buckets over signed windows (Pippenger), window by window on a pool's threads where one is given.
 *
 * <p>Times depend on the values: for public values only.
 */
public final class MultiScalarMultiplication {
  private static final int BUCKETS_FROM = 32;
  private static final int LARGEST_WINDOW = 14;

  /** From here on the inversions of affine additions are shared widely enough to pay. */
  private static final int AFFINE_FROM = 1024;

  private final Curve curve;
  private final boolean g2;
  private final long[] points;
  private final long[] scalars;
  private final int words;
  private final int count;

  private MultiScalarMultiplication(
      Curve curve, boolean g2, long[] points, long[] scalars, int words, int count) {
    this.curve = curve;
    this.g2 = g2;
    this.points = points;
    this.scalars = scalars;
    this.words = words;
    this.count = count;
  }

  /**
   * The sum as a Jacobian point.
   *
   * @param points {@code count} affine points from offset 0; they need not lie in the subgroup
   * @param scalars {@code count} unsigned canonical numbers of {@code words} words each
   * @param bits no scalar has more bits
   * @param pool whose threads share the work, or null for the calling thread alone
   */
  public static long[] sum(
      Curve curve,
      boolean g2,
      long[] points,
      long[] scalars,
      int words,
      int bits,
      int count,
      ForkJoinPool pool) {
    MultiScalarMultiplication sum =
        new MultiScalarMultiplication(curve, g2, points, scalars, words, count);
    return count < BUCKETS_FROM ? sum.interleaved(bits) : sum.buckets(bits, pool);
  }

  /** Straus: a table of 15 multiples a point, four bits of all scalars between doublings. */
  private long[] interleaved(int bits) {
    Group group = Group.of(curve, g2);
    int size = group.jacobianSize();
    long[] tables = new long[16 * count * size];
    for (int i = 0; i < count; i++) {
      int table = 16 * i * size;
      group.setInfinity(tables, table);
      for (int j = 1; j < 16; j++) {
        int at = table + j * size;
        group.addAffine(tables, at, tables, at - size, points, i * group.affineSize());
      }
    }
    long[] result = new long[size];
    group.setInfinity(result, 0);
    for (int bit = (bits + 3) / 4 * 4 - 4; bit >= 0; bit -= 4) {
      for (int i = 0; i < 4; i++) {
        group.twice(result, 0, result, 0);
      }
      for (int i = 0; i < count; i++) {
        int digit = (int) (scalars[i * words + (bit >> 6)] >>> bit & 15);
        if (digit != 0) {
          group.add(result, 0, result, 0, tables, (16 * i + digit) * size);
        }
      }
    }
    return result;
  }

  private long[] buckets(int bits, ForkJoinPool pool) {
    int width = windowWidth(bits);
    // One bit more than the scalars have: the last carry of the signed digits.
    int windows = (bits + width) / width;
    short[][] digits = signedDigits(width, windows);
    long[][] sums = new long[windows][];
    if (pool == null) {
      for (int i = 0; i < windows; i++) {
        sums[i] = windowSum(digits[i], width);
      }
    } else {
      ForkJoinTask<?>[] tasks = new ForkJoinTask<?>[windows];
      for (int i = 0; i < windows; i++) {
        int window = i;
        tasks[i] = pool.submit(() -> sums[window] = windowSum(digits[window], width));
      }
      for (ForkJoinTask<?> task : tasks) {
        task.join();
      }
    }
    Group group = Group.of(curve, g2);
    long[] result = new long[group.jacobianSize()];
    group.setInfinity(result, 0);
    for (int i = windows - 1; i >= 0; i--) {
      for (int j = 0; j < width; j++) {
        group.twice(result, 0, result, 0);
      }
      group.add(result, 0, result, 0, sums[i], 0);
    }
    return result;
  }

  /**
   * The width with the least work: a window costs one addition a point (11 products, or 6 where
   * inversions are shared) and two full ones (16) for each of its 2^(width − 1) buckets.
   */
  private int windowWidth(int bits) {
    int best = 2;
    double addition = count < AFFINE_FROM ? 11 : 6;
    double least = Double.MAX_VALUE;
    for (int width = 2; width <= LARGEST_WINDOW; width++) {
      double windows = (bits + width) / width;
      double work = windows * (addition * count + 16.0 * (1 << width));
      if (work < least) {
        least = work;
        best = width;
      }
    }
    return best;
  }

  /** [window][i]: the scalars as Σ digit · 2^(window · width), digits in (−2^(w−1), 2^(w−1)]. */
  private short[][] signedDigits(int width, int windows) {
    short[][] digits = new short[windows][count];
    int half = 1 << (width - 1);
    for (int i = 0; i < count; i++) {
      int carry = 0;
      for (int j = 0; j < windows; j++) {
        int digit = bitsAt(i, j * width, width) + carry;
        carry = digit > half ? 1 : 0;
        digits[j][i] = (short) (digit - (carry << width));
      }
    }
    return digits;
  }

  private int bitsAt(int scalar, int bit, int width) {
    int word = bit >> 6;
    if (word >= words) {
      return 0;
    }
    int shift = bit & 63;
    long value = scalars[scalar * words + word] >>> shift;
    if (shift + width > 64 && word + 1 < words) {
      value |= scalars[scalar * words + word + 1] << (64 - shift);
    }
    return (int) (value & ((1L << width) - 1));
  }

  /** Σ digit_i P_i: every point into the bucket of its digit, then Σ j · bucket_j from the top. */
  private long[] windowSum(short[] digits, int width) {
    Group group = Group.of(curve, g2);
    int half = 1 << (width - 1);
    int size = group.jacobianSize();
    int affine = group.affineSize();
    boolean inAffine = count >= AFFINE_FROM;
    long[] buckets =
        inAffine
            ? AffineBuckets.sums(group, points, digits, count, half)
            : jacobianBuckets(group, digits, half);
    long[] running = new long[size];
    long[] sum = new long[size];
    group.setInfinity(running, 0);
    group.setInfinity(sum, 0);
    for (int j = half; j > 0; j--) {
      if (inAffine) {
        group.addAffine(running, 0, running, 0, buckets, j * affine);
      } else {
        group.add(running, 0, running, 0, buckets, j * size);
      }
      group.add(sum, 0, sum, 0, running, 0);
    }
    return sum;
  }

  private long[] jacobianBuckets(Group group, short[] digits, int half) {
    int size = group.jacobianSize();
    int affine = group.affineSize();
    long[] buckets = new long[(half + 1) * size];
    long[] negative = new long[affine];
    for (int i = 0; i < count; i++) {
      int digit = digits[i];
      if (digit > 0) {
        int at = digit * size;
        group.addAffine(buckets, at, buckets, at, points, i * affine);
      } else if (digit < 0) {
        int at = -digit * size;
        group.negateAffine(negative, 0, points, i * affine);
        group.addAffine(buckets, at, buckets, at, negative, 0);
      }
    }
    return buckets;
  }
}
