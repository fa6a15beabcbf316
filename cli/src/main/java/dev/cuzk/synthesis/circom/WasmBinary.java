package dev.cuzk.synthesis.circom;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The outer form of a WebAssembly module (WebAssembly Core Specification, section 5): sections,
 * vectors, LEB128 numbers. Reading past the end is an IllegalArgumentException.
 */
final class WasmBinary {
  static final int SECTION_CUSTOM = 0;
  static final int SECTION_TYPE = 1;
  static final int SECTION_IMPORT = 2;
  static final int SECTION_FUNCTION = 3;
  static final int SECTION_CODE = 10;

  private static final byte[] PREAMBLE = {0, 'a', 's', 'm', 1, 0, 0, 0};

  /** A section: its id, and where its contents stand in the module. */
  record Section(int id, int start, int end) {}

  private WasmBinary() {}

  static boolean hasPreamble(byte[] module) {
    if (module.length < PREAMBLE.length) {
      return false;
    }
    for (int i = 0; i < PREAMBLE.length; i++) {
      if (module[i] != PREAMBLE[i]) {
        return false;
      }
    }
    return true;
  }

  static List<Section> sections(byte[] module) {
    List<Section> sections = new ArrayList<>();
    Reader reader = new Reader(module, PREAMBLE.length, module.length);
    while (reader.hasMore()) {
      int id = reader.readByte();
      int size = reader.readUnsigned();
      int start = reader.position();
      reader.skip(size);
      sections.add(new Section(id, start, start + size));
    }
    return sections;
  }

  /** A module with the given contents in place of the old ones; null leaves a section out. */
  interface Replacement {
    byte[] contents(Section section);
  }

  static byte[] rewrite(byte[] module, Replacement replacement) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(module.length);
    out.writeBytes(PREAMBLE);
    for (Section section : sections(module)) {
      byte[] contents = replacement.contents(section);
      if (contents != null) {
        out.write(section.id());
        writeUnsigned(out, contents.length);
        out.writeBytes(contents);
      }
    }
    return out.toByteArray();
  }

  static void writeUnsigned(ByteArrayOutputStream out, int value) {
    int rest = value;
    while ((rest & ~0x7F) != 0) {
      out.write((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }

  /** Reads a part of a module from its start to its end. */
  static final class Reader {
    private final byte[] bytes;
    private final int end;
    private int position;

    Reader(byte[] bytes, int start, int end) {
      this.bytes = bytes;
      this.position = start;
      this.end = end;
    }

    Reader(byte[] bytes, Section section) {
      this(bytes, section.start(), section.end());
    }

    int position() {
      return position;
    }

    boolean hasMore() {
      return position < end;
    }

    int readByte() {
      if (position >= end) {
        throw new IllegalArgumentException("the module ends early at byte " + end);
      }
      return bytes[position++] & 0xFF;
    }

    int peekByte() {
      int value = readByte();
      position--;
      return value;
    }

    void skip(int count) {
      if (count < 0 || count > end - position) {
        throw new IllegalArgumentException("the module ends early at byte " + end);
      }
      position += count;
    }

    /** An unsigned LEB128 number of at most 32 bits. */
    int readUnsigned() {
      long value = 0;
      for (int shift = 0; shift < 35; shift += 7) {
        int next = readByte();
        value |= (long) (next & 0x7F) << shift;
        if (next < 0x80) {
          if (value > 0xFFFF_FFFFL) {
            break;
          }
          return (int) value;
        }
      }
      throw new IllegalArgumentException("a number is too long at byte " + position);
    }

    /** Passes over a LEB128 number of any kind. */
    void skipNumber() {
      while (readByte() >= 0x80) {
        // Every byte but the last has its top bit set.
      }
    }
  }
}
