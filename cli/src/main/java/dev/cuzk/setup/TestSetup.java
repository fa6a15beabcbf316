package dev.cuzk.setup;

import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.MatrixEntries;
import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.format.InputException;
import dev.cuzk.format.ParamsFile;
import dev.cuzk.format.ParamsFile.Section;
import dev.cuzk.format.ParamsWriter;
import dev.cuzk.format.ZkeyContributions;
import dev.cuzk.format.ZkeyFile;
import dev.cuzk.format.ZkeySection;
import dev.cuzk.format.ZkeyWriter;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.ForkJoinPool;

/**
 * Makes a Groth16 proving key alone, without a ceremony: whoever ran it could have kept the secrets
 * and prove anything. A .zkey is complete: snarkjs takes it for proving and for exporting the
 * verification key; its one contribution is named {@link ZkeyContributions#ONE_PARTY_TEST}, and no
 * ceremony's transcript can verify it. A .params holds what bellman's would; nothing in it marks
 * it.
 *
 * <p>Memory: three scalars a variable and a few megabytes, whatever the size of the key.
 */
public final class TestSetup {
  /** Points made by one call of the device: large enough that its table of multiples pays. */
  private static final int POINTS_PER_PIECE = 1 << 16;

  private static final int ENTRIES_PER_PIECE = 1 << 14;
  private static final String EVALUATING = "evaluating the constraints";

  /** Which key file to write. */
  public enum Form {
    /** snarkjs': any curve, with matrices, quotient on the odd coset. */
    ZKEY,
    /** bellman's: BLS12-381, without matrices, quotient by its coefficients. */
    PARAMS
  }

  private final Path target;
  private final Constraints constraints;
  private final CurveId curve;
  private final Field field;
  private final FixedBase fixedBase;
  private final PointMaker points;

  private TestSetup(
      Path target,
      Constraints constraints,
      CurveId curve,
      Backend backend,
      SetupListener listener) {
    this.target = target;
    this.constraints = constraints;
    this.curve = curve;
    this.field = constraints.field();
    this.fixedBase = new FixedBase(backend, curve, POINTS_PER_PIECE);
    this.points =
        new PointMaker(
            fixedBase,
            POINTS_PER_PIECE,
            listener,
            4 * constraints.variables() + (1L << constraints.domainLog2()));
  }

  /**
   * What was made.
   *
   * @param entries non-zero entries of A and B that were written, the rows for the inputs counted
   */
  public record Summary(
      CurveId curve,
      int domainLog2,
      long constraints,
      long variables,
      int publicInputs,
      long entries) {}

  /**
   * Makes a key and writes it; the file appears under its name complete, or not at all.
   *
   * @param pool for the pass over the constraints; the device has its own threads
   * @param insecureSeed makes the same key again; without it the operating system's randomness is
   *     used
   * @throws InputException if the constraint system is malformed, over a field that the form does
   *     not have, or too large for a key of its curve
   */
  public static Summary write(
      Path target,
      Form form,
      Constraints constraints,
      Backend backend,
      ForkJoinPool pool,
      OptionalLong insecureSeed,
      SetupListener listener)
      throws InputException, DeviceException, IOException {
    CurveId curve = requireFits(constraints, form);
    TestSetup setup = new TestSetup(target, constraints, curve, backend, listener);
    try (ToxicWaste waste =
        ToxicWaste.make(constraints.field(), constraints.domainLog2(), insecureSeed)) {
      return form == Form.ZKEY ? setup.writeZkey(waste, pool) : setup.writeParams(waste, pool);
    }
  }

  static CurveId requireFits(Constraints constraints, Form form) throws InputException {
    CurveId curve =
        CurveId.byScalarModulus(constraints.field().modulus())
            .orElseThrow(
                () -> new InputException(constraints.name(), "its field is of no known curve"));
    if (form == Form.PARAMS && curve != ParamsFile.CURVE) {
      throw new InputException(
          constraints.name(),
          "a .params key is over " + ParamsFile.CURVE + " alone (found " + curve + ")");
    }
    int largest = curve.twoAdicity() - (form == Form.ZKEY ? 1 : 0);
    if (constraints.domainLog2() > largest) {
      throw new InputException(
          constraints.name(),
          "too many constraints for a key over "
              + curve
              + " (expected a domain of at most 2^"
              + largest
              + ", found 2^"
              + constraints.domainLog2()
              + ")");
    }
    if (constraints.variables() >= 1L << 32) {
      throw new InputException(
          constraints.name(),
          "a key has fewer than 2^32 variables (found " + constraints.variables() + ")");
    }
    return curve;
  }

  private Summary writeZkey(ToxicWaste waste, ForkJoinPool pool)
      throws InputException, DeviceException, IOException {
    points.say(EVALUATING);
    KeyExponents exponents =
        KeyExponents.evaluate(constraints, waste, QuotientForm.ODD_COSET, pool);
    SinglePoints singles = SinglePoints.make(fixedBase, field, waste);
    long variables = constraints.variables();
    int inputs = constraints.publicInputs() + 1;
    ZkeyFile.Header header =
        new ZkeyFile.Header(
            curve, variables, constraints.publicInputs(), constraints.domainLog2(), 0);
    try (ZkeyWriter writer = new ZkeyWriter(target, header, singles.forHeader())) {
      write(writer, ZkeySection.IC, inputs, PointMaker.each(exponents::input, 0));
      long entries = writeEntries(writer);
      write(writer, ZkeySection.A, variables, PointMaker.each(exponents::a, 0));
      write(writer, ZkeySection.B1, variables, PointMaker.each(exponents::b, 0));
      write(writer, ZkeySection.B2, variables, PointMaker.each(exponents::b, 0));
      write(
          writer,
          ZkeySection.L,
          variables - inputs,
          PointMaker.each(exponents::privateVariable, inputs));
      write(writer, ZkeySection.H, 1L << constraints.domainLog2(), exponents::quotient);
      writer.commit(singles.contribution(ZkeyContributions.ONE_PARTY_TEST));
      return summary(entries);
    } finally {
      exponents.clear();
      fixedBase.clear();
    }
  }

  private Summary summary(long entries) {
    return new Summary(
        curve,
        constraints.domainLog2(),
        constraints.constraints(),
        constraints.variables(),
        constraints.publicInputs(),
        entries);
  }

  private void write(ZkeyWriter writer, ZkeySection section, long count, PointMaker.Scalars scalars)
      throws DeviceException, IOException {
    writer.begin(section);
    points.make(section.content(), section == ZkeySection.B2, count, scalars, writer::append);
    writer.end();
  }

  /** A second replay: the entries stand in the file before the points that the first one gave. */
  private long writeEntries(ZkeyWriter writer) throws InputException, IOException {
    points.say("writing the matrix entries");
    writer.begin(ZkeySection.ENTRIES);
    MatrixEntries entries = new MatrixEntries(constraints);
    ByteBuffer piece = ByteBuffer.allocate(ENTRIES_PER_PIECE * MatrixEntries.BYTES);
    while (entries.read(piece) > 0) {
      writer.append(piece.flip());
      piece.clear();
    }
    writer.end();
    return entries.position();
  }

  private Summary writeParams(ToxicWaste waste, ForkJoinPool pool)
      throws InputException, DeviceException, IOException {
    points.say(EVALUATING);
    KeyExponents exponents = KeyExponents.evaluate(constraints, waste, QuotientForm.MONOMIAL, pool);
    SinglePoints singles = SinglePoints.make(fixedBase, field, waste);
    BellmanPoints encoding = new BellmanPoints(Field.base(curve));
    long variables = constraints.variables();
    int inputs = constraints.publicInputs() + 1;
    // bellman leaves out the points of variables that a matrix does not have.
    int[] inA = exponents.occurring(Constraints.A, pool);
    int[] inB = exponents.occurring(Constraints.B, pool);
    try (ParamsWriter writer = new ParamsWriter(target, singles.forParams(encoding))) {
      write(writer, encoding, Section.IC, inputs, PointMaker.each(exponents::input, 0));
      write(writer, encoding, Section.H, (1L << constraints.domainLog2()) - 1, exponents::quotient);
      write(
          writer,
          encoding,
          Section.L,
          variables - inputs,
          PointMaker.each(exponents::privateVariable, inputs));
      write(writer, encoding, Section.A, inA.length, of(exponents::a, inA));
      write(writer, encoding, Section.B1, inB.length, of(exponents::b, inB));
      write(writer, encoding, Section.B2, inB.length, of(exponents::b, inB));
      writer.commit();
      return summary(0);
    } finally {
      exponents.clear();
      fixedBase.clear();
    }
  }

  private static PointMaker.Scalars of(PointMaker.Scalar scalar, int[] variables) {
    return PointMaker.each((index, z) -> scalar.get(variables[(int) index], z), 0);
  }

  private void write(
      ParamsWriter writer,
      BellmanPoints encoding,
      Section section,
      long count,
      PointMaker.Scalars scalars)
      throws DeviceException, IOException {
    writer.begin(section);
    boolean g2 = section == Section.B2;
    points.make(
        section.title(), g2, count, scalars, made -> writer.append(encoding.convert(made, g2)));
    writer.end();
  }
}
