package dev.cuzk.synthesis.circom;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.InputException;
import dev.cuzk.format.JsonFault;
import dev.cuzk.format.SourceStream;
import java.io.IOException;
import java.math.BigInteger;

/**
 * Reads a circom input: one JSON object whose members are signals.
 *
 * <p>A value is a number or an array of values, of any depth, which is flattened in order. Numbers
 * are JSON integers, strings of decimal digits with an optional minus sign, or strings {@code 0x}
 * with hexadecimal digits; {@code true} and {@code false} stand for 1 and 0. An object inside is a
 * bus (circom 2.2): its members are the signals {@code bus.field}, and those of arrays of buses
 * {@code bus[0].field}. Numbers are exact whatever their size; fractions, exponents, null and
 * repeated names are refused. Inputs are secrets: messages tell places, never values.
 */
final class SignalReader {
  /** Decimal or hexadecimal digits of a number: far more than any field element has. */
  private static final int MAXIMUM_DIGITS = 100_000;

  private static final int MAXIMUM_DEPTH = 1000;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(MAXIMUM_DIGITS)
                  .maxStringLength(MAXIMUM_DIGITS)
                  .maxNestingDepth(MAXIMUM_DEPTH)
                  .build())
          .build();

  /** Takes what is read, in the order of the text. */
  interface Target {
    /** A signal begins. */
    void begin(String signal) throws InputException;

    /** The signal's next value; any integer. */
    void value(BigInteger value) throws InputException;

    /** The signal has no more values. */
    void end() throws InputException;
  }

  private final String file;
  private final JsonParser parser;
  private final Target target;
  private String signal = "";

  private SignalReader(String file, JsonParser parser, Target target) {
    this.file = file;
    this.parser = parser;
    this.target = target;
  }

  /**
   * @throws InputException if the text is not such an object, or cannot be read; names the signal
   *     and the place
   */
  static void read(ByteSource input, Target target) throws InputException {
    SourceStream stream = new SourceStream(input);
    try (JsonParser parser = JSON.createParser(stream)) {
      new SignalReader(input.name(), parser, target).readAll();
      input.verifyUnchanged();
    } catch (JsonProcessingException e) {
      // Without the cause: its message repeats values of the input.
      throw new InputException(input.name(), JsonFault.describe(e));
    } catch (IOException e) {
      if (e.getCause() instanceof InputException cause) {
        throw cause;
      }
      throw new InputException(input.name(), "cannot be read: " + e.getMessage(), e);
    }
  }

  private static String place(JsonLocation location) {
    return location == null
        ? ""
        : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
  }

  private InputException refuse(String problem) {
    String where = signal.isEmpty() ? "" : "signal \"" + signal + "\": ";
    return new InputException(file, where + problem + place(parser.currentTokenLocation()));
  }

  private void readAll() throws IOException, InputException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw refuse("not a JSON object with the circuit's input signals");
    }
    readMembers("");
    signal = "";
    if (parser.nextToken() != null) {
      throw refuse("something follows the JSON object");
    }
  }

  /** The parser stands at the object's beginning, afterwards at its end. */
  private void readMembers(String prefix) throws IOException, InputException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = prefix + parser.currentName();
      signal = name;
      switch (parser.nextToken()) {
        case START_OBJECT -> readMembers(name + ".");
        case START_ARRAY -> readSignalOrBuses(name);
        default -> {
          target.begin(name);
          target.value(readNumber());
          target.end();
        }
      }
    }
  }

  /** Which of the two an array is shows at its first element that is not an array. */
  private void readSignalOrBuses(String name) throws IOException, InputException {
    ArrayPath path = new ArrayPath(name);
    boolean begun = false;
    boolean buses = false;
    path.enter();
    while (path.depth() > 0) {
      switch (parser.nextToken()) {
        case START_ARRAY -> path.enter();
        case END_ARRAY -> path.leave();
        case START_OBJECT -> {
          if (begun) {
            throw refuse("an object among numbers");
          }
          buses = true;
          readMembers(path.element() + ".");
          signal = name;
          path.advance();
        }
        default -> {
          if (buses) {
            throw refuse("a number among objects");
          }
          if (!begun) {
            begun = true;
            target.begin(name);
          }
          target.value(readNumber());
          path.advance();
        }
      }
    }
    if (!begun && !buses) {
      target.begin(name);
    }
    if (!buses) {
      target.end();
    }
  }

  private BigInteger readNumber() throws IOException, InputException {
    return switch (parser.currentToken()) {
      case VALUE_NUMBER_INT -> parser.getBigIntegerValue();
      case VALUE_STRING -> parse(parser.getText());
      case VALUE_TRUE -> BigInteger.ONE;
      case VALUE_FALSE -> BigInteger.ZERO;
      case VALUE_NUMBER_FLOAT ->
          throw refuse("a number has a fraction or an exponent; write an integer");
      default -> throw refuse("a number is expected");
    };
  }

  private BigInteger parse(String text) throws InputException {
    boolean hexadecimal = text.startsWith("0x") || text.startsWith("0X");
    int start = hexadecimal ? 2 : text.startsWith("-") ? 1 : 0;
    int radix = hexadecimal ? 16 : 10;
    for (int i = start; i < text.length(); i++) {
      char digit = text.charAt(i);
      if (digit > 'f' || Character.digit(digit, radix) < 0) {
        throw notANumber();
      }
    }
    if (start == text.length()) {
      throw notANumber();
    }
    return new BigInteger(hexadecimal ? text.substring(2) : text, radix);
  }

  private InputException notANumber() {
    return refuse("a text is not an integer; write decimal digits, or 0x and hexadecimal digits");
  }

  /** Indices on the way to an element of nested arrays. */
  private static final class ArrayPath {
    private final String name;
    private final int[] indices = new int[MAXIMUM_DEPTH + 1];
    private int depth;

    ArrayPath(String name) {
      this.name = name;
    }

    int depth() {
      return depth;
    }

    void enter() {
      indices[depth++] = 0;
    }

    void leave() {
      depth--;
      advance();
    }

    void advance() {
      if (depth > 0) {
        indices[depth - 1]++;
      }
    }

    String element() {
      StringBuilder element = new StringBuilder(name);
      for (int i = 0; i < depth; i++) {
        element.append('[').append(indices[i]).append(']');
      }
      return element.toString();
    }
  }
}
