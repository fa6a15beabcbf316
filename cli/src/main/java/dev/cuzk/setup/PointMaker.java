package dev.cuzk.setup;

import dev.cuzk.device.DeviceException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Makes the points of one query after the other, in pieces, and says how far it is. */
final class PointMaker {
  private final FixedBase fixedBase;
  private final int capacity;
  private final SetupListener listener;
  private final long total;
  private long done;

  /**
   * @param capacity points that {@code fixedBase} makes at once
   * @param total points that will be made, for the listener
   */
  PointMaker(FixedBase fixedBase, int capacity, SetupListener listener, long total) {
    this.fixedBase = fixedBase;
    this.capacity = capacity;
    this.listener = listener;
    this.total = total;
  }

  /** Puts canonical scalars first … first + count − 1 of a query into an array. */
  interface Scalars {
    void fill(long first, int count, long[] values);
  }

  /** One scalar by the index of its variable. */
  interface Scalar {
    void get(long variable, long[] z);
  }

  /** Takes points in Montgomery form. */
  interface Target {
    void append(ByteBuffer points) throws IOException;
  }

  /** The scalars of consecutive variables. */
  static Scalars each(Scalar scalar, long firstVariable) {
    long[] z = new long[4];
    return (first, count, values) -> {
      for (int i = 0; i < count; i++) {
        scalar.get(firstVariable + first + i, z);
        System.arraycopy(z, 0, values, 4 * i, 4);
      }
    };
  }

  /** Says what is being done between two queries. */
  void say(String step) {
    listener.progressed(step, done, total);
  }

  /** Makes {@code count} points. */
  void make(String content, boolean g2, long count, Scalars scalars, Target target)
      throws DeviceException, IOException {
    long[] values = new long[4 * (int) Math.min(capacity, count)];
    for (long first = 0; first < count; first += capacity) {
      int here = (int) Math.min(capacity, count - first);
      scalars.fill(first, here, values);
      target.append(fixedBase.multiply(g2, values, here));
      done += here;
      listener.progressed("making " + content, done, total);
    }
    Arrays.fill(values, 0);
  }
}
