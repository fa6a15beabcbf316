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
 *     BigDecimal, Boolean or null
 */
public record JsonValue(String file, String pointer, int line, int column, Object value) {
  /** Characters of a value that a message shows. */
  private static final int MOST_SHOWN = 80;

  /** Something wrong with the value, with its place. */
  public InputException problem(String problem, Object expected, Object found) {
    return InputException.at(file, problem, place(), expected, found);
  }

  String place() {
    return (pointer.isEmpty() ? "the document" : pointer) + ", line " + line + ", column " + column;
  }

  /** The value as a message shows it: short, on one line, nothing that a terminal obeys. */
  public String describe() {
    if (value instanceof Map<?, ?>) {
      return "an object";
    }
    if (value instanceof List<?>) {
      return "an array";
    }
    return value instanceof String text ? quote(text) : printable(String.valueOf(value));
  }

  static String quote(String text) {
    return "\"" + printable(text) + "\"";
  }

  private static String printable(String text) {
    StringBuilder printable = new StringBuilder();
    text.codePoints()
        .limit(MOST_SHOWN)
        .forEach(c -> printable.appendCodePoint(isPrintable(c) ? c : '?'));
    return text.codePointCount(0, text.length()) > MOST_SHOWN
        ? printable + "…"
        : printable.toString();
  }

  private static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
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
                quote(field.getKey()));
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

  /** A field of an object, if it has one of that name. */
  public Optional<JsonValue> find(String key) throws InputException {
    return Optional.ofNullable(fields().get(key));
  }

  /** A field that the object must have. */
  public JsonValue require(String key) throws InputException {
    JsonValue field = fields().get(key);
    if (field == null) {
      throw problem(
          "a key is missing",
          quote(key),
          fields().keySet().stream().map(JsonValue::quote).toList());
    }
    return field;
  }

  /** The elements of what must be an array. */
  public List<JsonValue> array() throws InputException {
    if (value instanceof List<?> list) {
      List<JsonValue> elements = new ArrayList<>(list.size());
      for (Object element : list) {
        elements.add((JsonValue) element);
      }
      return elements;
    }
    throw problem("a value has the wrong type", "an array", describe());
  }

  public boolean isArray() {
    return value instanceof List<?>;
  }

  public boolean isObject() {
    return value instanceof Map<?, ?>;
  }

  public boolean isString() {
    return value instanceof String;
  }

  /** The text of what must be a string. */
  public String string() throws InputException {
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
