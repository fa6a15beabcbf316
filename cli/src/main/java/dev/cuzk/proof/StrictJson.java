package dev.cuzk.proof;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.cuzk.format.InputException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON into maps, lists, strings, {@link Number}s, booleans and null; duplicate keys, content after
 * the value and nesting beyond any proof's are refused.
 */
final class StrictJson {
  private static final int DEEPEST = 16;

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private StrictJson() {}

  static Object parse(String file, byte[] content) throws InputException {
    try (JsonParser parser = FACTORY.createParser(content)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw new InputException(file, "is empty (expected JSON)");
      }
      Object value = value(file, parser, first, 0);
      if (parser.nextToken() != null) {
        throw at(file, parser, "holds more than one JSON value");
      }
      return value;
    } catch (JsonParseException e) {
      throw new InputException(
          file,
          "is not valid JSON (" + place(e) + ": " + firstLine(e.getOriginalMessage()) + ")",
          e);
    } catch (IOException e) {
      throw new InputException(file, "is not valid JSON (" + firstLine(e.getMessage()) + ")", e);
    }
  }

  private static Object value(String file, JsonParser parser, JsonToken token, int depth)
      throws IOException, InputException {
    if (depth > DEEPEST) {
      throw at(file, parser, "is nested too deeply");
    }
    switch (token) {
      case START_OBJECT -> {
        Map<String, Object> object = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          object.put(name, value(file, parser, parser.nextToken(), depth + 1));
        }
        return object;
      }
      case START_ARRAY -> {
        List<Object> array = new ArrayList<>();
        for (JsonToken next = parser.nextToken();
            next != JsonToken.END_ARRAY;
            next = parser.nextToken()) {
          array.add(value(file, parser, next, depth + 1));
        }
        return array;
      }
      case VALUE_STRING -> {
        return parser.getText();
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        return parser.getNumberValue();
      }
      case VALUE_TRUE, VALUE_FALSE -> {
        return token == JsonToken.VALUE_TRUE;
      }
      default -> {
        return null;
      }
    }
  }

  private static InputException at(String file, JsonParser parser, String problem) {
    return new InputException(
        file,
        problem
            + " (line "
            + parser.currentLocation().getLineNr()
            + ", column "
            + parser.currentLocation().getColumnNr()
            + ")");
  }

  private static String place(JsonProcessingException e) {
    return e.getLocation() == null
        ? "unknown place"
        : "line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr();
  }

  private static String firstLine(String message) {
    if (message == null) {
      return "unreadable";
    }
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
