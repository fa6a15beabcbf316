package dev.cuzk.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Ordinary memory outside the heap, without native code of ours: for small circuits, tools and
 * tests.
 *
 * <p>Limits: one direct {@link ByteBuffer}, so at most {@link #MAXIMUM_BYTES} (67 million scalars);
 * {@code -XX:MaxDirectMemorySize} (by default the size of the heap) bounds all of them together.
 * Assignments beyond that live in memory that a device library allocates. A view may lie anywhere
 * in a buffer, which is why several segments do not make a larger one.
 *
 * <p>The memory is zeroed when it is allocated and when it is closed, and returns to the system
 * once the last view is unreachable.
 */
public final class PlainBuffer implements Buffer {
  /** Bytes in the largest plain buffer: 2 GiB less one page. */
  public static final long MAXIMUM_BYTES = (1L << 31) - 4096;

  private final long byteSize;
  private volatile ByteBuffer memory;

  private PlainBuffer(ByteBuffer memory) {
    this.memory = memory;
    this.byteSize = memory.capacity();
  }

  /**
   * Allocates zeroed memory, aligned to 64 bytes.
   *
   * @throws IllegalArgumentException if {@code bytes} is negative or above {@link #MAXIMUM_BYTES}
   * @throws OutOfMemoryError if direct memory is exhausted
   */
  public static PlainBuffer allocate(long bytes) {
    if (bytes < 0 || bytes > MAXIMUM_BYTES) {
      throw new IllegalArgumentException(
          "a plain buffer has 0 to " + MAXIMUM_BYTES + " bytes, asked for " + bytes);
    }
    // An aligned slice is shortened to a multiple of 64 as well.
    int whole = (int) ((bytes + 63) / 64 * 64);
    ByteBuffer raw = ByteBuffer.allocateDirect(whole + 64).alignedSlice(64);
    return new PlainBuffer(raw.slice(0, (int) bytes));
  }

  @Override
  public Kind kind() {
    return Kind.PLAIN;
  }

  @Override
  public long byteSize() {
    return byteSize;
  }

  @Override
  public long address() {
    ByteBuffer current = memory;
    return current == null || byteSize == 0 ? 0 : DirectAddress.of(current);
  }

  @Override
  public ByteBuffer view(long offset, int length) {
    Objects.checkFromIndexSize(offset, length, byteSize);
    ByteBuffer current = memory;
    if (current == null) {
      throw new IllegalStateException("the buffer was closed");
    }
    return current.slice((int) offset, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public synchronized void close() {
    if (memory != null) {
      zero();
      memory = null;
    }
  }
}
