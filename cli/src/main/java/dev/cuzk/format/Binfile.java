package dev.cuzk.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The binary container of iden3's tools: magic (4 bytes), version (u32), number of sections (u32),
 * then for each section its id (u32), its length (u64) and that many bytes; all integers
 * little-endian.
 *
 * <p>The whole section table is read and compared with the length of the file before anything else
 * happens: sections may come in any order, unknown ones are skipped, and a section that does not
 * fit, a missing one and bytes after the last one are errors. A section that is asked for must be
 * there once.
 *
 * <p>Limits: at most {@link #MAXIMUM_SECTIONS} sections. Safe for use by several threads.
 */
public final class Binfile implements AutoCloseable {
  /** More sections than any real file has, few enough for the table to be read in no time. */
  public static final int MAXIMUM_SECTIONS = 1 << 20;

  private static final int FILE_HEADER_BYTES = 12;
  private static final int SECTION_HEADER_BYTES = 12;
  private static final int WINDOW_BYTES = 8192;

  /**
   * A section.
   *
   * @param id what it holds
   * @param offset of its first byte after the section's own header, in the source
   * @param length in bytes
   */
  public record Section(long id, long offset, long length) {}

  private final ByteSource source;
  private final List<Section> sections;

  private Binfile(ByteSource source, List<Section> sections) {
    this.source = source;
    this.sections = List.copyOf(sections);
  }

  /**
   * Reads and checks the section table. The file owns the source from then on; on failure the
   * source is closed.
   *
   * @throws InputException if the file is of another type or version, truncated, or too long
   */
  public static Binfile open(ByteSource source, BinfileType type) throws InputException {
    try {
      long count = readHeader(source, type);
      return new Binfile(source, readTable(source, count));
    } catch (InputException | RuntimeException e) {
      source.close();
      throw e;
    }
  }

  private static long readHeader(ByteSource source, BinfileType type) throws InputException {
    long length = source.length();
    if (length < FILE_HEADER_BYTES) {
      throw InputException.at(
          source.name(),
          length == 0 ? "the file is empty" : "the file is too short for " + type.description(),
          "file header, offset 0",
          "at least " + FILE_HEADER_BYTES + " bytes",
          length,
          InputException.DAMAGED);
    }
    ByteBuffer header = ByteBuffer.allocate(FILE_HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    source.read(0, header);
    header.flip();
    byte[] magicBytes = new byte[4];
    header.get(magicBytes);
    requireMagic(source.name(), type, magicBytes);
    long version = Integer.toUnsignedLong(header.getInt());
    if (version != type.version()) {
      throw InputException.at(
          source.name(),
          "unsupported version of " + type.description(),
          "file header, offset 4",
          type.version(),
          version,
          "Make it with a tool that writes version " + type.version() + ".");
    }
    long count = Integer.toUnsignedLong(header.getInt());
    long fitting = Math.min(MAXIMUM_SECTIONS, (length - FILE_HEADER_BYTES) / SECTION_HEADER_BYTES);
    if (count > fitting) {
      throw InputException.at(
          source.name(),
          "the file is too short for its number of sections",
          "file header, offset 8",
          "at most " + fitting + " sections",
          count,
          InputException.DAMAGED);
    }
    return count;
  }

  private static void requireMagic(String name, BinfileType type, byte[] found)
      throws InputException {
    String magic = new String(found, StandardCharsets.ISO_8859_1);
    if (magic.equals(type.magic())) {
      return;
    }
    String problem =
        BinfileType.byMagic(magic)
            .map(other -> "it is " + other.description() + ", not " + type.description())
            .orElse("it is not " + type.description());
    throw InputException.at(
        name, problem, "file header, offset 0", quote(type.magic()), quote(magic));
  }

  private static String quote(String magic) {
    StringBuilder text = new StringBuilder("\"");
    for (char c : magic.toCharArray()) {
      if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') {
        text.append(c);
      } else {
        text.append(String.format("\\x%02x", (int) c));
      }
    }
    return text.append('"').toString();
  }

  private static List<Section> readTable(ByteSource source, long count) throws InputException {
    List<Section> sections = new ArrayList<>((int) Math.min(count, 64));
    long end = source.length();
    long at = FILE_HEADER_BYTES;
    // Tiny sections share a window, so that a table of a million of them costs few reads.
    ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);
    long windowStart = at;
    for (long i = 0; i < count; i++) {
      if (end - at < SECTION_HEADER_BYTES) {
        throw InputException.at(
            source.name(),
            "the file is truncated",
            "header of section number " + (i + 1) + " of " + count + ", offset " + at,
            SECTION_HEADER_BYTES + " bytes",
            end - at,
            InputException.DAMAGED);
      }
      if (at < windowStart || at + SECTION_HEADER_BYTES > windowStart + window.limit()) {
        window.clear().limit((int) Math.min(WINDOW_BYTES, end - at));
        source.read(at, window);
        windowStart = at;
      }
      int inWindow = (int) (at - windowStart);
      long id = Integer.toUnsignedLong(window.getInt(inWindow));
      long length = window.getLong(inWindow + 4);
      at += SECTION_HEADER_BYTES;
      if (length < 0 || length > end - at) {
        throw InputException.at(
            source.name(),
            "the file is truncated: a section ends after the file does",
            "section " + id + ", offset " + at,
            Long.toUnsignedString(length) + " bytes",
            end - at,
            InputException.DAMAGED);
      }
      sections.add(new Section(id, at, length));
      at += length;
    }
    if (at != end) {
      throw InputException.at(
          source.name(),
          "there are bytes after the last section",
          "offset " + at,
          "the end of the file",
          (end - at) + " more bytes",
          InputException.DAMAGED);
    }
    return sections;
  }

  /** What messages call the file. */
  public String name() {
    return source.name();
  }

  /** The bytes that the sections lie in. */
  public ByteSource source() {
    return source;
  }

  /** All sections in the file's order. */
  public List<Section> sections() {
    return sections;
  }

  /**
   * The only section with this id; empty if there is none.
   *
   * @throws InputException if there are several
   */
  public Optional<Section> find(long id) throws InputException {
    Section found = null;
    for (Section section : sections) {
      if (section.id() == id) {
        if (found != null) {
          throw InputException.at(
              name(),
              "a section is there twice",
              "section " + id + ", offset " + section.offset(),
              "one such section",
              "another at offset " + found.offset());
        }
        found = section;
      }
    }
    return Optional.ofNullable(found);
  }

  /**
   * The only section with this id.
   *
   * @param content what the section holds, for the message
   * @throws InputException if there is none, or several
   */
  public Section require(long id, String content) throws InputException {
    Optional<Section> section = find(id);
    if (section.isEmpty()) {
      throw InputException.at(
          name(),
          "a section is missing: " + content,
          "section " + id,
          "one such section",
          "none among " + sections.size(),
          InputException.DAMAGED);
    }
    return section.get();
  }

  /**
   * The only section with this id, which must have exactly this length.
   *
   * @param content what the section holds, for the message
   */
  public Section require(long id, String content, long length) throws InputException {
    Section section = require(id, content);
    if (section.length() != length) {
      throw InputException.at(
          name(),
          "a section has the wrong length: " + content,
          "section " + id + ", offset " + section.offset(),
          length + " bytes",
          section.length(),
          InputException.DAMAGED);
    }
    return section;
  }

  /**
   * Fills {@code target} with the bytes of a section from {@code offset} on.
   *
   * @throws IndexOutOfBoundsException if they are not inside the section
   */
  public void read(Section section, long offset, ByteBuffer target) throws InputException {
    Objects.checkFromIndexSize(offset, target.remaining(), section.length());
    source.read(section.offset() + offset, target);
  }

  /** See {@link ByteSource#verifyUnchanged}. */
  public void verifyUnchanged() throws InputException {
    source.verifyUnchanged();
  }

  @Override
  public void close() {
    source.close();
  }
}
