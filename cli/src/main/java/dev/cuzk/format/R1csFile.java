package dev.cuzk.format;

import dev.cuzk.math.CurveId;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A constraint system as circom writes it (.r1cs, version 1): section 1 is the header, section 2
 * the constraints A·w × B·w = C·w, section 3 the map from wires to labels. Custom gates (sections 4
 * and 5, for plonk) are refused if a circuit uses them.
 *
 * <p>Opening reads the header alone; constraints stream past a {@link Visitor}, term by term, in
 * constant memory. Safe for use by several threads.
 */
public final class R1csFile extends BinfileReader {
  private static final int HEADER = 1;
  private static final int CONSTRAINTS = 2;
  private static final int LABELS = 3;
  private static final int CUSTOM_GATES = 4;
  private static final int CUSTOM_GATE_USES = 5;
  private static final int TERM_BYTES = 4 + CurveId.SCALAR_BYTES;
  private static final int TERMS_PER_SKIP = 1024;
  private static final int ROWS_PER_CHECKPOINT = 4096;

  /**
   * The numbers in the header.
   *
   * @param wires ONE counted: length of an assignment
   * @param publicOutputs they come first after ONE
   * @param publicInputs they come after the outputs
   * @param privateInputs they come after those
   * @param labels signals in the source, before simplification
   * @param constraints rows
   */
  public record Header(
      CurveId curve,
      long wires,
      long publicOutputs,
      long publicInputs,
      long privateInputs,
      long labels,
      long constraints) {
    /** Public signals of a proof: outputs and public inputs. */
    public long publicSignals() {
      return publicOutputs + publicInputs;
    }
  }

  /** Sees the constraints in order. */
  public interface Visitor {
    /**
     * A term of the constraint that {@link #endOfConstraint} ends.
     *
     * @param matrix 0 = A, 1 = B, 2 = C
     * @param row number of the constraint, from 0
     * @param wire less than the number of wires
     * @param v0 coefficient, canonical: least significant word
     * @param v1 second word
     * @param v2 third word
     * @param v3 most significant word
     */
    void term(int matrix, long row, long wire, long v0, long v1, long v2, long v3);

    /** All terms of a constraint were seen. */
    default void endOfConstraint(long row) {}
  }

  private final Header header;
  private final Binfile.Section constraints;
  private long[] checkpoints;

  private R1csFile(Binfile file, Header header, Binfile.Section constraints) {
    super(file);
    this.header = header;
    this.constraints = constraints;
  }

  /** Opens a file or a part of one; see {@link #open(ByteSource)}. */
  public static R1csFile open(FileRange range) throws InputException {
    return open(range.open());
  }

  /**
   * Opens a constraint system and owns the source from then on.
   *
   * @throws InputException if it is not one of version 1 over a known curve, uses custom gates, or
   *     its header contradicts itself or the sections
   */
  public static R1csFile open(ByteSource source) throws InputException {
    return open(source, BinfileType.R1CS, R1csFile::readSections);
  }

  private static R1csFile readSections(Binfile file) throws InputException {
    Header header = readHeader(file);
    requireNoCustomGates(file);
    if (file.find(LABELS).isPresent()) {
      file.require(LABELS, "the labels of the wires", 8 * header.wires());
    }
    return new R1csFile(file, header, requireConstraints(file, header));
  }

  private static Header readHeader(Binfile file) throws InputException {
    SectionReader reader =
        new SectionReader(file, file.require(HEADER, "the constraint system's header"));
    CurveId curve = FieldHeader.readScalarField(file, reader);
    String place = reader.place();
    Header header =
        new Header(
            curve,
            reader.u32("the number of wires"),
            reader.u32("the number of public outputs"),
            reader.u32("the number of public inputs"),
            reader.u32("the number of private inputs"),
            reader.u64("the number of labels"),
            reader.u32("the number of constraints"));
    reader.requireEnd();
    // Private inputs do not count: some versions of circom list those that simplification took out.
    long named = 1 + header.publicSignals();
    if (header.wires() < named) {
      throw InputException.at(
          file.name(),
          "fewer wires than public signals",
          place,
          "at least " + named + " wires",
          header.wires());
    }
    return header;
  }

  private static Binfile.Section requireConstraints(Binfile file, Header header)
      throws InputException {
    Binfile.Section section = file.require(CONSTRAINTS, "the constraints");
    // Each of the three sides of a constraint has at least the number of its terms.
    if (section.length() / 12 < header.constraints()) {
      throw InputException.at(
          file.name(),
          "the section is too short for its constraints",
          "section 2, offset " + section.offset(),
          "at least " + 12 * header.constraints() + " bytes",
          section.length());
    }
    return section;
  }

  private static void requireNoCustomGates(Binfile file) throws InputException {
    for (int id : new int[] {CUSTOM_GATES, CUSTOM_GATE_USES}) {
      var section = file.find(id);
      if (section.isEmpty()) {
        continue;
      }
      SectionReader reader = new SectionReader(file, section.get());
      String place = reader.place();
      long count = reader.u32("the number of custom gates");
      if (count != 0) {
        throw InputException.at(
            file.name(),
            "the circuit uses custom gates, which Groth16 does not have",
            place,
            0,
            count,
            "Compile it without custom templates.");
      }
    }
  }

  public Header header() {
    return header;
  }

  /**
   * Streams all constraints past the visitor.
   *
   * @throws InputException naming the first wire or coefficient that is out of range, or if the
   *     section's length does not fit, or the file changed since it was opened
   */
  public void forEach(Visitor visitor) throws InputException {
    forEach(0, header.constraints(), visitor);
  }

  /**
   * Streams constraints first … first + count − 1 past the visitor, so that several threads can
   * share the work. Constraints have no fixed length: the first call that does not start at 0 looks
   * for their places once.
   *
   * @throws InputException as {@link #forEach(Visitor)}
   * @throws IndexOutOfBoundsException if the range is not inside the system
   */
  public void forEach(long first, long count, Visitor visitor) throws InputException {
    Objects.checkFromIndexSize(first, count, header.constraints());
    long row = first - first % ROWS_PER_CHECKPOINT;
    long place = row == 0 ? 0 : checkpoints()[(int) (row / ROWS_PER_CHECKPOINT)];
    SectionReader reader = new SectionReader(file, constraints, place);
    for (; row < first; row++) {
      skipRow(reader, row);
    }
    ScalarRange range = ScalarRange.of(header.curve());
    for (; row < first + count; row++) {
      for (int matrix = 0; matrix < 3; matrix++) {
        visitSide(reader, range, visitor, matrix, row);
      }
      visitor.endOfConstraint(row);
    }
    if (row == header.constraints()) {
      reader.requireEnd();
    }
    file.verifyUnchanged();
  }

  /** The places, inside the section, of the constraints 0, 4096, 8192 … */
  private synchronized long[] checkpoints() throws InputException {
    if (checkpoints == null) {
      long rows = header.constraints();
      long[] found = new long[(int) ((rows + ROWS_PER_CHECKPOINT - 1) / ROWS_PER_CHECKPOINT)];
      SectionReader reader = new SectionReader(file, constraints);
      for (long row = 0; row < rows; row++) {
        if (row % ROWS_PER_CHECKPOINT == 0) {
          found[(int) (row / ROWS_PER_CHECKPOINT)] = reader.position();
        }
        skipRow(reader, row);
      }
      checkpoints = found;
    }
    return checkpoints;
  }

  private void skipRow(SectionReader reader, long row) throws InputException {
    for (int matrix = 0; matrix < 3; matrix++) {
      for (long terms = readTermCount(reader, row); terms > 0; ) {
        int step = (int) Math.min(terms, TERMS_PER_SKIP);
        reader.skip(step * TERM_BYTES, "the terms of a constraint");
        terms -= step;
      }
    }
  }

  private long readTermCount(SectionReader reader, long row) throws InputException {
    long terms = reader.u32("the number of terms");
    if (terms > reader.remaining() / TERM_BYTES) {
      throw InputException.at(
          name(),
          "constraint " + row + " has more terms than the section has room for",
          reader.place(),
          "at most " + reader.remaining() / TERM_BYTES,
          terms);
    }
    return terms;
  }

  private void visitSide(
      SectionReader reader, ScalarRange range, Visitor visitor, int matrix, long row)
      throws InputException {
    long terms = readTermCount(reader, row);
    for (long i = 0; i < terms; i++) {
      ByteBuffer term = reader.need(TERM_BYTES, "a term");
      long wire = Integer.toUnsignedLong(term.getInt());
      long v0 = term.getLong();
      long v1 = term.getLong();
      long v2 = term.getLong();
      long v3 = term.getLong();
      if (wire >= header.wires()) {
        throw InputException.at(
            name(),
            "constraint " + row + " refers to a wire that does not exist",
            "before " + reader.place(),
            "less than " + header.wires(),
            wire);
      }
      if (!range.contains(v0, v1, v2, v3)) {
        throw InputException.at(
            name(),
            "a coefficient of constraint " + row + " is not canonical",
            "before " + reader.place(),
            "less than " + range.modulus(),
            "a larger number");
      }
      visitor.term(matrix, row, wire, v0, v1, v2, v3);
    }
  }
}
