package dev.cuzk.synthesis.circom;

import com.dylibso.chicory.wasm.Version;
import dev.cuzk.format.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Keeps compiled programs in a private folder, {@code wasm} under the tool's cache.
 *
 * <p>A file's name holds the SHA-256 of the module, Chicory's version and Java's. It begins with
 * the magic {@code cuzkwasm} and the SHA-256 of all that follows: a damaged file is as good as
 * none, and is written anew. Files appear complete or not at all (written under another name, then
 * renamed). Code is loaded from here, so a folder that belongs to or can be written by somebody
 * else is not used.
 *
 * <p>A folder that cannot be made or written is no error: programs are compiled again, and a
 * warning is given once.
 */
public final class ProgramCache {
  private static final byte[] MAGIC = {'c', 'u', 'z', 'k', 'w', 'a', 's', 'm'};
  private static final int DIGEST_BYTES = 32;

  /** Raised whenever the way of compiling changes: older files are then not found. */
  private static final int FORMAT = 3;

  private static final Set<PosixFilePermission> PRIVATE_FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> PRIVATE_FILE =
      PosixFilePermissions.fromString("rw-------");

  /** The number of a file's owner; names may be missing in a container. */
  private static final String USER = "unix:uid";

  /** Belongs to the user as whom the process runs. */
  private static final Path THIS_PROCESS = Path.of("/proc/self");

  private final Path folder;
  private final Consumer<String> warnings;
  private final AtomicBoolean warned = new AtomicBoolean();

  private ProgramCache(Path folder, Consumer<String> warnings) {
    this.folder = folder;
    this.warnings = warnings;
  }

  /**
   * @param cacheFolder the tool's cache folder; made with its parents when something is kept
   * @param warnings is given one line, at most once, when the folder cannot be used
   */
  public static ProgramCache in(Path cacheFolder, Consumer<String> warnings) {
    return new ProgramCache(cacheFolder.resolve("wasm"), warnings);
  }

  /** Keeps nothing. */
  public static ProgramCache none() {
    return new ProgramCache(null, line -> {});
  }

  private Path file(String sha256) {
    return folder.resolve(
        sha256
            + "-chicory"
            + Version.version()
            + "-java"
            + Runtime.version().feature()
            + "-"
            + FORMAT
            + ".classes");
  }

  /** The program kept under the module's digest, if there is one and it is whole. */
  Optional<CompiledProgram> load(String sha256) {
    if (folder == null) {
      return Optional.empty();
    }
    try {
      if (Files.exists(folder) && !isPrivate(folder)) {
        warn("others own it or can write to it");
        return Optional.empty();
      }
      return decode(Files.readAllBytes(file(sha256)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      warn(reason(e));
      return Optional.empty();
    }
  }

  /** Keeps a program. */
  void store(String sha256, CompiledProgram program) {
    if (folder == null) {
      return;
    }
    Path temporary = null;
    try {
      Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PRIVATE_FOLDER));
      if (!isPrivate(folder)) {
        warn("others own it or can write to it");
        return;
      }
      temporary =
          Files.createTempFile(
              folder, "new", ".tmp", PosixFilePermissions.asFileAttribute(PRIVATE_FILE));
      try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(encode(program));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(false);
      }
      Files.move(temporary, file(sha256), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | UnsupportedOperationException e) {
      warn(reason(e));
      delete(temporary);
    }
  }

  private static String reason(Exception failure) {
    if (failure instanceof NoSuchFileException) {
      return "no such file or folder";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof FileSystemException system && system.getReason() != null) {
      return system.getReason();
    }
    return String.valueOf(failure.getMessage());
  }

  private static void delete(Path temporary) {
    if (temporary != null) {
      try {
        Files.deleteIfExists(temporary);
      } catch (IOException e) {
        // Left behind; its name shows that it is not a finished file.
      }
    }
  }

  private static boolean isPrivate(Path folder) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
    return !permissions.contains(PosixFilePermission.GROUP_WRITE)
        && !permissions.contains(PosixFilePermission.OTHERS_WRITE)
        && Files.getAttribute(folder, USER).equals(Files.getAttribute(THIS_PROCESS, USER));
  }

  private void warn(String reason) {
    if (warned.compareAndSet(false, true)) {
      warnings.accept(
          folder
              + ": compiled circom programs cannot be kept here ("
              + reason
              + "); each run"
              + " compiles them again");
    }
  }

  private static byte[] encode(CompiledProgram program) throws IOException {
    ByteArrayOutputStream contents = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(contents)) {
      writeBytes(out, program.module());
      out.writeInt(program.classes().size());
      for (Map.Entry<String, byte[]> entry : program.classes().entrySet()) {
        out.writeUTF(entry.getKey());
        writeBytes(out, entry.getValue());
      }
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream(contents.size() + 40);
    file.writeBytes(MAGIC);
    byte[] rest = contents.toByteArray();
    file.writeBytes(sha256(rest, 0));
    file.writeBytes(rest);
    return file.toByteArray();
  }

  private static Optional<CompiledProgram> decode(byte[] file) {
    int start = MAGIC.length + DIGEST_BYTES;
    if (file.length < start
        || !Arrays.equals(file, 0, MAGIC.length, MAGIC, 0, MAGIC.length)
        || !Arrays.equals(Arrays.copyOfRange(file, MAGIC.length, start), sha256(file, start))) {
      return Optional.empty();
    }
    try (DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(file, start, file.length - start))) {
      byte[] module = readBytes(in);
      int count = in.readInt();
      Map<String, byte[]> classes = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        classes.put(in.readUTF(), readBytes(in));
      }
      return Optional.of(new CompiledProgram(module, classes));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    return in.readNBytes(in.readInt());
  }

  private static byte[] sha256(byte[] bytes, int from) {
    MessageDigest digest = Sha256.create();
    digest.update(bytes, from, bytes.length - from);
    return digest.digest();
  }

  /** SHA-256 of a module, as 64 hex digits. */
  static String digest(byte[] module) {
    return Sha256.hex(sha256(module, 0));
  }
}
