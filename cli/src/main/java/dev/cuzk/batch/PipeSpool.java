package dev.cuzk.batch;

import dev.cuzk.format.FileRange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * What came through a pipe, in a private file of the output folder (of the cache, where a run has
 * no output folder) that is gone when the run ends. One that a killed run left is removed by the
 * next on that folder, like every unfinished file.
 */
final class PipeSpool implements AutoCloseable {
  private final Path file;
  private final Path madeFolder;

  private PipeSpool(Path file, Path madeFolder) {
    this.file = file;
    this.madeFolder = madeFolder;
  }

  /**
   * Copies standard input to its end.
   *
   * @param head what was read of it already
   */
  static PipeSpool of(BatchOptions options, byte[] head) throws IOException {
    Path folder = options.pair() ? options.cache() : options.out();
    if (folder == null) {
      throw new IOException(
          "a container through a pipe needs an output folder or a cache. Give it as a file");
    }
    Path made = Files.exists(folder) ? null : folder;
    Files.createDirectories(folder);
    Path file = folder.resolve(name(ProcessHandle.current().pid()));
    PipeSpool spool = new PipeSpool(file, made);
    try {
      Files.deleteIfExists(file);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      // For a run that is given up while the pipe is silent.
      if (made != null) {
        made.toFile().deleteOnExit();
      }
      file.toFile().deleteOnExit();
      try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
        out.write(head);
        options.standardInput().transferTo(out);
      }
      return spool;
    } catch (IOException e) {
      if (!(e instanceof FileAlreadyExistsException)) {
        spool.close();
      }
      throw e;
    }
  }

  /** The hidden name of a process's file. */
  static String name(long processId) {
    return ".stdin-" + processId + AtomicFiles.TEMPORARY_ENDING;
  }

  /** The bytes, under the name that messages use. */
  Content content(String name) {
    return new Content.Spooled(new FileRange(file, name, 0, FileRange.TO_END));
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
      if (madeFolder != null) {
        try (var left = Files.list(madeFolder)) {
          if (left.findAny().isPresent()) {
            return;
          }
        }
        Files.delete(madeFolder);
      }
    } catch (IOException e) {
      // The next run on this folder removes it.
      return;
    }
  }
}
