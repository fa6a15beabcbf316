package dev.cuzk.bench;

import dev.cuzk.math.CurveId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/** Uniform scalars for measurements: the same in every run, and nobody's secret. */
final class Uniform {
  private Uniform() {}

  /**
   * {@code count} scalars in [0, r), canonical little-endian, in direct memory.
   *
   * @param seed another seed, other scalars
   */
  static ByteBuffer scalars(CurveId curve, long count, long seed) {
    if (count > Integer.MAX_VALUE / CurveId.SCALAR_BYTES) {
      throw new BenchUsageException("at most 2^25 scalars fit one measurement, not " + count);
    }
    ByteBuffer scalars =
        ByteBuffer.allocateDirect((int) count * CurveId.SCALAR_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    long top = curve.scalarModulus().shiftRight(192).longValue();
    SplittableRandom random = new SplittableRandom(seed);
    for (long i = 0; i < count; i++) {
      scalars.putLong(random.nextLong()).putLong(random.nextLong()).putLong(random.nextLong());
      // A top word below the modulus' own makes the number smaller, whatever the rest; what is
      // left out is a 2^-60th of the field.
      scalars.putLong(random.nextLong(top));
    }
    return scalars.flip();
  }
}
