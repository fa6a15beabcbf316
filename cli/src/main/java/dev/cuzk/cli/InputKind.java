package dev.cuzk.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.cuzk.batch.Failures;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileKind;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.JsonFault;
import dev.cuzk.format.ParamsFile;
import dev.cuzk.format.filecoin.FilecoinFormat;
import dev.cuzk.proof.ProofBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** What a file is, told by its content alone; of JSON, which document. */
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
  PARAMS("proving key (.params)"),
  BELLMAN_VERIFYING_KEY("verifying key (.vk)"),
  PROOF_BYTES("proof (192 bytes a partition)"),
  C1("C1 output of a seal"),
  POST_SECTOR("vanilla PoSt proof of a sector"),
  UPDATE_PARTITION("vanilla update proof of a partition"),
  VANILLA_ARRAY("vanilla proofs (JSON array of base64)"),
  UNKNOWN("unknown");

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
      start = in.readNBytes(FileKind.START_BYTES);
    } catch (IOException e) {
      throw new InputException(file.toString(), Failures.describe(e), e);
    }
    return switch (FileKind.ofStart(start)) {
      case PROVING_KEY -> PROVING_KEY;
      case WITNESS -> WITNESS;
      case CONSTRAINTS -> CONSTRAINTS;
      case POWERS_OF_TAU -> POWERS_OF_TAU;
      case CONTAINER -> CONTAINER;
      case PROGRAM -> PROGRAM;
      case JSON -> json(file);
      case UNKNOWN -> filecoin(file).orElse(UNKNOWN);
    };
  }

  /** Files without a magic number: what tells them is that all their counts fit. */
  private static Optional<InputKind> filecoin(Path file) throws InputException {
    try (ByteSource source = FileRange.whole(file).open()) {
      Optional<FilecoinFormat> format = FilecoinFormat.of(source);
      if (format.isPresent()) {
        return Optional.of(of(format.get()));
      }
      if (ParamsFile.isLikely(source)) {
        try (ParamsFile params = ParamsFile.open(source)) {
          return Optional.of(params.isVerifyingKey() ? BELLMAN_VERIFYING_KEY : PARAMS);
        }
      }
      if (source.length() <= ProofBytes.LARGEST_FILE) {
        byte[] content = new byte[(int) source.length()];
        source.read(0, ByteBuffer.wrap(content));
        if (ProofBytes.isLikely(content)) {
          return Optional.of(PROOF_BYTES);
        }
      }
      return Optional.empty();
    }
  }

  private static InputKind of(FilecoinFormat format) {
    return switch (format) {
      case C1_ENVELOPE, C1_JSON, C1_BINCODE -> C1;
      case POST_SECTOR -> POST_SECTOR;
      case UPDATE_PARTITION -> UPDATE_PARTITION;
      case BASE64_ARRAY -> VANILLA_ARRAY;
    };
  }

  private static InputKind json(Path file) throws InputException {
    Optional<InputKind> known = filecoin(file);
    if (known.isPresent()) {
      return known.get();
    }
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
      throw new InputException(file.toString(), JsonFault.describe(e), e);
    } catch (IOException e) {
      throw new InputException(file.toString(), Failures.describe(e), e);
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
