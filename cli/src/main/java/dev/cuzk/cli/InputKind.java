package dev.cuzk.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.cuzk.format.BinfileType;
import dev.cuzk.format.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** What a file is, told by its content alone. */
enum InputKind {
  PROVING_KEY("proving key (.zkey)"),
  WITNESS("witness (.wtns)"),
  CONSTRAINTS("constraint system (.r1cs)"),
  POWERS_OF_TAU("powers of tau (.ptau)"),
  CONTAINER("container (input.bin)"),
  PROGRAM("WebAssembly program (.wasm)"),
  PROOF("proof (JSON)"),
  VERIFYING_KEY("verifying key (JSON)"),
  PUBLIC_SIGNALS("public signals (JSON)"),
  MANIFEST("manifest of jobs (JSON)"),
  CIRCUIT_INPUT("circuit input (JSON)"),
  UNKNOWN("unknown");

  private static final int LOOKED_AT = 512;
  private static final JsonFactory JSON = new JsonFactory();

  private final String description;

  InputKind(String description) {
    this.description = description;
  }

  String description() {
    return description;
  }

  /**
   * Looks into a file.
   *
   * @throws InputException if it cannot be read, or is JSON that ends in the middle
   */
  static InputKind of(Path file) throws InputException {
    if (Files.isDirectory(file)) {
      throw new InputException(file.toString(), "it is a folder, not a file");
    }
    byte[] start;
    try (InputStream in = Files.newInputStream(file)) {
      start = in.readNBytes(LOOKED_AT);
    } catch (IOException e) {
      throw new InputException(file.toString(), Errors.reason(e), e);
    }
    if (start.length >= 4) {
      String magic = new String(start, 0, 4, StandardCharsets.ISO_8859_1);
      Optional<InputKind> kind = BinfileType.byMagic(magic).map(InputKind::of);
      if (kind.isPresent()) {
        return kind.get();
      }
      if (magic.equals("\0asm")) {
        return PROGRAM;
      }
    }
    String text = new String(start, StandardCharsets.UTF_8);
    String content = text.startsWith("\uFEFF") ? text.substring(1).strip() : text.strip();
    return content.startsWith("{") || content.startsWith("[") ? json(file) : UNKNOWN;
  }

  private static InputKind of(BinfileType type) {
    return switch (type) {
      case ZKEY -> PROVING_KEY;
      case WTNS -> WITNESS;
      case R1CS -> CONSTRAINTS;
      case PTAU -> POWERS_OF_TAU;
      case CONTAINER -> CONTAINER;
    };
  }

  private static InputKind json(Path file) throws InputException {
    Set<String> fields = new HashSet<>();
    try (InputStream in = Files.newInputStream(file);
        JsonParser parser = JSON.createParser(in)) {
      if (parser.nextToken() == JsonToken.START_ARRAY) {
        return PUBLIC_SIGNALS;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        fields.add(parser.currentName());
        parser.nextToken();
        parser.skipChildren();
      }
    } catch (JsonProcessingException e) {
      throw new InputException(
          file.toString(),
          "not valid JSON (line "
              + e.getLocation().getLineNr()
              + ", column "
              + e.getLocation().getColumnNr()
              + ": "
              + e.getOriginalMessage().replaceAll("\\s+", " ")
              + ")",
          e);
    } catch (IOException e) {
      throw new InputException(file.toString(), Errors.reason(e), e);
    }
    if (fields.contains("pi_a")) {
      return PROOF;
    }
    if (fields.contains("vk_alpha_1") || fields.contains("IC")) {
      return VERIFYING_KEY;
    }
    return fields.contains("jobs") ? MANIFEST : CIRCUIT_INPUT;
  }
}
