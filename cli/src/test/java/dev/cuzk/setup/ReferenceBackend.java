package dev.cuzk.setup;

import dev.cuzk.device.Backend;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import dev.cuzk.math.Group;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;

/** A device that multiplies fixed points in plain Java and knows nothing else. */
final class ReferenceBackend {
  private ReferenceBackend() {}

  static Backend make() {
    return (Backend)
        Proxy.newProxyInstance(
            Backend.class.getClassLoader(),
            new Class<?>[] {Backend.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("fixedBase")) {
                throw new AssertionError(method.getName());
              }
              multiply(
                  (CurveId) arguments[0],
                  (boolean) arguments[1],
                  (byte[]) arguments[2],
                  (ByteBuffer) arguments[3],
                  (long) arguments[4],
                  (ByteBuffer) arguments[5]);
              return null;
            });
  }

  private static void multiply(
      CurveId curve, boolean g2, byte[] base, ByteBuffer scalars, long count, ByteBuffer points) {
    Group group = Group.of(curve, g2);
    Field field = Field.base(curve);
    long[] affine = new long[group.affineSize()];
    for (int at = 0; at < affine.length; at += field.size()) {
      field.load(affine, at, base, 8 * at);
    }
    long[] generator = new long[group.jacobianSize()];
    group.toJacobian(generator, 0, affine, 0);
    long[] product = new long[group.jacobianSize()];
    long[] k = new long[4];
    byte[] bytes = new byte[curve.pointBytes(g2)];
    for (int i = 0; i < count; i++) {
      for (int word = 0; word < 4; word++) {
        k[word] = scalars.getLong(32 * i + 8 * word);
      }
      group.multiply(product, 0, generator, 0, k, 0, 4);
      group.toAffine(affine, 0, product, 0);
      for (int at = 0; at < affine.length; at += field.size()) {
        field.store(bytes, 8 * at, affine, at);
      }
      points.put(i * bytes.length, bytes);
    }
  }
}
