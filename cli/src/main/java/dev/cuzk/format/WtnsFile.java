package dev.cuzk.format;

import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A witness as circom's programs and snarkjs write it (.wtns, version 2): section 1 is n8 (u32),
 * the prime (n8 bytes) and the number of values (u32); section 2 the values, n8 bytes each,
 * canonical, little-endian, ONE first.
 *
 * <p>Opening reads the header alone; the values stream when they are asked for, and each is checked
 * to be below the prime. Safe for use by several threads.
 */
public final class WtnsFile extends BinfileReader {
  private static final int HEADER = 1;
  private static final int VALUES = 2;
  private static final int CHUNK_BYTES = 1 << 22;

  private final CurveId curve;
  private final long variables;
  private final Binfile.Section values;
  private final ScalarRange range;

  private WtnsFile(Binfile file, CurveId curve, long variables, Binfile.Section values) {
    super(file);
    this.curve = curve;
    this.variables = variables;
    this.values = values;
    this.range = ScalarRange.of(curve);
  }

  /** Opens a file or a part of one; see {@link #open(ByteSource)}. */
  public static WtnsFile open(FileRange range) throws InputException {
    return open(range.open());
  }

  /**
   * Opens a witness and owns the source from then on.
   *
   * @throws InputException if it is not a witness of version 2 over a known curve, or its sections
   *     and its header contradict each other
   */
  public static WtnsFile open(ByteSource source) throws InputException {
    return open(source, BinfileType.WTNS, WtnsFile::readHeader);
  }

  private static WtnsFile readHeader(Binfile file) throws InputException {
    Binfile.Section header = file.require(HEADER, "the witness header");
    SectionReader reader = new SectionReader(file, header);
    CurveId curve = FieldHeader.readScalarField(file, reader);
    String countPlace = reader.place();
    long count = reader.u32("the number of values");
    reader.requireEnd();
    if (count == 0) {
      throw InputException.at(
          file.name(), "the witness has no values", countPlace, "at least 1", 0);
    }
    Binfile.Section values =
        file.require(VALUES, "the witness values", count * CurveId.SCALAR_BYTES);
    return new WtnsFile(file, curve, count, values);
  }

  /** The curve whose scalar field the values are in. */
  public CurveId curve() {
    return curve;
  }

  /** Number of values, ONE counted. */
  public long variables() {
    return variables;
  }

  /**
   * Compares the header with a proving key's: cheap, and done before any other work.
   *
   * @param keyFile what messages call the key
   * @throws InputException if the witness is of another curve or another circuit
   */
  public void requireFits(String keyFile, CurveId keyCurve, long keyVariables)
      throws InputException {
    if (curve != keyCurve) {
      throw InputException.at(
          name(),
          "the witness is over another curve than the key " + keyFile,
          "section 1",
          keyCurve,
          curve,
          "Use the key of the circuit that made this witness.");
    }
    if (variables != keyVariables) {
      throw InputException.at(
          name(),
          "the witness is of another circuit than the key " + keyFile,
          "section 1",
          keyVariables + " values",
          variables,
          "Use the key of the circuit that made this witness.");
    }
  }

  /**
   * Reads all values: 32 bytes each, canonical, little-endian.
   *
   * @param target has exactly {@link #variables} times 32 bytes
   * @throws InputException if a value is not below the prime, the first is not 1, or the file
   *     changed since it was opened
   */
  public void readInto(Buffer target) throws InputException {
    if (target.byteSize() != values.length()) {
      throw new IllegalArgumentException(
          "the witness has " + values.length() + " bytes, the buffer " + target.byteSize());
    }
    for (long at = 0; at < values.length(); ) {
      int count = (int) Math.min(CHUNK_BYTES, values.length() - at);
      ByteBuffer chunk = target.view(at, count);
      file.read(values, at, chunk);
      check(at / CurveId.SCALAR_BYTES, chunk.flip());
      at += count;
    }
    file.verifyUnchanged();
  }

  private void check(long first, ByteBuffer chunk) throws InputException {
    ByteBuffer words = chunk.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    int outside = range.firstOutside(words);
    if (outside >= 0) {
      // The value itself may be a secret: it is not shown.
      throw InputException.at(
          name(),
          "value " + (first + outside) + " is not canonical",
          place(first + outside),
          "less than the prime " + range.modulus(),
          "a larger number");
    }
    if (first == 0
        && (words.getLong(0) != 1
            || words.getLong(8) != 0
            || words.getLong(16) != 0
            || words.getLong(24) != 0)) {
      throw InputException.at(
          name(), "the first value of a witness is the constant 1", place(0), 1, "another number");
    }
  }

  private String place(long value) {
    return "section 2, offset " + (values.offset() + value * CurveId.SCALAR_BYTES);
  }
}
