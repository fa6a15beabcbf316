package dev.cuzk.format.filecoin;

import java.math.BigInteger;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The facts of Filecoin jobs as people and manifests write them. */
public final class FactText {
  private static final int HASH = MerkleProof.HASH_BYTES;
  private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{64}");
  private static final Pattern CID = Pattern.compile("b[a-z2-7]{40,120}");
  private static final Pattern MINER = Pattern.compile("(?:[ft]0)?(\\d{1,19})");
  private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

  /** Multicodec numbers: version 1, fil-commitment-unsealed and -sealed, and their hashes. */
  private static final long UNSEALED = 0xf101;

  private static final long SEALED = 0xf102;
  private static final long SHA256_TRUNCATED = 0x1012;
  private static final long POSEIDON = 0xb401;

  private FactText() {}

  /** 32 bytes from 64 hex digits in memory order, or from the CID of a commitment. */
  public static Optional<byte[]> commitment(String text) {
    if (HEX.matcher(text).matches()) {
      return Optional.of(HexFormat.of().parseHex(text.toLowerCase(Locale.ROOT)));
    }
    return CID.matcher(text).matches() ? cid(text.substring(1)) : Optional.empty();
  }

  /** The digest in a CID: version 1, codec, hash, length, digest; numbers in LEB128. */
  private static Optional<byte[]> cid(String base32) {
    BigInteger bits = BigInteger.ZERO;
    for (int i = 0; i < base32.length(); i++) {
      bits = bits.shiftLeft(5).or(BigInteger.valueOf(BASE32.indexOf(base32.charAt(i))));
    }
    int spare = base32.length() * 5 % 8;
    if (spare >= 5 || bits.getLowestSetBit() >= 0 && bits.getLowestSetBit() < spare) {
      return Optional.empty();
    }
    byte[] bytes = new byte[base32.length() * 5 / 8];
    byte[] number = bits.shiftRight(spare).toByteArray();
    int length = Math.min(number.length, bytes.length);
    System.arraycopy(number, number.length - length, bytes, bytes.length - length, length);
    long[] prefix = new long[4];
    int at = 0;
    for (int i = 0; i < prefix.length; i++) {
      int shift = 0;
      do {
        if (at == bytes.length || shift > 28) {
          return Optional.empty();
        }
        prefix[i] |= (bytes[at] & 0x7fL) << shift;
        shift += 7;
      } while (bytes[at++] < 0);
    }
    boolean known =
        prefix[1] == UNSEALED && prefix[2] == SHA256_TRUNCATED
            || prefix[1] == SEALED && prefix[2] == POSEIDON;
    if (prefix[0] != 1 || !known || prefix[3] != HASH || bytes.length - at != HASH) {
      return Optional.empty();
    }
    byte[] digest = new byte[HASH];
    System.arraycopy(bytes, at, digest, 0, HASH);
    return Optional.of(digest);
  }

  /** 32 bytes from 64 hex digits or base64. */
  public static Optional<byte[]> randomness(String text) {
    if (HEX.matcher(text).matches()) {
      return Optional.of(HexFormat.of().parseHex(text.toLowerCase(Locale.ROOT)));
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      return bytes.length == HASH ? Optional.of(bytes) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** A miner's actor number from {@code N}, {@code f0N} or {@code t0N}. */
  public static OptionalLong minerId(String text) {
    Matcher match = MINER.matcher(text);
    if (!match.matches()) {
      return OptionalLong.empty();
    }
    BigInteger number = new BigInteger(match.group(1));
    return number.bitLength() < 64 ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
  }
}
