package dev.cuzk.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What an input file is, told by its first bytes, and by its ending where they say nothing. */
public enum FileKind {
  PROVING_KEY,
  WITNESS,
  CONSTRAINTS,
  POWERS_OF_TAU,
  CONTAINER,
  PROGRAM,
  JSON,
  UNKNOWN;

  /** How many bytes at a file's start tell its kind: JSON may begin with that much blank space. */
  public static final int START_BYTES = 512;

  private static final int MAGIC_BYTES = 4;
  private static final String PROGRAM_MAGIC = "\0asm";

  /** UTF-8's byte order mark, each byte as a character. */
  private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

  /** By content, else by the ending of its name. */
  public static FileKind of(ByteSource source) throws InputException {
    ByteBuffer start = ByteBuffer.allocate((int) Math.min(START_BYTES, source.length()));
    source.read(0, start);
    FileKind kind = ofStart(start.array());
    return kind == UNKNOWN ? byEnding(source.name()) : kind;
  }

  /**
   * By content alone.
   *
   * @param start the first {@value #START_BYTES} bytes, or all if there are fewer
   */
  public static FileKind ofStart(byte[] start) {
    String text = new String(start, StandardCharsets.ISO_8859_1);
    if (text.length() >= MAGIC_BYTES) {
      String magic = text.substring(0, MAGIC_BYTES);
      if (magic.equals(PROGRAM_MAGIC)) {
        return PROGRAM;
      }
      Optional<BinfileType> type = BinfileType.byMagic(magic);
      if (type.isPresent()) {
        return of(type.get());
      }
    }
    String content = text.startsWith(BYTE_ORDER_MARK) ? text.substring(3) : text;
    String begin = content.stripLeading();
    return begin.startsWith("{") || begin.startsWith("[") ? JSON : UNKNOWN;
  }

  private static FileKind of(BinfileType type) {
    return switch (type) {
      case ZKEY -> PROVING_KEY;
      case WTNS -> WITNESS;
      case R1CS -> CONSTRAINTS;
      case PTAU -> POWERS_OF_TAU;
      case CONTAINER -> CONTAINER;
    };
  }

  private static FileKind byEnding(String name) {
    if (name.endsWith(".wtns")) {
      return WITNESS;
    }
    if (name.endsWith(".json")) {
      return JSON;
    }
    return name.endsWith(".bin") ? CONTAINER : UNKNOWN;
  }
}
