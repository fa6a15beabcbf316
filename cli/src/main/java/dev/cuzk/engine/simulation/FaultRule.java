package dev.cuzk.engine.simulation;

import dev.cuzk.engine.simulation.FaultInjectingBackend.Call;
import dev.cuzk.engine.simulation.FaultInjectingBackend.Fault;
import dev.cuzk.engine.simulation.FaultInjectingBackend.Kind;
import java.util.Arrays;
import java.util.Locale;

/**
 * One fault of {@code --fault}, written {@code DEVICE:CALL:NUMBER:KIND}, for example {@code
 * 0:prove:2:wrong-point}, {@code 1:load:1:lost}, {@code 0:prove:*:delay=500}.
 *
 * @param device position in the run's device list
 * @param number which call of that kind, from 1; 0 (written {@code *}) = each
 */
public record FaultRule(int device, Call call, long number, Fault fault) {
  /**
   * Understands the written form.
   *
   * @throws IllegalArgumentException with a line for the user
   */
  public static FaultRule parse(String text) {
    String[] parts = text.split(":", -1);
    if (parts.length != 4) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a fault: expected DEVICE:CALL:NUMBER:KIND");
    }
    String[] kind = parts[3].split("=", 2);
    try {
      return new FaultRule(
          Integer.parseUnsignedInt(parts[0]),
          word(Call.class, parts[1]),
          parts[2].equals("*") ? 0 : Long.parseUnsignedLong(parts[2]),
          new Fault(
              word(Kind.class, kind[0]), kind.length == 2 ? Long.parseUnsignedLong(kind[1]) : 0));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a fault: DEVICE, NUMBER and a delay are whole numbers", e);
    }
  }

  private static <E extends Enum<E>> E word(Class<E> type, String word) {
    for (E value : type.getEnumConstants()) {
      if (value.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(word)) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "'"
            + word
            + "' is none of "
            + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  boolean applies(Call called, long count) {
    return called == call && (number == 0 || number == count);
  }
}
