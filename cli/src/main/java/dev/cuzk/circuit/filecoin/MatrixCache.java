package dev.cuzk.circuit.filecoin;

import dev.cuzk.circuit.CompactMatrices;
import dev.cuzk.circuit.CompactMatricesFile;
import dev.cuzk.format.InputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Keeps the compact matrices of Filecoin's circuits in a private folder, {@code matrices} under the
 * tool's cache, as {@code DIGEST.matrices}. A file that is damaged or of another circuit is as good
 * as none and is written anew; files appear complete or not at all. A folder that cannot be written
 * is no error: the matrices are made again each time, which takes about a second.
 *
 * <p>Safe for use by several threads and processes.
 */
public final class MatrixCache {
  private final Path folder;

  private MatrixCache(Path folder) {
    this.folder = folder;
  }

  /** Keeps matrices below {@code cacheFolder}, which need not exist yet. */
  public static MatrixCache in(Path cacheFolder) {
    return new MatrixCache(cacheFolder.resolve("matrices"));
  }

  /** Keeps nothing. */
  public static MatrixCache none() {
    return new MatrixCache(null);
  }

  /** The matrices of a circuit, from the cache or made now. */
  public CompactMatrices of(FilecoinCircuit circuit) {
    if (folder == null) {
      return circuit.matrices();
    }
    String digest = circuit.reference().root();
    Path file = folder.resolve(digest + ".matrices");
    if (Files.isRegularFile(file)) {
      try {
        return CompactMatricesFile.read(file, circuit.name(), FilecoinCircuit.CURVE, digest);
      } catch (InputException e) {
        // Made and written again below.
      }
    }
    CompactMatrices matrices = circuit.matrices();
    keep(file, CompactMatricesFile.encode(matrices, digest));
    return matrices;
  }

  private void keep(Path file, ByteBuffer bytes) {
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Path temporary = Files.createTempFile(folder, ".matrices", null);
      try {
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
          while (bytes.hasRemaining()) {
            channel.write(bytes);
          }
          channel.force(false);
        }
        Files.move(
            temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      // The matrices are right all the same; the next run makes them once more.
      return;
    }
  }
}
