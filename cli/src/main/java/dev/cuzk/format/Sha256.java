package dev.cuzk.format;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of inputs, read in pieces. */
public final class Sha256 {

  private Sha256() {}

  /** A fresh digest. */
  public static MessageDigest create() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** 64 lower-case hex digits. */
  public static String hex(byte[] digest) {
    return HexFormat.of().formatHex(digest);
  }

  /**
   * The digest of everything in a source.
   *
   * @return 64 lower-case hex digits
   * @throws InputException if it cannot be read, or was changed while it was read
   */
  public static String of(ByteSource source, Progress progress) throws InputException {
    MessageDigest digest = create();
    source.readAll(progress, digest::update);
    return hex(digest.digest());
  }

  /** As {@link #of(ByteSource, Progress)}, for a file or a part of one. */
  public static String of(FileRange range, Progress progress) throws InputException {
    try (ByteSource source = range.open()) {
      return of(source, progress);
    }
  }
}
