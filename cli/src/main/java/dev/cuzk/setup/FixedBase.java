package dev.cuzk.setup;

import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.GeneratorMultiples;
import dev.cuzk.math.CurveId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Multiples of the generators, through buffers that are made once. */
final class FixedBase {
  private final Backend backend;
  private final CurveId curve;
  private final ByteBuffer scalars;
  private final ByteBuffer points;

  FixedBase(Backend backend, CurveId curve, int capacity) {
    this.backend = backend;
    this.curve = curve;
    this.scalars =
        ByteBuffer.allocateDirect(capacity * CurveId.SCALAR_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    this.points = ByteBuffer.allocateDirect(capacity * curve.pointBytes(true));
  }

  /**
   * Multiplies the generator.
   *
   * @param canonical four words a scalar
   * @return the points in Montgomery form, valid until the next call
   */
  ByteBuffer multiply(boolean g2, long[] canonical, int count) throws DeviceException {
    scalars.clear();
    scalars.asLongBuffer().put(canonical, 0, 4 * count);
    scalars.limit(count * CurveId.SCALAR_BYTES);
    points.clear().limit(count * curve.pointBytes(g2));
    GeneratorMultiples.compute(backend, curve, g2, scalars, count, points);
    return points.rewind();
  }

  /** Overwrites the last scalars. */
  void clear() {
    scalars.clear();
    while (scalars.hasRemaining()) {
      scalars.putLong(0);
    }
  }
}
