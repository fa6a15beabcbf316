package dev.cuzk.circuit;

import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.R1csFile;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;

/**
 * The constraints of an .r1cs file, read again for each replay. Safe for use by several threads.
 */
public final class R1csConstraints implements Constraints, AutoCloseable {
  private final R1csFile file;
  private final Field field;

  private R1csConstraints(R1csFile file) {
    this.file = file;
    this.field = Field.scalar(file.header().curve());
  }

  /**
   * Opens a file, or a part of one.
   *
   * @throws InputException if it is no constraint system over a known curve, or larger than this
   *     program's numbers (2^31 public signals)
   */
  public static R1csConstraints open(FileRange range) throws InputException {
    R1csFile file = R1csFile.open(range);
    long signals = file.header().publicSignals();
    if (signals >= Integer.MAX_VALUE) {
      file.close();
      throw new InputException(
          file.name(), "more than 2^31 public signals (found " + signals + ")");
    }
    return new R1csConstraints(file);
  }

  /** The curve whose scalar field the coefficients lie in. */
  public CurveId curve() {
    return file.header().curve();
  }

  /** The file behind it. */
  public R1csFile file() {
    return file;
  }

  @Override
  public String name() {
    return file.name();
  }

  @Override
  public Field field() {
    return field;
  }

  @Override
  public long variables() {
    return file.header().wires();
  }

  @Override
  public int publicInputs() {
    return (int) file.header().publicSignals();
  }

  @Override
  public long constraints() {
    return file.header().constraints();
  }

  @Override
  public void forEach(long first, long count, Sink sink) throws InputException {
    file.forEach(
        first,
        count,
        new R1csFile.Visitor() {
          @Override
          public void term(int matrix, long row, long wire, long v0, long v1, long v2, long v3) {
            sink.term(matrix, wire, v0, v1, v2, v3);
          }

          @Override
          public void endOfConstraint(long row) {
            sink.end(row);
          }
        });
  }

  @Override
  public void close() {
    file.close();
  }
}
