package dev.cuzk.device;

import com.sun.jna.Pointer;
import dev.cuzk.memory.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Memory that a device library allocated: page-locked for a GPU, ordinary pages for the CPU. Any
 * length; views of at most 2 GiB.
 */
final class PinnedBuffer implements Buffer {
  /** Gives the memory back to the library. */
  interface Release {
    void free(Pointer memory, long bytes);
  }

  private final Kind kind;
  private final long bytes;
  private final Release release;
  private volatile Pointer memory;

  PinnedBuffer(Kind kind, Pointer memory, long bytes, Release release) {
    this.kind = kind;
    this.memory = memory;
    this.bytes = bytes;
    this.release = release;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public long byteSize() {
    return bytes;
  }

  @Override
  public long address() {
    Pointer current = memory;
    return current == null ? 0 : Pointer.nativeValue(current);
  }

  @Override
  public ByteBuffer view(long offset, int length) {
    Objects.checkFromIndexSize(offset, (long) length, bytes);
    if (length == 0) {
      return ByteBuffer.allocateDirect(0).order(ByteOrder.LITTLE_ENDIAN);
    }
    return open().getByteBuffer(offset, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void zero() {
    if (bytes > 0) {
      open().setMemory(0, bytes, (byte) 0);
    }
  }

  private Pointer open() {
    Pointer current = memory;
    if (current == null) {
      throw new IllegalStateException("the buffer was closed");
    }
    return current;
  }

  @Override
  public synchronized void close() {
    Pointer current = memory;
    memory = null;
    if (current != null) {
      release.free(current, bytes);
    }
  }
}
