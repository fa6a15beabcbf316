package dev.cuzk.proof;

import dev.cuzk.math.Curve;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Group;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Points of BLS12-381 as bytes, in Zcash's serialization: coordinates big-endian, c1 before c0; the
 * top three bits of the first byte are flags. Compressed points (48 or 96 bytes) are x alone, with
 * bit 0x80 set, and 0x20 set if y is the larger of the two roots; uncompressed ones (96 or 192) are
 * x and y without flags. Infinity (0x40) is refused: no sound key or proof has it.
 *
 * <p>One instance serves one thread at a time.
 */
final class PointBytes {
  static final int COMPRESSED = 0x80;
  static final int INFINITY = 0x40;
  static final int LARGER = 0x20;

  private static final int FLAGS = COMPRESSED | INFINITY | LARGER;
  private static final int WIDTH = CurveId.BLS12_381.baseFieldBytes();

  private final Curve curve = Curve.of(CurveId.BLS12_381);
  private final Group g1 = Group.of(curve, false);
  private final Group g2 = Group.of(curve, true);

  /** Bytes that are no point. */
  static final class MalformedPointException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedPointException(String reason) {
      super(reason);
    }
  }

  /** Coordinates of an uncompressed point; whether it lies on the curve is not asked. */
  static List<BigInteger> fromUncompressed(byte[] bytes, int at, boolean inG2)
      throws MalformedPointException {
    int flags = bytes[at] & FLAGS;
    if (flags != 0) {
      throw new MalformedPointException(
          flags == INFINITY
              ? "is the point at infinity"
              : String.format("has flags 0x%02x, which an uncompressed point cannot have", flags));
    }
    return coordinates(bytes, at, 2, inG2, false);
  }

  /** The other way round. */
  static byte[] toUncompressed(List<BigInteger> coordinates) {
    return bytes(coordinates, coordinates.size() == 4);
  }

  /**
   * The point that compressed bytes stand for; it is on the curve, but perhaps not in the subgroup.
   */
  List<BigInteger> fromCompressed(byte[] bytes, int at, boolean inG2)
      throws MalformedPointException {
    int flags = bytes[at] & FLAGS;
    if ((flags & COMPRESSED) == 0) {
      throw new MalformedPointException("is not compressed (bit 0x80 of its first byte is clear)");
    }
    if ((flags & INFINITY) != 0) {
      throw new MalformedPointException("is the point at infinity");
    }
    List<BigInteger> point = new ArrayList<>(coordinates(bytes, at, 1, inG2, true));
    Group group = inG2 ? g2 : g1;
    long[] words = new long[group.affineSize()];
    Points.set(curve, words, 0, point);
    if (!group.solveY(words, 0)) {
      throw new MalformedPointException("has an x that no point of the curve has");
    }
    List<BigInteger> y = new ArrayList<>();
    for (int i = point.size(); i < 2 * point.size(); i++) {
      y.add(curve.base().get(words, i * curve.base().size()));
    }
    boolean larger = isLarger(y);
    if (larger != ((flags & LARGER) != 0)) {
      y.replaceAll(PointBytes::negate);
    } else if (y.stream().allMatch(c -> c.signum() == 0) && (flags & LARGER) != 0) {
      throw new MalformedPointException("asks for the larger of two equal roots");
    }
    point.addAll(y);
    return point;
  }

  /** The other way round. */
  static byte[] toCompressed(List<BigInteger> coordinates) {
    int half = coordinates.size() / 2;
    byte[] bytes = bytes(coordinates.subList(0, half), half == 2);
    boolean larger = isLarger(coordinates.subList(half, coordinates.size()));
    bytes[0] |= (byte) (COMPRESSED | (larger ? LARGER : 0));
    return bytes;
  }

  private static BigInteger negate(BigInteger coordinate) {
    return coordinate.signum() == 0
        ? coordinate
        : CurveId.BLS12_381.baseModulus().subtract(coordinate);
  }

  /** Whether y is larger than −y: c1 decides, c0 only where c1 is zero. */
  private static boolean isLarger(List<BigInteger> y) {
    BigInteger decisive = y.get(y.size() - 1);
    if (decisive.signum() == 0) {
      decisive = y.get(0);
    }
    return decisive.compareTo(CurveId.BLS12_381.baseModulus().shiftRight(1)) > 0;
  }

  /**
   * @param fieldElements how many elements of the field that the point lies over: x, or x and y
   * @param masked whether the first byte has flags
   */
  private static List<BigInteger> coordinates(
      byte[] bytes, int at, int fieldElements, boolean inG2, boolean masked)
      throws MalformedPointException {
    int degree = inG2 ? 2 : 1;
    BigInteger[] coordinates = new BigInteger[fieldElements * degree];
    for (int i = 0; i < coordinates.length; i++) {
      byte[] number = Arrays.copyOfRange(bytes, at + i * WIDTH, at + (i + 1) * WIDTH);
      if (i == 0 && masked) {
        number[0] &= (byte) ~FLAGS;
      }
      BigInteger value = new BigInteger(1, number);
      if (value.compareTo(CurveId.BLS12_381.baseModulus()) >= 0) {
        throw new MalformedPointException("has a coordinate that is not below p");
      }
      coordinates[swapped(i, degree)] = value;
    }
    return List.of(coordinates);
  }

  private static byte[] bytes(List<BigInteger> coordinates, boolean inG2) {
    byte[] bytes = new byte[coordinates.size() * WIDTH];
    for (int i = 0; i < coordinates.size(); i++) {
      byte[] number = coordinates.get(swapped(i, inG2 ? 2 : 1)).toByteArray();
      int length = Math.min(number.length, WIDTH);
      System.arraycopy(number, number.length - length, bytes, (i + 1) * WIDTH - length, length);
    }
    return bytes;
  }

  /** c1 stands before c0 in files, behind it in memory. */
  private static int swapped(int index, int degree) {
    return index / degree * degree + degree - 1 - index % degree;
  }
}
