package dev.cuzk.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;

/**
 * Writes plain data (maps, lists, strings, numbers, booleans, null) as one line of JSON. Jackson's
 * streaming half alone: data binding would double the start-up time of small commands.
 */
final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  static String write(Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(text)) {
      write(generator, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator generator, Object value) throws IOException {
    if (value == null) {
      generator.writeNull();
    } else if (value instanceof Map<?, ?> map) {
      generator.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        generator.writeFieldName(entry.getKey().toString());
        write(generator, entry.getValue());
      }
      generator.writeEndObject();
    } else if (value instanceof Iterable<?> list) {
      generator.writeStartArray();
      for (Object each : list) {
        write(generator, each);
      }
      generator.writeEndArray();
    } else if (value instanceof Boolean flag) {
      generator.writeBoolean(flag);
    } else if (value instanceof BigInteger number) {
      generator.writeNumber(number);
    } else if (value instanceof Integer || value instanceof Long) {
      generator.writeNumber(((Number) value).longValue());
    } else if (value instanceof Number number) {
      generator.writeNumber(plain(number.doubleValue()));
    } else {
      generator.writeString(value.toString());
    }
  }

  /** Six decimals and no exponent: times to a microsecond. */
  private static String plain(double value) {
    BigDecimal rounded =
        BigDecimal.valueOf(value).setScale(6, RoundingMode.HALF_EVEN).stripTrailingZeros();
    return rounded.toPlainString();
  }
}
