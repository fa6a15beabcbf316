package dev.cuzk.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Writes a binfile section by section; a section's length need not be known before it is written.
 *
 * <p>The bytes go to a temporary file in the same folder. {@link #commit} makes it durable and
 * gives it its name; closing without that leaves nothing behind. Not thread-safe.
 */
final class BinfileWriter implements AutoCloseable {
  private static final int HEADER_BYTES = 12;

  private final AtomicOutput output;
  private final ByteBuffer number = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
  private int sections;
  private long sectionStart = -1;

  /** Starts a file; nothing is there under its name before {@link #commit}. */
  public BinfileWriter(Path target, BinfileType type) throws IOException {
    this.output = new AtomicOutput(target);
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    header.put(type.magic().getBytes(StandardCharsets.US_ASCII)).putInt(type.version()).putInt(0);
    output.write(header.flip());
  }

  /** Bytes written so far, headers included. */
  public long position() {
    return output.position();
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
    output.patch(sectionStart - 8, number.clear().putLong(length).flip());
    sectionStart = -1;
  }

  /** Stores a number that was not known when its place was written. */
  public void patchU32(long position, long value) throws IOException {
    requireU32(value);
    output.patch(position, number.clear().putInt((int) value).flip());
  }

  /** Four bytes, little-endian. */
  public void u32(long value) throws IOException {
    requireU32(value);
    output.write(number.clear().putInt((int) value).flip());
  }

  /** Eight bytes, little-endian. */
  public void u64(long value) throws IOException {
    output.write(number.clear().putLong(value).flip());
  }

  /** All of these bytes. */
  public void bytes(byte[] bytes) throws IOException {
    bytes(ByteBuffer.wrap(bytes));
  }

  /** The bytes between position and limit. */
  public void bytes(ByteBuffer bytes) throws IOException {
    output.write(bytes);
  }

  private static void requireU32(long value) {
    if (value < 0 || value >= 1L << 32) {
      throw new IllegalArgumentException("not in 32 bits: " + value);
    }
  }

  /** Completes the file, forces it to the disk and gives it its name. */
  public void commit() throws IOException {
    if (sectionStart >= 0) {
      throw new IllegalStateException("a section is open");
    }
    patchU32(8, sections);
    output.commit();
  }

  @Override
  public void close() throws IOException {
    output.close();
  }
}
