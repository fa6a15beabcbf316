package dev.cuzk.setup;

import dev.cuzk.device.DeviceException;
import dev.cuzk.format.ZkeyFile;
import dev.cuzk.format.ZkeyWriter;
import dev.cuzk.math.Field;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The key's points that belong to no query, in Montgomery form; gamma is the generator, as in every
 * snarkjs key.
 */
record SinglePoints(
    byte[] generator1,
    byte[] alpha1,
    byte[] beta1,
    byte[] delta1,
    byte[] beta2,
    byte[] gamma2,
    byte[] delta2) {
  static SinglePoints make(FixedBase fixedBase, Field field, ToxicWaste waste)
      throws DeviceException {
    long[] scalars = new long[16];
    scalars[0] = 1;
    field.fromMontgomery(scalars, 4, waste.alpha, 0);
    field.fromMontgomery(scalars, 8, waste.beta, 0);
    field.fromMontgomery(scalars, 12, waste.delta, 0);
    byte[][] g1 = split(fixedBase.multiply(false, scalars, 4));
    byte[][] g2 = split(fixedBase.multiply(true, scalars, 4));
    Arrays.fill(scalars, 0);
    return new SinglePoints(g1[0], g1[1], g1[2], g1[3], g2[2], g2[0], g2[3]);
  }

  private static byte[][] split(ByteBuffer points) {
    byte[][] parts = new byte[4][points.remaining() / 4];
    for (byte[] part : parts) {
      points.get(part);
    }
    return parts;
  }

  ZkeyFile.SinglePoints forHeader() {
    return new ZkeyFile.SinglePoints(alpha1, beta1, beta2, gamma2, delta1, delta2);
  }

  /** alpha1, beta1, beta2, gamma2, delta1, delta2 as a .params begins. */
  byte[] forParams(BellmanPoints encoding) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(encoding.convert(alpha1, false));
    all.writeBytes(encoding.convert(beta1, false));
    all.writeBytes(encoding.convert(beta2, true));
    all.writeBytes(encoding.convert(gamma2, true));
    all.writeBytes(encoding.convert(delta1, false));
    all.writeBytes(encoding.convert(delta2, true));
    return all.toByteArray();
  }

  /**
   * A contribution of delta to a key that had delta = 1. Its proof of knowledge is one over the
   * generator, which no verifier of ceremonies takes.
   */
  ZkeyWriter.Contribution contribution(String name) {
    return new ZkeyWriter.Contribution(name, delta1, generator1, delta1, delta2);
  }
}
