package dev.cuzk.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** 1, 0, true, false, yes, no in any case. */
final class BooleanConverter implements ITypeConverter<Boolean> {
  @Override
  public Boolean convert(String value) {
    return switch (value.strip().toLowerCase(Locale.ROOT)) {
      case "1", "true", "yes" -> true;
      case "0", "false", "no" -> false;
      default ->
          throw new TypeConversionException(
              "'" + value + "' is not one of 1, 0, true, false, yes, no");
    };
  }
}
