package dev.cuzk.format;

import dev.cuzk.math.CurveId;
import java.nio.ByteBuffer;

/**
 * A constraint system as circom writes it (.r1cs, version 1): section 1 is the header, section 2
 * the constraints A·w × B·w = C·w, section 3 the map from wires to labels. Custom gates (sections 4
 * and 5, for plonk) are refused if a circuit uses them.
 *
 * <p>Opening reads the header alone; constraints stream past a {@link Visitor}, term by term, in
 * constant memory. Safe for use by several threads.
 */
public final class R1csFile implements AutoCloseable {
  private static final int HEADER = 1;
  private static final int CONSTRAINTS = 2;
  private static final int LABELS = 3;
  private static final int CUSTOM_GATES = 4;
  private static final int CUSTOM_GATE_USES = 5;
  private static final int TERM_BYTES = 4 + CurveId.SCALAR_BYTES;

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

  private final Binfile file;
  private final Header header;
  private final Binfile.Section constraints;

  private R1csFile(Binfile file, Header header, Binfile.Section constraints) {
    this.file = file;
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
    Binfile file = Binfile.open(source, BinfileType.R1CS);
    try {
      Header header = readHeader(file);
      requireNoCustomGates(file);
      if (file.find(LABELS).isPresent()) {
        file.require(LABELS, "the labels of the wires", 8 * header.wires());
      }
      return new R1csFile(file, header, requireConstraints(file, header));
    } catch (InputException | RuntimeException e) {
      file.close();
      throw e;
    }
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
    long named = 1 + header.publicSignals() + header.privateInputs();
    if (header.wires() < named) {
      throw InputException.at(
          file.name(),
          "fewer wires than inputs and outputs",
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

  /** What messages call the file. */
  public String name() {
    return file.name();
  }

  /** The bytes of the whole file, for digests. */
  public ByteSource source() {
    return file.source();
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
    SectionReader reader = new SectionReader(file, constraints);
    ScalarRange range = ScalarRange.of(header.curve());
    for (long row = 0; row < header.constraints(); row++) {
      for (int matrix = 0; matrix < 3; matrix++) {
        visitSide(reader, range, visitor, matrix, row);
      }
      visitor.endOfConstraint(row);
    }
    reader.requireEnd();
    file.verifyUnchanged();
  }

  private void visitSide(
      SectionReader reader, ScalarRange range, Visitor visitor, int matrix, long row)
      throws InputException {
    long terms = reader.u32("the number of terms");
    if (terms > reader.remaining() / TERM_BYTES) {
      throw InputException.at(
          name(),
          "constraint " + row + " has more terms than the section has room for",
          reader.place(),
          "at most " + reader.remaining() / TERM_BYTES,
          terms);
    }
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

  /** See {@link ByteSource#verifyUnchanged}. */
  public void verifyUnchanged() throws InputException {
    file.verifyUnchanged();
  }

  @Override
  public void close() {
    file.close();
  }
}
