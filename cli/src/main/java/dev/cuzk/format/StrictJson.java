package dev.cuzk.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON without leniency: UTF-8 only, no duplicate keys, no fractions or exponents, nothing
 * after the document. The values of a large array can be taken one by one.
 */
final class StrictJson implements AutoCloseable {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(64).maxNumberLength(80).build())
          .build();

  private final String file;
  private final JsonParser parser;

  StrictJson(String file, InputStream input) throws InputException {
    this.file = file;
    try {
      this.parser =
          FACTORY.createParser(new InputStreamReader(input, StandardCharsets.UTF_8.newDecoder()));
    } catch (IOException e) {
      throw wrap(e);
    }
  }

  private InputException wrap(IOException e) {
    if (e instanceof JsonProcessingException json) {
      JsonLocation at = json.getLocation();
      String place =
          at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
      String text = json.getOriginalMessage().lines().findFirst().orElse("").strip();
      return new InputException(file, "it is not valid JSON: " + text + place, e);
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
          case VALUE_NUMBER_FLOAT ->
              throw here(pointer)
                  .problem(
                      "a number has a fraction or an exponent", "an integer", parser.getText());
          default -> throw here(pointer).problem("unexpected token", "a value", "another token");
        };
    return new JsonValue(file, pointer, at.getLineNr(), at.getColumnNr(), value);
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
