package dev.cuzk.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;

/**
 * Writes a binfile section by section; a section's length need not be known before it is written.
 *
 * <p>The bytes go to a temporary file in the same folder. {@link #commit} makes it durable and
 * gives it its name; closing without that leaves nothing behind. Not thread-safe.
 */
public final class BinfileWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Path target;
  private final Path temporary;
  private final FileChannel channel;
  private final ByteBuffer buffer =
      ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long flushed;
  private int sections;
  private long sectionStart = -1;
  private boolean committed;

  /** Starts a file; nothing is there under its name before {@link #commit}. */
  public BinfileWriter(Path target, BinfileType type) throws IOException {
    this.target = target;
    if (SpecialFiles.isSpecial(target)) {
      throw new IOException("it is a device or a pipe, and this file is written out of order");
    }
    // Not Files.createTempFile, which would keep the finished file from everybody but its owner.
    String random = Long.toHexString(new SecureRandom().nextLong());
    this.temporary = target.resolveSibling("." + target.getFileName() + "." + random + ".part");
    FileChannel opened = null;
    try {
      opened = FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
      this.channel = opened;
      bytes(type.magic().getBytes(StandardCharsets.US_ASCII));
      u32(type.version());
      u32(0);
    } catch (IOException e) {
      if (opened != null) {
        opened.close();
      }
      Files.deleteIfExists(temporary);
      throw e;
    }
  }

  /** Bytes written so far, headers included. */
  public long position() {
    return flushed + buffer.position();
  }

  /** Starts a section. */
  public void begin(long id) throws IOException {
    if (sectionStart >= 0) {
      throw new IllegalStateException("a section is open");
    }
    u32(id);
    u64(0);
    sectionStart = position();
    sections++;
  }

  /** Ends the section and stores its length. */
  public void end() throws IOException {
    if (sectionStart < 0) {
      throw new IllegalStateException("no section is open");
    }
    long length = position() - sectionStart;
    patch(sectionStart - 8, ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(length));
    sectionStart = -1;
  }

  /** Stores a number that was not known when its place was written. */
  public void patchU32(long position, long value) throws IOException {
    requireU32(value);
    patch(position, ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt((int) value));
  }

  private void patch(long position, ByteBuffer value) throws IOException {
    value.flip();
    if (position >= flushed) {
      buffer.put((int) (position - flushed), value.array(), 0, value.limit());
      return;
    }
    flush();
    for (long at = position; value.hasRemaining(); ) {
      at += channel.write(value, at);
    }
  }

  /** Four bytes, little-endian. */
  public void u32(long value) throws IOException {
    requireU32(value);
    room(4).putInt((int) value);
  }

  /** Eight bytes, little-endian. */
  public void u64(long value) throws IOException {
    room(8).putLong(value);
  }

  /** All of these bytes. */
  public void bytes(byte[] bytes) throws IOException {
    bytes(ByteBuffer.wrap(bytes));
  }

  /** The bytes between position and limit. */
  public void bytes(ByteBuffer bytes) throws IOException {
    if (bytes.remaining() <= buffer.remaining()) {
      buffer.put(bytes);
      return;
    }
    flush();
    if (bytes.remaining() <= buffer.capacity()) {
      buffer.put(bytes);
      return;
    }
    while (bytes.hasRemaining()) {
      flushed += channel.write(bytes, flushed);
    }
  }

  private static void requireU32(long value) {
    if (value < 0 || value >= 1L << 32) {
      throw new IllegalArgumentException("not in 32 bits: " + value);
    }
  }

  private ByteBuffer room(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      flush();
    }
    return buffer;
  }

  private void flush() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      flushed += channel.write(buffer, flushed);
    }
    buffer.clear();
  }

  /** Completes the file, forces it to the disk and gives it its name. */
  public void commit() throws IOException {
    if (sectionStart >= 0) {
      throw new IllegalStateException("a section is open");
    }
    patchU32(8, sections);
    flush();
    channel.force(true);
    channel.close();
    Files.move(
        temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    committed = true;
    try (FileChannel folder =
        FileChannel.open(target.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
      folder.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    if (!committed) {
      Files.deleteIfExists(temporary);
    }
  }
}
