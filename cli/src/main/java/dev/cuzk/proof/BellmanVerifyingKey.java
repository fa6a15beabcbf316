package dev.cuzk.proof;

import dev.cuzk.format.InputException;
import dev.cuzk.format.ParamsFile;
import dev.cuzk.math.CurveId;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A verifying key as bellman has it: two points of G1 more than the pairing equation needs.
 *
 * @param key what a verifier needs
 * @param beta1 x, y
 * @param delta1 x, y
 */
public record BellmanVerifyingKey(
    VerifyingKey key, List<BigInteger> beta1, List<BigInteger> delta1) {
  private static final int POINTS_AT_ONCE = 4096;

  public BellmanVerifyingKey {
    beta1 = List.copyOf(beta1);
    delta1 = List.copyOf(delta1);
  }

  /**
   * Reads the key that a .vk holds or a .params begins with. Coordinates are below p; whether the
   * points are on the curve is {@link VerifyingKeyCheck}'s business.
   */
  public static BellmanVerifyingKey read(ParamsFile file) throws InputException {
    byte[] singles = file.singlePoints();
    int g1 = CurveId.BLS12_381.pointBytes(false);
    int g2 = CurveId.BLS12_381.pointBytes(true);
    VerifyingKey key =
        new VerifyingKey(
            CurveId.BLS12_381,
            point(file, "alpha1", singles, 0, false, 0),
            point(file, "beta2", singles, 2 * g1, true, 2 * g1),
            point(file, "gamma2", singles, 2 * g1 + g2, true, 2 * g1 + g2),
            point(file, "delta2", singles, 3 * g1 + 2 * g2, true, 3 * g1 + 2 * g2),
            inputs(file));
    return new BellmanVerifyingKey(
        key,
        point(file, "beta1", singles, g1, false, g1),
        point(file, "delta1", singles, 2 * g1 + 2 * g2, false, 2 * g1 + 2 * g2));
  }

  private static List<List<BigInteger>> inputs(ParamsFile file) throws InputException {
    int count = (int) file.count(ParamsFile.Section.IC);
    int bytes = ParamsFile.Section.IC.pointBytes();
    List<List<BigInteger>> ic = new ArrayList<>(count);
    byte[] piece = new byte[Math.min(count, POINTS_AT_ONCE) * bytes];
    for (int first = 0; first < count; first += POINTS_AT_ONCE) {
      int here = Math.min(POINTS_AT_ONCE, count - first);
      file.readPoints(ParamsFile.Section.IC, first, here, ByteBuffer.wrap(piece, 0, here * bytes));
      for (int i = 0; i < here; i++) {
        ic.add(point(file, "IC[" + (first + i) + "]", piece, i * bytes, false, -1));
      }
    }
    file.verifyUnchanged();
    return ic;
  }

  private static List<BigInteger> point(
      ParamsFile file, String name, byte[] bytes, int at, boolean inG2, int offset)
      throws InputException {
    try {
      return PointBytes.fromUncompressed(bytes, at, inG2);
    } catch (PointBytes.MalformedPointException e) {
      throw new InputException(
          file.name(),
          name
              + " "
              + e.getMessage()
              + (offset < 0 ? "" : " (offset " + offset + ")")
              + ". "
              + InputException.DAMAGED,
          e);
    }
  }

  /** alpha1, beta1, beta2, gamma2, delta1, delta2 as .vk and .params begin. */
  public byte[] singlePoints() {
    return concatenate(
        List.of(key.alpha1(), beta1, key.beta2(), key.gamma2(), delta1, key.delta2()));
  }

  /** The content of a .vk file. */
  public byte[] toBytes() {
    byte[] singles = singlePoints();
    byte[] ic = concatenate(key.ic());
    return ByteBuffer.allocate(singles.length + 4 + ic.length)
        .put(singles)
        .putInt(key.ic().size())
        .put(ic)
        .array();
  }

  private static byte[] concatenate(List<List<BigInteger>> points) {
    int length = points.stream().mapToInt(p -> p.size() * CurveId.BLS12_381.baseFieldBytes()).sum();
    ByteBuffer all = ByteBuffer.allocate(length);
    points.forEach(point -> all.put(PointBytes.toUncompressed(point)));
    return all.array();
  }
}
