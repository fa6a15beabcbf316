package dev.cuzk.bench;

import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.GeneratorMultiples;
import dev.cuzk.math.CurveId;
import java.nio.ByteBuffer;

/** Distinct points (uniform multiples of the generator) and uniform scalars, in direct memory. */
record MsmInput(ByteBuffer points, ByteBuffer scalars) {
  static MsmInput make(Backend backend, CurveId curve, boolean g2, long count)
      throws DeviceException {
    long bytes = count * curve.pointBytes(g2);
    if (bytes > Integer.MAX_VALUE) {
      throw new BenchUsageException(
          "the points of one measurement must stay below 2 GiB; "
              + count
              + " take "
              + bytes
              + " bytes");
    }
    ByteBuffer points = ByteBuffer.allocateDirect((int) bytes);
    GeneratorMultiples.compute(backend, curve, g2, Uniform.scalars(curve, count, 1), count, points);
    return new MsmInput(points, Uniform.scalars(curve, count, 2));
  }
}
