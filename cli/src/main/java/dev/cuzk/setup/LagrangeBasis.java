package dev.cuzk.setup;

import dev.cuzk.math.Field;
import dev.cuzk.math.RootsOfUnity;
import java.util.Arrays;

/**
 * Values at tau of Lagrange polynomials over the N-th roots of unity, times a constant:
 *
 * <p>L_k(tau) = (tau^N − 1)/N · w^k/(tau − w^k), for k = start + stride · j, j = 0, 1, …
 *
 * <p>With stride 1 that is the basis of a domain of N rows; with start 1 and stride 2 its odd half,
 * which snarkjs' H query uses.
 */
final class LagrangeBasis implements KeyExponents.QuotientBasis {
  private final Field field;
  private final long[] tau;
  private final long[] factor;
  private final long[] first;
  private final long[] step;

  /**
   * @param log2Size log2 of N, at most the field's two-adicity
   * @param tau in Montgomery form, no N-th root of unity
   * @param constant in Montgomery form; every value is multiplied by it
   */
  LagrangeBasis(
      Field field,
      RootsOfUnity roots,
      int log2Size,
      int start,
      int stride,
      long[] tau,
      long[] constant) {
    int size = field.size();
    this.field = field;
    this.tau = tau.clone();
    long[] root = new long[size];
    roots.get(root, 0, log2Size);
    this.first = new long[size];
    this.step = new long[size];
    field.power(first, 0, root, 0, start);
    field.power(step, 0, root, 0, stride);
    // (tau^N − 1)/N, by squaring and halving.
    long[] one = new long[size];
    field.setOne(one, 0);
    long[] half = new long[size];
    field.add(half, 0, one, 0, one, 0);
    field.inverse(half, 0, half, 0);
    long[] power = tau.clone();
    this.factor = constant.clone();
    for (int i = 0; i < log2Size; i++) {
      field.square(power, 0, power, 0);
      field.multiply(factor, 0, factor, 0, half, 0);
    }
    field.subtract(power, 0, power, 0, one, 0);
    field.multiply(factor, 0, factor, 0, power, 0);
  }

  /** Overwrites what would tell tau. */
  void clear() {
    Arrays.fill(tau, 0);
    Arrays.fill(factor, 0);
  }

  /**
   * Values j = first … first + count − 1 in Montgomery form.
   *
   * @param values room for {@code count} elements from offset 0
   */
  @Override
  public void evaluate(long firstValue, int count, long[] values) {
    int size = field.size();
    long[] points = new long[count * size];
    long[] point = new long[size];
    field.power(point, 0, step, 0, firstValue);
    field.multiply(point, 0, point, 0, first, 0);
    for (int j = 0; j < count; j++) {
      field.copy(points, j * size, point, 0);
      field.subtract(values, j * size, tau, 0, point, 0);
      field.multiply(point, 0, point, 0, step, 0);
    }
    field.batchInverse(values, 0, count, new long[count * size]);
    for (int j = 0; j < count; j++) {
      int at = j * size;
      field.multiply(values, at, values, at, points, at);
      field.multiply(values, at, values, at, factor, 0);
    }
  }
}
