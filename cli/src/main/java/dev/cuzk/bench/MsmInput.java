package dev.cuzk.bench;

import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.GeneratorMultiples;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import java.nio.ByteBuffer;

/**
 * Distinct points (uniform multiples of the generator) and uniform scalars, in memory of the
 * device's library: 2^26 points take 4 to 13 GB.
 */
record MsmInput(Buffer points, Buffer scalars) implements AutoCloseable {
  /** Points that are made at a time: scalars and points of one call are Java's direct buffers. */
  static final int PIECE_POINTS = 1 << 20;

  static MsmInput make(Backend backend, CurveId curve, boolean g2, long count)
      throws DeviceException {
    return make(backend, curve, g2, count, PIECE_POINTS);
  }

  static MsmInput make(Backend backend, CurveId curve, boolean g2, long count, int piecePoints)
      throws DeviceException {
    Buffer points = backend.allocatePinned(count * curve.pointBytes(g2));
    Buffer scalars = null;
    try {
      scalars = Uniform.scalars(backend, curve, count, 1);
      for (long first = 0; first < count; first += piecePoints) {
        int piece = (int) Math.min(piecePoints, count - first);
        ByteBuffer factors = part(scalars, first, piece, CurveId.SCALAR_BYTES);
        ByteBuffer multiples = part(points, first, piece, curve.pointBytes(g2));
        GeneratorMultiples.compute(backend, curve, g2, factors, piece, multiples);
      }
      // The logarithms of the points are used up; a sum is taken with others.
      Uniform.fill(scalars, curve, 2);
      return new MsmInput(points, scalars);
    } catch (DeviceException | RuntimeException e) {
      points.close();
      if (scalars != null) {
        scalars.close();
      }
      throw e;
    }
  }

  private static ByteBuffer part(Buffer all, long first, int count, int width) {
    return all.view(first * width, count * width);
  }

  @Override
  public void close() {
    points.close();
    scalars.close();
  }
}
