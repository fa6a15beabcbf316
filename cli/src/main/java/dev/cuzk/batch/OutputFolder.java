package dev.cuzk.batch;

import dev.cuzk.engine.JobFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The layout of an output folder. Opening it makes what is missing, takes the lock, and shows that
 * files can be made in it, before anything costly is begun.
 */
final class OutputFolder implements AutoCloseable {
  static final String PROOFS = "proofs";
  static final String KEYS = "keys";
  static final String SHARDS = "shards";
  static final String REPORT_JSON = "report.json";
  static final String REPORT_TEXT = "report.txt";
  static final String TIMELINE = "timeline.csv";
  static final String EVIDENCE = "evidence";
  static final String CRASH = "crash.txt";

  private final Path folder;
  private final FolderLock lock;

  private OutputFolder(Path folder, FolderLock lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /**
   * @throws JobFailure with class OUTPUT if it cannot be made or written, or another process holds
   *     it
   */
  static OutputFolder open(Path folder) throws JobFailure {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw Failures.unwritable(folder, e);
    }
    FolderLock lock = FolderLock.acquire(folder);
    try {
      for (Path place : List.of(folder.resolve(PROOFS), folder.resolve(KEYS))) {
        Files.createDirectories(place);
        AtomicFiles.removeLeftovers(place);
        Path probe = place.resolve(".probe" + AtomicFiles.TEMPORARY_ENDING);
        Files.write(probe, new byte[1]);
        Files.delete(probe);
      }
      AtomicFiles.removeLeftovers(folder);
      return new OutputFolder(folder, lock);
    } catch (IOException e) {
      lock.close();
      throw Failures.unwritable(folder, e);
    }
  }

  /** The folder, as it was given. */
  Path path() {
    return folder;
  }

  Path proofs() {
    return folder.resolve(PROOFS);
  }

  Path keys() {
    return folder.resolve(KEYS);
  }

  Path journal() {
    return folder.resolve(Journal.FILE);
  }

  /** The verifying key's file in a folder. */
  static Path keyFile(Path keys, String sha256) {
    return keys.resolve(sha256 + ".json");
  }

  @Override
  public void close() {
    lock.close();
  }
}
