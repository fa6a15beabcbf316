package dev.cuzk.batch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.Proof;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * An accepted partition as a line of the journal. The last member of every line, {@code crc32c}, is
 * the checksum of the line's bytes before that member's comma.
 *
 * @param partitions how many the job has
 */
record JournalLine(
    String name,
    String kind,
    Source source,
    int partition,
    int partitions,
    boolean verified,
    double time,
    Proof proof,
    List<BigInteger> publicInputs) {

  static final int VERSION = 1;

  private static final String CHECKSUM_START = ",\"crc32c\":\"";
  private static final String CHECKSUM_END = "\"}\n";
  private static final int CHECKSUM_BYTES = CHECKSUM_START.length() + 8 + CHECKSUM_END.length();
  private static final String RUN_START = "{\"type\":\"run\"";
  private static final String END_START = "{\"type\":\"end\"";
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * What a proof was made from, as SHA-256 digests of files.
   *
   * @param input the witness or the program's input
   * @param program the program that made the witness from it; null for a witness
   * @param key the proving key; null for parameters that were trusted, of which nobody took it
   * @param verifyingKey the file in {@code keys/}
   */
  record Source(String input, String program, String key, String verifyingKey) {
    /** Whether the same input under the same key. */
    boolean sameAs(Source other) {
      return input.equals(other.input) && Objects.equals(program, other.program) && hasKeyOf(other);
    }

    /** Where only one was read, the verifying key that it carries tells. */
    boolean hasKeyOf(Source other) {
      return key == null || other.key == null
          ? verifyingKey.equals(other.verifyingKey)
          : key.equals(other.key);
    }
  }

  private interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  static byte[] beginOfRun(String toolVersion, double time) {
    return line(
        json -> {
          json.writeStringField("type", "run");
          json.writeNumberField("version", VERSION);
          json.writeStringField("tool", toolVersion);
          json.writeNumberField("time", decimal(time));
        });
  }

  static byte[] endOfRun(int exitCode, double time) {
    return line(
        json -> {
          json.writeStringField("type", "end");
          json.writeNumberField("exit_code", exitCode);
          json.writeNumberField("time", decimal(time));
        });
  }

  /** Seconds with three decimals: a double of this size would be written with an exponent. */
  private static BigDecimal decimal(double seconds) {
    return BigDecimal.valueOf(Math.round(seconds * 1e3), 3);
  }

  byte[] toBytes() {
    return line(
        json -> {
          json.writeStringField("type", "accepted");
          json.writeStringField("name", name);
          json.writeStringField("kind", kind);
          json.writeNumberField("partition", partition);
          json.writeNumberField("partitions", partitions);
          json.writeStringField("input", source.input());
          if (source.program() != null) {
            json.writeStringField("program", source.program());
          }
          if (source.key() != null) {
            json.writeStringField("key", source.key());
          }
          json.writeStringField("vk", source.verifyingKey());
          json.writeBooleanField("verified", verified);
          json.writeNumberField("time", decimal(time));
          json.writeStringField("curve", proof.curve().printedName());
          numbers(json, "a", proof.a());
          numbers(json, "b", proof.b());
          numbers(json, "c", proof.c());
          numbers(json, "public", publicInputs);
        });
  }

  private static void numbers(JsonGenerator json, String name, List<BigInteger> values)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (BigInteger value : values) {
      json.writeString(value.toString(16));
    }
    json.writeEndArray();
  }

  private static byte[] line(Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    byte[] object = bytes.toByteArray();
    ByteArrayOutputStream sealed = new ByteArrayOutputStream(object.length + CHECKSUM_BYTES);
    sealed.write(object, 0, object.length - 1);
    String end = CHECKSUM_START + checksum(object, object.length - 1) + CHECKSUM_END;
    sealed.writeBytes(end.getBytes(StandardCharsets.US_ASCII));
    return sealed.toByteArray();
  }

  private static String checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return String.format("%08x", crc.getValue());
  }

  /** Whether a line, its line end included, has the checksum it claims. */
  static boolean intact(byte[] line) {
    int body = line.length - CHECKSUM_BYTES;
    if (body < 1) {
      return false;
    }
    String end = new String(line, body, CHECKSUM_BYTES, StandardCharsets.ISO_8859_1);
    return end.equals(CHECKSUM_START + checksum(line, body) + CHECKSUM_END);
  }

  static boolean isRun(byte[] line) {
    return startsWith(line, RUN_START);
  }

  static boolean isEnd(byte[] line) {
    return startsWith(line, END_START);
  }

  private static boolean startsWith(byte[] line, String start) {
    return line.length > start.length()
        && new String(line, 0, start.length(), StandardCharsets.ISO_8859_1).equals(start)
        && intact(line);
  }

  static void requireVersion(Path file, byte[] line) throws InputException {
    try {
      int version = Integer.parseInt(members(line).getOrDefault("version", List.of("0")).get(0));
      if (version != VERSION) {
        throw new InputException(
            file.toString(),
            "the journal is of another version (expected "
                + VERSION
                + ", found "
                + version
                + "). Use the version of this tool that wrote it, or another --out.");
      }
    } catch (IOException | NumberFormatException e) {
      throw new InputException(file.toString(), "the journal's first line cannot be read", e);
    }
  }

  /** Reads a line; empty if it is damaged or is not about an accepted partition. */
  static Optional<JournalLine> parse(byte[] line) {
    if (!intact(line)) {
      return Optional.empty();
    }
    try {
      Map<String, List<String>> members = members(line);
      if (!one(members, "type").equals("accepted")) {
        return Optional.empty();
      }
      Source source =
          new Source(
              one(members, "input"),
              members.containsKey("program") ? one(members, "program") : null,
              members.containsKey("key") ? one(members, "key") : null,
              one(members, "vk"));
      Proof proof =
          new Proof(
              CurveId.byName(one(members, "curve")).orElseThrow(),
              numbers(members, "a"),
              numbers(members, "b"),
              numbers(members, "c"));
      return Optional.of(
          new JournalLine(
              one(members, "name"),
              one(members, "kind"),
              source,
              Integer.parseInt(one(members, "partition")),
              Integer.parseInt(one(members, "partitions")),
              Boolean.parseBoolean(one(members, "verified")),
              Double.parseDouble(one(members, "time")),
              proof,
              numbers(members, "public")));
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  private static String one(Map<String, List<String>> members, String name) throws IOException {
    List<String> values = members.get(name);
    if (values == null || values.size() != 1) {
      throw new IOException("no member " + name);
    }
    return values.get(0);
  }

  private static List<BigInteger> numbers(Map<String, List<String>> members, String name)
      throws IOException {
    List<String> values = members.get(name);
    if (values == null) {
      throw new IOException("no member " + name);
    }
    List<BigInteger> numbers = new ArrayList<>(values.size());
    for (String value : values) {
      numbers.add(new BigInteger(value, 16));
    }
    return numbers;
  }

  /** Every member's value, or the elements of the array it is, as text. */
  private static Map<String, List<String>> members(byte[] line) throws IOException {
    Map<String, List<String>> members = new HashMap<>();
    try (JsonParser json = JSON.createParser(line)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        List<String> values = new ArrayList<>(1);
        if (json.nextToken() == JsonToken.START_ARRAY) {
          while (json.nextToken() != JsonToken.END_ARRAY) {
            values.add(json.getText());
          }
        } else {
          values.add(json.getText());
        }
        members.put(name, values);
      }
    }
    return members;
  }
}
