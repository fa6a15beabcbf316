package dev.cuzk.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file, or the part of one that is read as if it were a file of its own (a payload inside a
 * container). Only names the bytes; {@link #open} reaches them.
 *
 * @param path the file that holds the bytes
 * @param name what messages call it
 * @param offset of the first byte
 * @param length in bytes; {@link #TO_END} for all that follows {@code offset}
 */
public record FileRange(Path path, String name, long offset, long length) {
  /** A length that stands for all bytes up to the end of the file. */
  public static final long TO_END = -1;

  public FileRange {
    if (offset < 0 || length < TO_END) {
      throw new IllegalArgumentException("offset " + offset + ", length " + length);
    }
  }

  /**
   * Written out: linking a record's own methods takes a short command longer than all else here.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof FileRange range
        && path.equals(range.path)
        && name.equals(range.name)
        && offset == range.offset
        && length == range.length;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * path.hashCode() + name.hashCode()) + Long.hashCode(offset + length);
  }

  /** The whole file, under the name that the user gave. */
  public static FileRange whole(Path path) {
    return new FileRange(path, path.toString(), 0, TO_END);
  }

  /**
   * Opens the bytes for reading by position.
   *
   * @throws InputException if there is no such regular file, it cannot be read, or it is too short
   */
  public ByteSource open() throws InputException {
    return FileSource.open(this);
  }

  /**
   * What the file is now.
   *
   * @throws InputException if there is no such regular file
   */
  public FileIdentity identity() throws InputException {
    try {
      requireRegular();
      return FileIdentity.of(path);
    } catch (IOException e) {
      throw FileSource.unreadable(name, e);
    }
  }

  void requireRegular() throws InputException {
    if (Files.isDirectory(path)) {
      throw new InputException(name, "it is a folder, not a file");
    }
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new InputException(
          name,
          "it is not a regular file: a pipe or a device cannot be read by position. Write its"
              + " content to a file first.");
    }
  }
}
