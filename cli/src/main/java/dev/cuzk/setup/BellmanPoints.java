package dev.cuzk.setup;

import dev.cuzk.math.Field;
import java.nio.ByteBuffer;

/** Turns points of BLS12-381 from Montgomery form into bellman's uncompressed form. */
final class BellmanPoints {
  private final Field base;
  private final long[] coordinate;
  private byte[] source = new byte[0];
  private byte[] target = new byte[0];

  BellmanPoints(Field base) {
    this.base = base;
    this.coordinate = new long[base.size()];
  }

  /** All points of a buffer; the result is valid until the next call. */
  ByteBuffer convert(ByteBuffer points, boolean g2) {
    int length = points.remaining();
    if (source.length < length) {
      source = new byte[length];
      target = new byte[length];
    }
    points.get(source, 0, length);
    int width = base.bytes();
    int degree = g2 ? 2 : 1;
    for (int i = 0; i < length / width; i++) {
      // c1 before c0.
      int swapped = i / degree * degree + degree - 1 - i % degree;
      base.load(coordinate, 0, source, i * width);
      base.fromMontgomery(coordinate, 0, coordinate, 0);
      base.store(source, i * width, coordinate, 0);
      for (int b = 0; b < width; b++) {
        target[swapped * width + b] = source[(i + 1) * width - 1 - b];
      }
    }
    return ByteBuffer.wrap(target, 0, length);
  }

  /** As {@link #convert(ByteBuffer, boolean)}, for one point. */
  byte[] convert(byte[] point, boolean g2) {
    byte[] converted = new byte[point.length];
    convert(ByteBuffer.wrap(point), g2).get(converted);
    return converted;
  }
}
