package dev.cuzk.proof;

import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * Groth16 proofs over BLS12-381 as bellman and Filecoin write them: 192 bytes each (A, B, C
 * compressed), those of a job's partitions one behind the other; the whole as it is, in hexadecimal
 * or in base64.
 */
public final class ProofBytes {
  /** Bytes of one proof. */
  public static final int BYTES = 192;

  /** Above the proofs of the most partitions in use (126) tenfold, in hexadecimal. */
  public static final int LARGEST_FILE = 1 << 19;

  private static final int B_OFFSET = 48;
  private static final int C_OFFSET = 144;

  /** How the bytes are written to a file. */
  public enum Encoding {
    RAW(""),
    HEX(".hex"),
    BASE64(".b64");

    private final String ending;

    Encoding(String ending) {
      this.ending = ending;
    }

    /** What follows {@code NAME.proof}. */
    public String ending() {
      return ending;
    }
  }

  private ProofBytes() {}

  /** One proof. */
  public static byte[] encode(Proof proof) {
    if (proof.curve() != CurveId.BLS12_381) {
      throw new IllegalArgumentException("only proofs over bls12-381 have this form");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(BYTES);
    bytes.writeBytes(PointBytes.toCompressed(proof.a()));
    bytes.writeBytes(PointBytes.toCompressed(proof.b()));
    bytes.writeBytes(PointBytes.toCompressed(proof.c()));
    return bytes.toByteArray();
  }

  /** The content of a file with the proofs of all partitions in order. */
  public static byte[] encode(List<Proof> proofs, Encoding encoding) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(proofs.size() * BYTES);
    proofs.forEach(proof -> bytes.writeBytes(encode(proof)));
    byte[] raw = bytes.toByteArray();
    return switch (encoding) {
      case RAW -> raw;
      case HEX -> text(HexFormat.of().formatHex(raw));
      case BASE64 -> text(Base64.getEncoder().encodeToString(raw));
    };
  }

  private static byte[] text(String line) {
    return (line + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * How a file's content is encoded: a compressed point's first bit is set, so raw proofs are never
   * text.
   */
  public static Encoding encodingOf(byte[] content) {
    boolean text = content.length > 0;
    boolean hex = true;
    for (byte b : content) {
      boolean digit = b >= '0' && b <= '9';
      boolean blank = b == '\n' || b == '\r' || b == ' ' || b == '\t';
      text &=
          digit
              || blank
              || Character.isLetter(b & 0xff) && b > 0
              || b == '+'
              || b == '/'
              || b == '=';
      hex &= digit || blank || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F';
    }
    if (!text) {
      return Encoding.RAW;
    }
    return hex ? Encoding.HEX : Encoding.BASE64;
  }

  /** Whether content could be proofs: as long as some, and beginning as one does. */
  public static boolean isLikely(byte[] content) {
    byte[] raw;
    try {
      raw = raw("", content);
    } catch (InputException e) {
      return false;
    }
    return raw.length > 0 && raw.length % BYTES == 0 && (raw[0] & PointBytes.COMPRESSED) != 0;
  }

  /**
   * Decodes a file with the proofs of some partitions.
   *
   * @param file what messages call it
   * @throws InputException if a point is not canonical, compressed and on the curve; that it is in
   *     the subgroup is the verifier's business
   */
  public static List<Proof> decode(String file, byte[] content) throws InputException {
    byte[] raw = raw(file, content);
    if (raw.length == 0 || raw.length % BYTES != 0) {
      throw InputException.at(
          file, "it is not whole proofs", "size", "a multiple of " + BYTES + " bytes", raw.length);
    }
    PointBytes points = new PointBytes();
    List<Proof> proofs = new ArrayList<>();
    for (int at = 0; at < raw.length; at += BYTES) {
      proofs.add(
          new Proof(
              CurveId.BLS12_381,
              point(file, points, raw, at, 'A'),
              point(file, points, raw, at + B_OFFSET, 'B'),
              point(file, points, raw, at + C_OFFSET, 'C')));
    }
    return proofs;
  }

  private static List<BigInteger> point(
      String file, PointBytes points, byte[] raw, int at, char name) throws InputException {
    try {
      return points.fromCompressed(raw, at, name == 'B');
    } catch (PointBytes.MalformedPointException e) {
      throw new InputException(
          file,
          "point "
              + name
              + " of partition "
              + at / BYTES
              + " "
              + e.getMessage()
              + " (offset "
              + at
              + "). The proof is malformed: prove again, or copy the file again.",
          e);
    }
  }

  private static byte[] raw(String file, byte[] content) throws InputException {
    Encoding encoding = encodingOf(content);
    if (encoding == Encoding.RAW) {
      return content;
    }
    String text = new String(content, StandardCharsets.US_ASCII).replaceAll("\\s", "");
    try {
      return encoding == Encoding.HEX
          ? HexFormat.of().parseHex(text)
          : Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new InputException(file, "it is neither hexadecimal nor base64 of a proof", e);
    }
  }
}
