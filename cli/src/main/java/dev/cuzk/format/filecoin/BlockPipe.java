package dev.cuzk.format.filecoin;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Carries bytes from a thread that writes to one that reads, in blocks. Whichever side ends early
 * frees the other: closing the reader fails the writer's next write, and a failure of the writer is
 * thrown to the reader.
 */
final class BlockPipe extends InputStream {
  private static final int BLOCK_BYTES = 1 << 17;
  private static final int BLOCKS = 8;
  private static final byte[] END = {};

  private final BlockingQueue<byte[]> blocks = new ArrayBlockingQueue<>(BLOCKS);
  private volatile boolean closed;
  private volatile IOException failure;
  private byte[] block = new byte[0];
  private int at;

  /** The end that bytes go into; used by one thread, which must close it or {@link #fail}. */
  final class Sink extends OutputStream {
    private byte[] pending = new byte[BLOCK_BYTES];
    private int count;

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      for (int done = 0; done < length; ) {
        int here = Math.min(length - done, pending.length - count);
        System.arraycopy(source, offset + done, pending, count, here);
        count += here;
        done += here;
        if (count == pending.length) {
          put(pending);
          pending = new byte[BLOCK_BYTES];
          count = 0;
        }
      }
    }

    @Override
    public void close() throws IOException {
      if (count > 0) {
        put(Arrays.copyOf(pending, count));
        count = 0;
      }
      put(END);
    }

    /** Ends the stream with a failure that the reader gets. */
    void fail(IOException cause) {
      failure = cause;
      blocks.clear();
      blocks.offer(END);
    }

    private void put(byte[] full) throws IOException {
      try {
        while (!blocks.offer(full, 100, TimeUnit.MILLISECONDS)) {
          if (closed) {
            throw new IOException("nobody reads any more");
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (at == block.length) {
      try {
        block = blocks.take();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
      at = 0;
      if (failure != null) {
        throw failure;
      }
      if (block.length == 0) {
        blocks.offer(END);
        return -1;
      }
    }
    int count = Math.min(length, block.length - at);
    System.arraycopy(block, at, target, offset, count);
    at += count;
    return count;
  }

  @Override
  public void close() {
    closed = true;
    blocks.clear();
  }
}
