package dev.cuzk.engine.simulation;

import dev.cuzk.memory.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A buffer of any length of which only the two ends exist, so that simulations of large proofs take
 * no memory: what lies between reads as zeros and forgets what is written.
 */
final class FakeBuffer implements Buffer {
  /** Bytes kept at each end. */
  static final int END_BYTES = 1 << 12;

  private final long size;
  private final byte[] head;
  private final byte[] tail;
  private final Runnable onClose;
  private boolean open = true;

  FakeBuffer(long size, Runnable onClose) {
    this.size = size;
    this.head = new byte[(int) Math.min(size, END_BYTES)];
    this.tail = new byte[(int) Math.min(size - head.length, END_BYTES)];
    this.onClose = onClose;
  }

  @Override
  public Kind kind() {
    return Kind.PINNED;
  }

  @Override
  public long byteSize() {
    return size;
  }

  @Override
  public long address() {
    return 0;
  }

  @Override
  public ByteBuffer view(long offset, int length) {
    if (offset < 0 || length < 0 || offset > size - length) {
      throw new IndexOutOfBoundsException(offset + " + " + length + " of " + size + " bytes");
    }
    ByteBuffer part;
    if (offset + length <= head.length) {
      part = ByteBuffer.wrap(head, (int) offset, length).slice();
    } else if (offset >= size - tail.length) {
      part = ByteBuffer.wrap(tail, (int) (offset - (size - tail.length)), length).slice();
    } else {
      part = ByteBuffer.allocate(length);
    }
    return part.order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void zero() {
    Arrays.fill(head, (byte) 0);
    Arrays.fill(tail, (byte) 0);
  }

  @Override
  public synchronized void close() {
    if (open) {
      open = false;
      onClose.run();
    }
  }
}
