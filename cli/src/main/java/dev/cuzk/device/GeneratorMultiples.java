package dev.cuzk.device;

import dev.cuzk.math.Curve;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import java.nio.ByteBuffer;

/** Multiples of a group's generator, as test keys and benchmarks need them by the million. */
public final class GeneratorMultiples {
  private GeneratorMultiples() {}

  /** The generator of G1 or G2: affine, Montgomery form, little-endian. */
  public static byte[] generator(CurveId curve, boolean g2) {
    Curve constants = Curve.of(curve);
    Field base = constants.base();
    long[] coordinates = g2 ? constants.generator2() : constants.generator1();
    byte[] bytes = new byte[curve.pointBytes(g2)];
    for (int i = 0; i < coordinates.length / base.size(); i++) {
      base.store(bytes, i * base.bytes(), coordinates, i * base.size());
    }
    return bytes;
  }

  /**
   * points[i] = scalars[i] · generator.
   *
   * @param scalars {@code count} canonical little-endian scalars; direct
   * @param points room for {@code count} points in Montgomery form; direct
   */
  public static void compute(
      Backend backend, CurveId curve, boolean g2, ByteBuffer scalars, long count, ByteBuffer points)
      throws DeviceException {
    backend.fixedBase(curve, g2, generator(curve, g2), scalars, count, points);
  }
}
