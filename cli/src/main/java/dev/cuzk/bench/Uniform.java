package dev.cuzk.bench;

import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Uniform scalars for measurements: the same in every run, and nobody's secret. */
final class Uniform {
  /** Bytes that one view of a buffer shows. */
  private static final int VIEW_BYTES = 1 << 28;

  private Uniform() {}

  /**
   * {@code count} scalars in [0, r), canonical little-endian, in memory of the device's library.
   *
   * @param seed another seed, other scalars
   */
  static Buffer scalars(Backend backend, CurveId curve, long count, long seed)
      throws DeviceException {
    Buffer scalars = backend.allocatePinned(count * CurveId.SCALAR_BYTES);
    fill(scalars, curve, seed);
    return scalars;
  }

  /** Overwrites a buffer with scalars. */
  static void fill(Buffer scalars, CurveId curve, long seed) {
    long top = curve.scalarModulus().shiftRight(192).longValue();
    SplittableRandom random = new SplittableRandom(seed);
    for (long at = 0; at < scalars.byteSize(); at += VIEW_BYTES) {
      ByteBuffer view = scalars.view(at, (int) Math.min(VIEW_BYTES, scalars.byteSize() - at));
      while (view.hasRemaining()) {
        view.putLong(random.nextLong()).putLong(random.nextLong()).putLong(random.nextLong());
        // A top word below the modulus' own makes the number smaller, whatever the rest; what is
        // left out is a 2^-60th of the field.
        view.putLong(random.nextLong(top));
      }
    }
  }
}
