package dev.cuzk.format.filecoin;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.InputException;
import dev.cuzk.format.SourceStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The forms of Filecoin's vanilla proofs, told by content. */
public enum FilecoinFormat {
  /** {@code {"SectorNum":…,"Phase1Out":"base64","SectorSize":…}}. */
  C1_ENVELOPE("c1-envelope"),
  /** {@code {"registered_proof":…,"vanilla_proofs":…}}. */
  C1_JSON("c1-json"),
  C1_BINCODE("c1-bincode"),
  /** One sector of a PoSt. */
  POST_SECTOR("post-sector-bincode"),
  /** One partition of an update. */
  UPDATE_PARTITION("partition-proof-bincode"),
  /** A JSON array of sectors or partitions. */
  BASE64_ARRAY("base64-array");

  private static final int START_BYTES = 512;
  private static final int HASH = MerkleProof.HASH_BYTES;
  private static final int FEWEST_LEAVES = 8;
  private static final int MOST_LEAVES = 128;
  private static final int MOST_CHALLENGES = 4096;

  private final String title;

  FilecoinFormat(String title) {
    this.title = title;
  }

  /** The word that manifests use. */
  public String title() {
    return title;
  }

  /** Whether it holds a C1 output. */
  public boolean isC1() {
    return this == C1_ENVELOPE || this == C1_JSON || this == C1_BINCODE;
  }

  /** What a file is by its beginning, and in the case of an update by two counts in it. */
  public static Optional<FilecoinFormat> of(ByteSource source) throws InputException {
    byte[] start = new byte[(int) Math.min(START_BYTES, source.length())];
    source.read(0, ByteBuffer.wrap(start));
    String text = new String(start, StandardCharsets.ISO_8859_1).stripLeading();
    if (text.startsWith("{")) {
      return Optional.ofNullable(object(source));
    }
    if (text.startsWith("[")) {
      String element = text.substring(1).stripLeading();
      return element.startsWith("\"") && isBase64(element.substring(1))
          ? Optional.of(BASE64_ARRAY)
          : Optional.empty();
    }
    return Optional.ofNullable(bincode(source, start));
  }

  /** Public signals are arrays of strings too, but of decimal digits alone. */
  private static boolean isBase64(String start) {
    int end = start.indexOf('"');
    String element = end < 0 ? start : start.substring(0, end);
    return element.length() > 200 && !element.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** By the first member that one of the forms has and the other has not. */
  private static FilecoinFormat object(ByteSource source) {
    JsonBytes json = new JsonBytes(source.name(), new SourceStream(source));
    try {
      json.expect('{');
      while (!json.take('}')) {
        String name = json.string();
        json.expect(':');
        switch (name) {
          case "Phase1Out":
            return C1_ENVELOPE;
          case "vanilla_proofs", "registered_proof":
            return C1_JSON;
          default:
            json.skipValue(0);
            json.take(',');
        }
      }
      return null;
    } catch (InputException notOfThisForm) {
      return null;
    }
  }

  private static FilecoinFormat bincode(ByteSource source, byte[] start) throws InputException {
    ByteBuffer bytes = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN);
    if (start.length < 64) {
      return null;
    }
    int registered = bytes.getInt(0);
    int vanilla = bytes.getInt(4);
    if (isBetween(registered, 0, 19)
        && isBetween(vanilla, 0, 4)
        && isBetween(bytes.getLong(8), 1, MOST_CHALLENGES)
        && isBetween(bytes.getLong(16), 1, MOST_CHALLENGES)
        && isBetween(bytes.getInt(24), 0, 2)) {
      return C1_BINCODE;
    }
    // Sector number, comm_r, then one sector and its proofs, of which the first has a form.
    if (bytes.getLong(0) >= 0
        && bytes.getLong(8 + HASH) == 1
        && isBetween(bytes.getLong(16 + HASH), 1, MOST_CHALLENGES)
        && start.length >= 28 + HASH
        && isBetween(bytes.getInt(24 + HASH), 0, 2)) {
      return POST_SECTOR;
    }
    long leaves = bytes.getLong(HASH);
    long challenges = 8 + HASH + leaves * HASH;
    if (isBetween(leaves, FEWEST_LEAVES, MOST_LEAVES) && challenges + 12 <= source.length()) {
      ByteBuffer count = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
      source.read(challenges, count);
      if (isBetween(count.getLong(0), 1, MOST_CHALLENGES) && isBetween(count.getInt(8), 0, 2)) {
        return UPDATE_PARTITION;
      }
    }
    return null;
  }

  private static boolean isBetween(long value, long least, long most) {
    return value >= least && value <= most;
  }
}
