package dev.cuzk.batch;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.InputException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What an input file is, told by its first bytes, and by its ending where they say nothing. */
enum FileKind {
  CONTAINER,
  WITNESS,
  JSON,
  PROVING_KEY,
  CONSTRAINTS,
  PROGRAM,
  UNKNOWN;

  private static final int LOOKED_AT = 64;

  static FileKind of(ByteSource source) throws InputException {
    ByteBuffer start = ByteBuffer.allocate((int) Math.min(LOOKED_AT, source.length()));
    source.read(0, start);
    String text = new String(start.array(), StandardCharsets.ISO_8859_1);
    if (text.length() >= 4) {
      switch (text.substring(0, 4)) {
        case "cuzk":
          return CONTAINER;
        case "wtns":
          return WITNESS;
        case "zkey":
          return PROVING_KEY;
        case "r1cs":
          return CONSTRAINTS;
        case "\0asm":
          return PROGRAM;
        default:
          break;
      }
    }
    String content = text.startsWith("\u00ef\u00bb\u00bf") ? text.substring(3) : text;
    if (content.strip().startsWith("{") || content.strip().startsWith("[")) {
      return JSON;
    }
    return byEnding(source.name());
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
