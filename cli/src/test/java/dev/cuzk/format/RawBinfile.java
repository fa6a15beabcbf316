package dev.cuzk.format;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A binfile as plain bytes, to be changed and written again without any check; shares no code with
 * the readers under test.
 */
public record RawBinfile(String magic, int version, List<RawSection> sections) {
  /** A section's id and content. */
  public record RawSection(int id, byte[] content) {}

  public RawBinfile {
    sections = List.copyOf(sections);
  }

  /** Takes a well-formed file apart. */
  public static RawBinfile parse(byte[] file) {
    ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    byte[] magic = new byte[4];
    in.get(magic);
    int version = in.getInt();
    List<RawSection> sections = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      int id = in.getInt();
      byte[] content = new byte[Math.toIntExact(in.getLong())];
      in.get(content);
      sections.add(new RawSection(id, content));
    }
    return new RawBinfile(new String(magic, StandardCharsets.US_ASCII), version, sections);
  }

  /** The file again. */
  public byte[] bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(magic.getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(u32(version));
    out.writeBytes(u32(sections.size()));
    for (RawSection section : sections) {
      out.writeBytes(u32(section.id()));
      out.writeBytes(u64(section.content().length));
      out.writeBytes(section.content());
    }
    return out.toByteArray();
  }

  /** A copy of a section's content. */
  public byte[] section(int id) {
    return sections.stream()
        .filter(section -> section.id() == id)
        .findFirst()
        .orElseThrow()
        .content()
        .clone();
  }

  /** The file with one section's content replaced. */
  public RawBinfile with(int id, byte[] content) {
    return map(list -> list.replaceAll(s -> s.id() == id ? new RawSection(id, content) : s));
  }

  /** The file with one section's content changed in place. */
  public RawBinfile edit(int id, Consumer<ByteBuffer> change) {
    byte[] content = section(id);
    change.accept(ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN));
    return with(id, content);
  }

  /** The file without a section. */
  public RawBinfile without(int id) {
    return map(list -> list.removeIf(s -> s.id() == id));
  }

  /** The file with its list of sections changed. */
  public RawBinfile map(Consumer<List<RawSection>> change) {
    List<RawSection> changed = new ArrayList<>(sections);
    change.accept(changed);
    return new RawBinfile(magic, version, changed);
  }

  /** Where a section's content starts in {@link #bytes()}. */
  public int offset(int id) {
    int at = 12;
    for (RawSection section : sections) {
      at += 12;
      if (section.id() == id) {
        return at;
      }
      at += section.content().length;
    }
    throw new IllegalArgumentException("no section " + id);
  }

  /** Four bytes. */
  public static byte[] u32(int value) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
  }

  /** Eight bytes. */
  public static byte[] u64(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }
}
