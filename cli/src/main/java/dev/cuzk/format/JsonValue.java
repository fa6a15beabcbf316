package dev.cuzk.format;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A JSON value that knows where it stands, so that whatever is wrong with it can be said with its
 * JSON pointer, line and column.
 *
 * @param file what messages call the file
 * @param pointer RFC 6901
 * @param line from 1
 * @param column from 1
 * @param value a {@code Map<String, JsonValue>}, {@code List<JsonValue>}, String, BigInteger,
 *     Boolean or null
 */
record JsonValue(String file, String pointer, int line, int column, Object value) {
  InputException problem(String problem, Object expected, Object found) {
    return InputException.at(file, problem, place(), expected, found);
  }

  String place() {
    return (pointer.isEmpty() ? "the document" : pointer) + ", line " + line + ", column " + column;
  }

  private String describe() {
    if (value instanceof Map<?, ?>) {
      return "an object";
    }
    if (value instanceof List<?>) {
      return "an array";
    }
    String text = value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
    StringBuilder printable = new StringBuilder();
    text.codePoints()
        .limit(80)
        .forEach(c -> printable.appendCodePoint(Character.isISOControl(c) ? '?' : c));
    return text.length() > 80 ? printable + "…" : printable.toString();
  }

  /** The fields of an object that may have these keys, and any that begin with {@code x-}. */
  Map<String, JsonValue> object(Set<String> known) throws InputException {
    Map<String, JsonValue> fields = fields();
    for (Map.Entry<String, JsonValue> field : fields.entrySet()) {
      if (!known.contains(field.getKey()) && !field.getKey().startsWith("x-")) {
        throw field
            .getValue()
            .problem(
                "unknown key",
                "one of " + known.stream().sorted().toList() + " or x-…",
                "\"" + field.getKey() + "\"");
      }
    }
    return fields;
  }

  Map<String, JsonValue> fields() throws InputException {
    if (value instanceof Map<?, ?> map) {
      @SuppressWarnings("unchecked") // Only the reader makes values, and all its keys are strings.
      Map<String, JsonValue> fields = (Map<String, JsonValue>) map;
      return fields;
    }
    throw problem("a value has the wrong type", "an object", describe());
  }

  Optional<JsonValue> find(String key) throws InputException {
    return Optional.ofNullable(fields().get(key));
  }

  JsonValue require(String key) throws InputException {
    JsonValue field = fields().get(key);
    if (field == null) {
      throw problem("a key is missing", "\"" + key + "\"", fields().keySet());
    }
    return field;
  }

  List<JsonValue> array() throws InputException {
    if (value instanceof List<?> list) {
      List<JsonValue> elements = new ArrayList<>(list.size());
      for (Object element : list) {
        elements.add((JsonValue) element);
      }
      return elements;
    }
    throw problem("a value has the wrong type", "an array", describe());
  }

  boolean isArray() {
    return value instanceof List<?>;
  }

  boolean isString() {
    return value instanceof String;
  }

  String string() throws InputException {
    if (value instanceof String text) {
      return text;
    }
    throw problem("a value has the wrong type", "a string", describe());
  }

  String string(Pattern pattern, String what) throws InputException {
    String text = string();
    if (!pattern.matcher(text).matches()) {
      throw problem("a value is malformed", what, describe());
    }
    return text;
  }

  String oneOf(Set<String> choices) throws InputException {
    String text = string();
    if (!choices.contains(text)) {
      throw problem("unknown value", "one of " + choices.stream().sorted().toList(), describe());
    }
    return text;
  }

  long integer(long minimum, long maximum) throws InputException {
    if (!(value instanceof BigInteger number)) {
      throw problem("a value has the wrong type", "an integer", describe());
    }
    if (number.compareTo(BigInteger.valueOf(minimum)) < 0
        || number.compareTo(BigInteger.valueOf(maximum)) > 0) {
      throw problem("a number is out of range", minimum + " to " + maximum, describe());
    }
    return number.longValueExact();
  }
}
