package dev.cuzk.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads a section from its beginning to its end in small steps, through a buffer of fixed size.
 * Running off the section's end is an {@link InputException} with the place. Not thread-safe.
 */
final class SectionReader {
  private static final int BUFFER_BYTES = 1 << 18;

  private final Binfile file;
  private final Binfile.Section section;
  private final ByteBuffer buffer;
  private long loaded;

  SectionReader(Binfile file, Binfile.Section section) {
    this(file, section, 0);
  }

  /** Reads from a position inside the section on. */
  SectionReader(Binfile file, Binfile.Section section, long position) {
    this.file = file;
    this.section = section;
    this.loaded = position;
    int capacity = (int) Math.max(64, Math.min(BUFFER_BYTES, section.length() - position));
    this.buffer = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).limit(0);
  }

  /** Bytes of the section that were taken so far. */
  long position() {
    return loaded - buffer.remaining();
  }

  long remaining() {
    return section.length() - position();
  }

  /** The place of the next byte, for messages. */
  String place() {
    return "section " + section.id() + ", offset " + (section.offset() + position());
  }

  /**
   * Makes the next {@code count} bytes available in the returned buffer; the caller takes exactly
   * these with relative reads.
   *
   * @param count at most 64 KiB
   */
  ByteBuffer need(int count, String content) throws InputException {
    if (buffer.remaining() < count) {
      if (remaining() < count) {
        throw InputException.at(
            file.name(),
            "a section ends too early, in " + content,
            place(),
            count + " more bytes",
            remaining(),
            InputException.DAMAGED);
      }
      buffer.compact();
      buffer.limit(
          (int) Math.min(buffer.capacity(), buffer.position() + section.length() - loaded));
      int fresh = buffer.remaining();
      file.read(section, loaded, buffer);
      loaded += fresh;
      buffer.flip();
    }
    return buffer;
  }

  long u32(String content) throws InputException {
    return Integer.toUnsignedLong(need(4, content).getInt());
  }

  long u64(String content) throws InputException {
    long value = need(8, content).getLong();
    if (value < 0) {
      throw InputException.at(
          file.name(),
          "a number is out of range: " + content,
          place(),
          "less than 2^63",
          Long.toUnsignedString(value));
    }
    return value;
  }

  void skip(int count, String content) throws InputException {
    ByteBuffer next = need(count, content);
    next.position(next.position() + count);
  }

  byte[] bytes(int count, String content) throws InputException {
    byte[] bytes = new byte[count];
    need(count, content).get(bytes);
    return bytes;
  }

  void requireEnd() throws InputException {
    if (remaining() != 0) {
      throw InputException.at(
          file.name(),
          "a section holds more than it should",
          place(),
          "the end of the section",
          remaining() + " more bytes",
          InputException.DAMAGED);
    }
  }
}
