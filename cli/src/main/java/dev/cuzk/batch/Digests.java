package dev.cuzk.batch;

import dev.cuzk.format.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of files, parts of files and texts, as 64 lower-case hex digits. */
final class Digests {
  private static final int PIECE_BYTES = 1 << 18;

  private Digests() {}

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  static String of(byte[] bytes) {
    return HexFormat.of().formatHex(sha256().digest(bytes));
  }

  static String of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Of a whole file. */
  static String of(Path file) throws InputException {
    MessageDigest digest = sha256();
    byte[] piece = new byte[PIECE_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        digest.update(piece, 0, read);
      }
    } catch (IOException e) {
      throw unreadable(file, e);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Of {@code length} bytes from {@code offset} on. */
  static String of(Path file, long offset, long length) throws InputException {
    MessageDigest digest = sha256();
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long done = 0;
      while (done < length) {
        piece.clear().limit((int) Math.min(piece.capacity(), length - done));
        int read = channel.read(piece, offset + done);
        if (read < 0) {
          throw new InputException(
              file.toString(),
              "the file became shorter while it was read (offset "
                  + (offset + done)
                  + "). Do not change inputs during a run.");
        }
        digest.update(piece.array(), 0, read);
        done += read;
      }
    } catch (IOException e) {
      throw unreadable(file, e);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  static InputException unreadable(Path file, IOException cause) {
    return new InputException(file.toString(), Failures.describe(cause), cause);
  }
}
