package dev.cuzk.format;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;

/** What is wrong with a JSON text, in this tool's words and without a value of it. */
public final class JsonFault {
  private static final String DUPLICATE = "Duplicate field ";

  private JsonFault() {}

  /** For example {@code it is not valid JSON: the key 'a' occurs twice (line 3, column 14)}. */
  public static String describe(JsonProcessingException failure) {
    JsonLocation at = failure.getLocation();
    String place =
        at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
    return "it is not valid JSON: " + reason(failure) + place;
  }

  private static String reason(JsonProcessingException failure) {
    String text = String.valueOf(failure.getOriginalMessage());
    if (failure instanceof JsonEOFException) {
      return "it ends in the middle";
    }
    if (failure instanceof StreamConstraintsException) {
      return "it is nested too deeply, or a name or number is too long";
    }
    if (text.startsWith(DUPLICATE)) {
      return "the key " + text.substring(DUPLICATE.length()) + " occurs twice";
    }
    if (text.contains("UTF-8")) {
      return "it is not UTF-8";
    }
    if (text.startsWith("Illegal unquoted character") || text.contains("CTRL-CHAR")) {
      return "a control character stands where none may be";
    }
    if (text.startsWith("Unrecognized token")) {
      return "neither a number nor a text in quotes";
    }
    if (text.startsWith("Invalid numeric value")) {
      return "a number is malformed";
    }
    if (text.contains("escape")) {
      return "an escape sequence is malformed";
    }
    return text.startsWith("Unexpected character")
        ? "a character that cannot stand here"
        : "it does not follow JSON's grammar";
  }
}
