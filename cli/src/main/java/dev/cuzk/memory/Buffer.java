package dev.cuzk.memory;

import java.nio.ByteBuffer;

/**
 * Memory outside the Java heap, by address, length and owner.
 *
 * <p>Assignments can be larger than a {@link ByteBuffer} (2^27 scalars are 4 GiB), so the bytes are
 * reached through views of at most 2 GiB each. A buffer belongs to whoever made it: that owner
 * closes it; after {@link #close} no view may be used. Buffers are safe to use from several threads
 * as long as no two write the same bytes.
 */
public interface Buffer extends AutoCloseable {
  /** What kind of memory it is: decides whether a device can read it at full rate. */
  enum Kind {
    /** Ordinary memory. */
    PLAIN,
    /** Page-locked by a device library. */
    PINNED
  }

  Kind kind();

  /** Length in bytes. */
  long byteSize();

  /** Address of the first byte; 0 when the buffer is empty or closed. */
  long address();

  /**
   * A little-endian view of a part of the buffer.
   *
   * @throws IndexOutOfBoundsException if the part is not inside the buffer
   */
  ByteBuffer view(long offset, int length);

  /** Overwrites everything with zeros: assignments are secrets and do not outlive their job. */
  default void zero() {
    long size = byteSize();
    byte[] zeros = new byte[1 << 16];
    for (long offset = 0; offset < size; offset += 1 << 28) {
      ByteBuffer part = view(offset, (int) Math.min(size - offset, 1 << 28));
      while (part.hasRemaining()) {
        part.put(zeros, 0, Math.min(part.remaining(), zeros.length));
      }
    }
  }

  /** Gives the memory back to its owner. Closing twice does nothing. */
  @Override
  void close();
}
