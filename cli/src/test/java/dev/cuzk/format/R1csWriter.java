package dev.cuzk.format;

import dev.cuzk.math.CurveId;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes a constraint system as circom does: header, constraints, labels. How many constraints
 * there are need not be known before they are written. Not thread-safe.
 */
final class R1csWriter implements AutoCloseable {
  /**
   * One summand of a side of a constraint.
   *
   * @param wire index in the assignment; 0 is ONE
   * @param coefficient in [0, r)
   */
  record Term(long wire, BigInteger coefficient) {
    Term(long wire, long coefficient) {
      this(wire, BigInteger.valueOf(coefficient));
    }
  }

  private final BinfileWriter file;
  private final R1csFile.Header header;
  private final long constraintsPlace;
  private long constraints;

  /**
   * Starts a file; nothing is there under its name before {@link #commit}.
   *
   * @param header its number of constraints does not matter: those that come are counted
   */
  R1csWriter(Path target, R1csFile.Header header) throws IOException {
    this.header = header;
    this.file = new BinfileWriter(target, BinfileType.R1CS);
    file.begin(1);
    file.u32(CurveId.SCALAR_BYTES);
    file.bytes(LittleEndian.toBytes(header.curve().scalarModulus(), CurveId.SCALAR_BYTES));
    file.u32(header.wires());
    file.u32(header.publicOutputs());
    file.u32(header.publicInputs());
    file.u32(header.privateInputs());
    file.u64(header.labels());
    this.constraintsPlace = file.position();
    file.u32(0);
    file.end();
    file.begin(2);
  }

  /** Appends the constraint a · b = c. */
  void constraint(List<Term> a, List<Term> b, List<Term> c) throws IOException {
    side(a);
    side(b);
    side(c);
    constraints++;
  }

  private void side(List<Term> side) throws IOException {
    file.u32(side.size());
    for (Term term : side) {
      if (term.wire() >= header.wires()
          || term.coefficient().compareTo(header.curve().scalarModulus()) >= 0) {
        throw new IllegalArgumentException("out of range: " + term);
      }
      file.u32(term.wire());
      file.bytes(LittleEndian.toBytes(term.coefficient(), CurveId.SCALAR_BYTES));
    }
  }

  /** Completes the file, each wire with its own number as label, and gives it its name. */
  void commit() throws IOException {
    file.end();
    file.begin(3);
    for (long wire = 0; wire < header.wires(); wire++) {
      file.u64(wire);
    }
    file.end();
    file.patchU32(constraintsPlace, constraints);
    file.commit();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
