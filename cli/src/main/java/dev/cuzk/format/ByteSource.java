package dev.cuzk.format;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Bytes of an input, read by position: a file, a part of a file, or memory. Nothing is mapped, so a
 * file that shrinks while it is read is an {@link InputException}, never a crash; nothing is read
 * ahead, so a file may be larger than the heap.
 *
 * <p>Safe for use by several threads.
 */
public interface ByteSource extends AutoCloseable {
  /** The file, as the user named it; a part of a container is {@code input.bin#17}. */
  String name();

  /** Bytes in the source, as they were when it was opened. */
  long length();

  /**
   * Fills {@code target} from its position to its limit with the bytes from {@code position} on.
   *
   * @throws InputException if the source does not hold that many bytes (any more)
   * @throws java.util.concurrent.CancellationException if the thread was interrupted
   */
  void read(long position, ByteBuffer target) throws InputException;

  /** Takes the next bytes of a source: the first {@code length} ones from {@code offset} on. */
  @FunctionalInterface
  interface Sink {
    void take(byte[] bytes, int offset, int length);
  }

  /**
   * Reads everything, in pieces of at most 1 MiB.
   *
   * @throws InputException if it cannot be read, or was changed since it was opened
   */
  default void readAll(Progress progress, Sink sink) throws InputException {
    byte[] piece = new byte[(int) Math.min(1 << 20, length())];
    for (long at = 0; at < length(); ) {
      int count = (int) Math.min(piece.length, length() - at);
      read(at, ByteBuffer.wrap(piece, 0, count));
      sink.take(piece, 0, count);
      at += count;
      progress.progressed(at, length());
    }
    verifyUnchanged();
  }

  /**
   * Compares size, time of change, device and inode with those at opening.
   *
   * @throws InputException "input changed", if one of them differs
   */
  void verifyUnchanged() throws InputException;

  /** What the file was when it was opened; empty for memory. */
  Optional<FileIdentity> identity();

  @Override
  void close();

  /**
   * Bytes in memory, for content that came through a pipe.
   *
   * @param bytes not copied; must not change while the source is used
   */
  static ByteSource of(String name, byte[] bytes) {
    return new MemorySource(name, bytes);
  }
}
