package dev.cuzk.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * The bytes of a source from its beginning to its end, as libraries want them. What is wrong with
 * the source is an {@link IOException} whose cause is the {@link InputException}. Closing it leaves
 * the source open.
 */
public final class SourceStream extends InputStream {
  private final ByteSource source;
  private long at;

  public SourceStream(ByteSource source) {
    this.source = source;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    long left = source.length() - at;
    if (left == 0 && length > 0) {
      return -1;
    }
    int count = (int) Math.min(length, left);
    try {
      source.read(at, ByteBuffer.wrap(target, offset, count));
    } catch (InputException e) {
      throw new IOException(e.getMessage(), e);
    }
    at += count;
    return count;
  }
}
