package dev.cuzk.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON without leniency: UTF-8 only, no duplicate keys, nothing after the document. The
 * values of a large array can be taken one by one.
 */
public final class StrictJson implements AutoCloseable {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(64).maxNumberLength(80).build())
          .build();

  private final String file;
  private final JsonParser parser;
  private final boolean fractions;

  /** Refuses numbers with a fraction or an exponent, wherever they stand. */
  StrictJson(String file, InputStream input) throws InputException {
    this(file, input, false);
  }

  private StrictJson(String file, InputStream input, boolean fractions) throws InputException {
    this.file = file;
    this.fractions = fractions;
    try {
      this.parser =
          FACTORY.createParser(new InputStreamReader(input, StandardCharsets.UTF_8.newDecoder()));
    } catch (IOException e) {
      throw wrap(e);
    }
  }

  /**
   * A whole document. Fractions and exponents may stand where nobody looks for a number: a document
   * may have keys that its reader does not know.
   *
   * @param file what messages call it
   * @throws InputException with line and column of what is wrong
   */
  public static JsonValue parse(String file, byte[] content) throws InputException {
    try (StrictJson json = new StrictJson(file, new ByteArrayInputStream(content), true)) {
      if (json.next() == null) {
        throw json.here("").problem("the document is empty", "JSON", "nothing");
      }
      JsonValue value = json.value("");
      json.requireEnd();
      return value;
    }
  }

  private InputException wrap(IOException e) {
    if (e instanceof JsonProcessingException json) {
      return new InputException(file, JsonFault.describe(json), e);
    }
    if (e instanceof CharacterCodingException) {
      return new InputException(file, "it is not UTF-8" + placeNow(), e);
    }
    return new InputException(file, "it cannot be read: " + e.getMessage(), e);
  }

  private String placeNow() {
    return " (after line " + parser.currentLocation().getLineNr() + ")";
  }

  JsonToken next() throws InputException {
    try {
      return parser.nextToken();
    } catch (IOException e) {
      throw wrap(e);
    }
  }

  /** That nothing follows the document, which was read. */
  void requireEnd() throws InputException {
    if (next() != null) {
      throw here("").problem("there is more after the document", "its end", "another value");
    }
  }

  boolean isAtArray() {
    return parser.currentToken() == JsonToken.START_ARRAY;
  }

  /** Name of the field that was just read. */
  String fieldName() throws InputException {
    try {
      return parser.currentName();
    } catch (IOException e) {
      throw wrap(e);
    }
  }

  /** A stand-in for the current token, for messages. */
  JsonValue here(String pointer) {
    JsonLocation at = parser.currentTokenLocation();
    return new JsonValue(file, pointer, at.getLineNr(), at.getColumnNr(), null);
  }

  /** The value that the current token begins, whole. */
  JsonValue value(String pointer) throws InputException {
    try {
      return read(pointer);
    } catch (IOException e) {
      throw wrap(e);
    }
  }

  private JsonValue read(String pointer) throws IOException, InputException {
    JsonLocation at = parser.currentTokenLocation();
    Object value =
        switch (parser.currentToken()) {
          case START_OBJECT -> readObject(pointer);
          case START_ARRAY -> readArray(pointer);
          case VALUE_STRING -> parser.getText();
          case VALUE_NUMBER_INT -> parser.getBigIntegerValue();
          case VALUE_TRUE -> Boolean.TRUE;
          case VALUE_FALSE -> Boolean.FALSE;
          case VALUE_NULL -> null;
          case VALUE_NUMBER_FLOAT -> readFraction(pointer);
          default -> throw here(pointer).problem("unexpected token", "a value", "another token");
        };
    return new JsonValue(file, pointer, at.getLineNr(), at.getColumnNr(), value);
  }

  private BigDecimal readFraction(String pointer) throws IOException, InputException {
    if (!fractions) {
      throw here(pointer)
          .problem("a number has a fraction or an exponent", "an integer", parser.getText());
    }
    return parser.getDecimalValue();
  }

  private Map<String, JsonValue> readObject(String pointer) throws IOException, InputException {
    Map<String, JsonValue> fields = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      fields.put(name, read(child(pointer, name)));
    }
    return fields;
  }

  private List<JsonValue> readArray(String pointer) throws IOException, InputException {
    List<JsonValue> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(read(pointer + "/" + elements.size()));
    }
    return elements;
  }

  static String child(String pointer, String name) {
    return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
  }

  @Override
  public void close() throws InputException {
    try {
      parser.close();
    } catch (IOException e) {
      throw wrap(e);
    }
  }
}
