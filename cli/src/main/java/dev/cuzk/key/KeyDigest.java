package dev.cuzk.key;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileIdentity;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Progress;
import dev.cuzk.format.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.digests.Blake2bDigest;

/**
 * Digests of key files, computed once for each (device, inode, size, time of change) and remembered
 * in a folder of the cache: SHA-256, and of Filecoin's parameters the first 16 bytes of
 * BLAKE2b-512, which is what the network published for them.
 *
 * <p>A remembered digest is the file {@code digests/DEVICE-INODE-OFFSET-LENGTH} with one line:
 * {@code cuzk-digest-1 SIZE MODIFIED_NANOS DIGEST}, numbers in decimal, digest in hex; the name of
 * one of BLAKE2b ends in {@code -blake2b}. Offset and length are those of the key inside the file
 * (0 and the size for a file of its own). The line is written to a temporary file and renamed, so
 * that several processes may share the folder; one that cannot be read or does not match is
 * computed again. Without a folder, or with one that cannot be written, nothing is remembered
 * beyond the life of this object.
 *
 * <p>Safe for use by several threads.
 */
public final class KeyDigest {
  private static final Pattern LINE =
      Pattern.compile("cuzk-digest-1 (\\d{1,19}) (-?\\d{1,19}) ([0-9a-f]{32,64})\n");

  /** How a digest was come by; reports print these names in lower case. */
  public enum State {
    /** Read from the file just now. */
    COMPUTED,
    /** Remembered from an earlier run, for a file that has not changed since. */
    REMEMBERED
  }

  /**
   * A digest.
   *
   * @param hex 64 (SHA-256) or 32 (BLAKE2b) lower-case hex digits
   */
  public record Result(String hex, State state) {}

  private static final int PUBLISHED_BYTES = 16;
  private static final int SHA256_DIGITS = 64;

  /** A key's SHA-256 that came out of the pass for another digest. */
  private record Place(FileIdentity identity, long offset, long length) {}

  private interface Algorithm {
    String of(ByteSource source, Progress progress) throws InputException;
  }

  private final Path folder;
  private final Map<Place, String> made = new ConcurrentHashMap<>();

  private KeyDigest(Path folder) {
    this.folder = folder;
  }

  /** Remembers digests below {@code cacheFolder}, which need not exist yet. */
  public static KeyDigest rememberedIn(Path cacheFolder) {
    return new KeyDigest(cacheFolder.resolve("digests"));
  }

  /** Remembers nothing. */
  public static KeyDigest forgetful() {
    return new KeyDigest(null);
  }

  /**
   * The digest of a key.
   *
   * @param progress hears of the reading if the file must be read
   * @throws InputException if it cannot be read, or changed while it was read
   */
  public Result of(FileRange range, Progress progress) throws InputException {
    try (ByteSource source = range.open()) {
      return of(source, range.offset(), progress);
    }
  }

  /** As {@link #of(FileRange, Progress)}, for an opened key that starts at {@code offset}. */
  Result of(ByteSource source, long offset, Progress progress) throws InputException {
    Optional<Result> known = known(source, offset);
    return known.isPresent()
        ? known.get()
        : of(source, offset, "", SHA256_DIGITS, Sha256::of, progress);
  }

  /** The SHA-256 of an opened key if it is known without reading it; empty if not. */
  Optional<Result> known(ByteSource source, long offset) throws InputException {
    Optional<FileIdentity> identity = source.identity();
    if (identity.isEmpty()) {
      return Optional.empty();
    }
    source.verifyUnchanged();
    String own = made.get(new Place(identity.get(), offset, source.length()));
    return own == null
        ? remembered(source, offset, "", SHA256_DIGITS)
        : Optional.of(new Result(own, State.COMPUTED));
  }

  private Optional<Result> remembered(ByteSource source, long offset, String suffix, int digits) {
    if (folder == null) {
      return Optional.empty();
    }
    FileIdentity identity = source.identity().orElseThrow();
    return recall(place(identity, offset, source.length(), suffix), identity)
        .filter(digest -> digest.length() == digits)
        .map(digest -> new Result(digest, State.REMEMBERED));
  }

  /**
   * The digest that the network published for a key that starts at {@code offset}. A run that
   * proves with the key asks for its SHA-256 next; a key of 44 GiB is not to be read twice, so the
   * same pass makes and remembers that too.
   */
  Result published(ByteSource source, long offset, Progress progress) throws InputException {
    MessageDigest sha256 = Sha256.create();
    Result result =
        of(
            source,
            offset,
            "-blake2b",
            2 * PUBLISHED_BYTES,
            (bytes, heard) -> computePublished(bytes, sha256, heard),
            progress);
    Optional<FileIdentity> identity = source.identity();
    if (identity.isPresent() && result.state() == State.COMPUTED) {
      String hex = Sha256.hex(sha256.digest());
      made.put(new Place(identity.get(), offset, source.length()), hex);
      remember(identity.get(), offset, source.length(), "", hex);
    }
    return result;
  }

  private static String computePublished(ByteSource source, MessageDigest sha256, Progress progress)
      throws InputException {
    Blake2bDigest digest = new Blake2bDigest();
    source.readAll(
        progress,
        (bytes, offset, count) -> {
          digest.update(bytes, offset, count);
          sha256.update(bytes, offset, count);
        });
    byte[] result = new byte[digest.getDigestSize()];
    digest.doFinal(result, 0);
    return HexFormat.of().formatHex(result, 0, PUBLISHED_BYTES);
  }

  private Result of(
      ByteSource source,
      long offset,
      String suffix,
      int digits,
      Algorithm algorithm,
      Progress progress)
      throws InputException {
    Optional<FileIdentity> identity = source.identity();
    if (identity.isEmpty()) {
      return new Result(algorithm.of(source, progress), State.COMPUTED);
    }
    source.verifyUnchanged();
    Optional<Result> known = remembered(source, offset, suffix, digits);
    if (known.isPresent()) {
      return known.get();
    }
    String digest = algorithm.of(source, progress);
    remember(identity.get(), offset, source.length(), suffix, digest);
    return new Result(digest, State.COMPUTED);
  }

  private Path place(FileIdentity identity, long offset, long length, String suffix) {
    return folder.resolve(
        identity.device() + "-" + identity.inode() + "-" + offset + "-" + length + suffix);
  }

  private static Optional<String> recall(Path place, FileIdentity identity) {
    try {
      if (!Files.isRegularFile(place) || Files.size(place) > 1024) {
        return Optional.empty();
      }
      Matcher line =
          LINE.matcher(new String(Files.readAllBytes(place), StandardCharsets.ISO_8859_1));
      boolean same =
          line.matches()
              && line.group(1).equals(Long.toString(identity.size()))
              && line.group(2).equals(Long.toString(identity.modifiedNanos()));
      return same ? Optional.of(line.group(3)) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private void remember(
      FileIdentity identity, long offset, long length, String suffix, String digest) {
    if (folder == null) {
      return;
    }
    Path place = place(identity, offset, length, suffix);
    String line =
        "cuzk-digest-1 " + identity.size() + " " + identity.modifiedNanos() + " " + digest + "\n";
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Path temporary = Files.createTempFile(folder, ".digest", null);
      try {
        Files.writeString(temporary, line, StandardCharsets.ISO_8859_1);
        Files.move(
            temporary, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      // The digest is right all the same; the next run computes it once more.
      return;
    }
  }
}
