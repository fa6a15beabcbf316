package dev.cuzk.format;

import dev.cuzk.math.CurveId;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The way in which iden3 headers name a prime field: its width in bytes (u32), then the prime. */
final class FieldHeader {
  private static final int WIDEST_BYTES = 256;

  private FieldHeader() {}

  /** Reads a scalar field, which tells the curve. */
  static CurveId readScalarField(Binfile file, SectionReader reader) throws InputException {
    String place = reader.place();
    Field field = read(file, reader, "the scalar field");
    Optional<CurveId> curve = CurveId.byScalarModulus(field.prime());
    if (curve.isEmpty()) {
      throw InputException.at(
          file.name(),
          "the scalar field is of no curve that is supported",
          place,
          "the order of " + curveNames(),
          field.prime());
    }
    requireWidth(file, place, CurveId.SCALAR_BYTES, field.width());
    return curve.get();
  }

  /** Reads a base field, then the scalar field, which must belong to the same curve. */
  static CurveId readBothFields(Binfile file, SectionReader reader) throws InputException {
    String place = reader.place();
    Field base = read(file, reader, "the base field");
    CurveId curve = readScalarField(file, reader);
    if (!curve.baseModulus().equals(base.prime())) {
      throw InputException.at(
          file.name(),
          "the base field and the scalar field are of different curves",
          place,
          curve.baseModulus(),
          base.prime());
    }
    requireWidth(file, place, curve.baseFieldBytes(), base.width());
    return curve;
  }

  private record Field(int width, BigInteger prime) {}

  private static Field read(Binfile file, SectionReader reader, String field)
      throws InputException {
    String place = reader.place();
    long width = reader.u32("the width of " + field);
    if (width == 0 || width > WIDEST_BYTES) {
      throw InputException.at(
          file.name(), "the width of " + field + " is out of range", place, "32 or 48", width);
    }
    byte[] prime = reader.bytes((int) width, "the prime of " + field);
    return new Field((int) width, LittleEndian.toInteger(prime, 0, prime.length));
  }

  private static void requireWidth(Binfile file, String place, int expected, int found)
      throws InputException {
    if (expected != found) {
      throw InputException.at(
          file.name(), "the width of a field is wrong", place, expected + " bytes", found);
    }
  }

  private static String curveNames() {
    return Arrays.stream(CurveId.values())
        .map(CurveId::printedName)
        .collect(Collectors.joining(" or "));
  }
}
