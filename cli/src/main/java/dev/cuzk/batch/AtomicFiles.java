package dev.cuzk.batch;

import dev.cuzk.format.SpecialFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Files that appear complete under their final name, or not at all: written to a temporary file in
 * the same folder, forced to the disk, renamed, and the folder forced.
 */
public final class AtomicFiles {
  /** Leftovers of a killed run bear this ending and are removed by the next. */
  static final String TEMPORARY_ENDING = ".cuzk-part";

  private AtomicFiles() {}

  /**
   * One file.
   *
   * @throws IOException if it is a folder or cannot be written; then it is what it was before
   */
  public static void write(Path file, byte[] content) throws IOException {
    writeAll(Map.of(file, content));
  }

  /**
   * Several files; each folder is forced once. When it throws, none of those that were not yet
   * renamed is left behind, and no file is there in part. Devices and pipes are written to as they
   * are.
   */
  static void writeAll(Map<Path, byte[]> contents) throws IOException {
    Map<Path, Path> finalByTemporary = new LinkedHashMap<>();
    try {
      for (Map.Entry<Path, byte[]> entry : contents.entrySet()) {
        if (SpecialFiles.isWrittenInPlace(entry.getKey())) {
          Files.write(entry.getKey(), entry.getValue(), StandardOpenOption.WRITE);
          continue;
        }
        Path temporary = temporaryFor(entry.getKey());
        finalByTemporary.put(temporary, entry.getKey());
        writeForced(temporary, entry.getValue());
      }
      Set<Path> folders = new LinkedHashSet<>();
      for (Map.Entry<Path, Path> entry : new ArrayList<>(finalByTemporary.entrySet())) {
        Files.move(
            entry.getKey(),
            entry.getValue(),
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
        finalByTemporary.remove(entry.getKey());
        folders.add(folderOf(entry.getValue()));
      }
      for (Path folder : folders) {
        forceFolder(folder);
      }
    } finally {
      for (Path temporary : finalByTemporary.keySet()) {
        Files.deleteIfExists(temporary);
      }
    }
  }

  /** The hidden name beside {@code file} under which it is written. */
  static Path temporaryFor(Path file) {
    return file.resolveSibling("." + file.getFileName() + TEMPORARY_ENDING);
  }

  /** Gives a finished temporary file its final name. */
  static void publish(Path temporary, Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    forceFolder(folderOf(file));
  }

  private static void writeForced(Path file, byte[] content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  static Path folderOf(Path file) {
    return file.getParent() == null ? Path.of(".") : file.getParent();
  }

  /** Makes names in a folder durable. */
  static void forceFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Removes what a killed run left in a folder; only while its lock is held. */
  static void removeLeftovers(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    List<Path> leftovers = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, ".*" + TEMPORARY_ENDING)) {
      Path spool = folder.resolve(PipeSpool.name(ProcessHandle.current().pid()));
      for (Path file : files) {
        if (!file.equals(spool)) {
          leftovers.add(file);
        }
      }
    }
    for (Path leftover : leftovers) {
      Files.deleteIfExists(leftover);
    }
  }
}
