package dev.cuzk.setup;

import dev.cuzk.circuit.Constraints;
import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.format.InputException;
import dev.cuzk.format.ZkeyContributions;
import dev.cuzk.format.ZkeyFile;
import dev.cuzk.format.ZkeySection;
import dev.cuzk.format.ZkeyWriter;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.ForkJoinPool;

/**
 * Makes a Groth16 proving key alone, without a ceremony: whoever ran it could have kept the secrets
 * and prove anything. The key is a complete .zkey that snarkjs takes for proving and for exporting
 * the verification key; its one contribution is named {@link ZkeyContributions#ONE_PARTY_TEST}, and
 * no ceremony's transcript can verify it.
 *
 * <p>Memory: three scalars a variable and a few megabytes, whatever the size of the key.
 */
public final class TestSetup {
  /** Points made by one call of the device: large enough that its table of multiples pays. */
  private static final int POINTS_PER_PIECE = 1 << 16;

  private static final int ENTRIES_PER_PIECE = 1 << 14;

  private final Path target;
  private final Constraints constraints;
  private final CurveId curve;
  private final Field field;
  private final FixedBase fixedBase;
  private final SetupListener listener;
  private final long totalPoints;
  private long donePoints;

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
    this.listener = listener;
    this.totalPoints = 4 * constraints.variables() + (1L << constraints.domainLog2());
  }

  /**
   * What was made.
   *
   * @param entries non-zero entries of A and B, the rows for the inputs counted
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
   * @throws InputException if the constraint system is malformed, over an unknown field, or too
   *     large for a .zkey of its curve
   */
  public static Summary write(
      Path target,
      Constraints constraints,
      Backend backend,
      ForkJoinPool pool,
      OptionalLong insecureSeed,
      SetupListener listener)
      throws InputException, DeviceException, IOException {
    CurveId curve = requireFits(constraints);
    TestSetup setup = new TestSetup(target, constraints, curve, backend, listener);
    try (ToxicWaste waste =
        ToxicWaste.make(constraints.field(), constraints.domainLog2(), insecureSeed)) {
      return setup.write(waste, pool);
    }
  }

  private static CurveId requireFits(Constraints constraints) throws InputException {
    CurveId curve =
        CurveId.byScalarModulus(constraints.field().modulus())
            .orElseThrow(
                () -> new InputException(constraints.name(), "its field is of no known curve"));
    int largest = curve.twoAdicity() - 1;
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
          "a .zkey has fewer than 2^32 variables (found " + constraints.variables() + ")");
    }
    return curve;
  }

  private Summary write(ToxicWaste waste, ForkJoinPool pool)
      throws InputException, DeviceException, IOException {
    listener.progressed("evaluating the constraints", 0, totalPoints);
    KeyExponents exponents = KeyExponents.evaluate(constraints, waste, pool);
    SinglePoints singles = SinglePoints.make(fixedBase, field, waste);
    long variables = constraints.variables();
    int inputs = constraints.publicInputs() + 1;
    ZkeyFile.Header header =
        new ZkeyFile.Header(
            curve, variables, constraints.publicInputs(), constraints.domainLog2(), 0);
    try (ZkeyWriter writer = new ZkeyWriter(target, header, singles.forHeader())) {
      writePoints(writer, ZkeySection.IC, inputs, each(exponents::input, 0));
      long entries = writeEntries(writer);
      writePoints(writer, ZkeySection.A, variables, each(exponents::a, 0));
      writePoints(writer, ZkeySection.B1, variables, each(exponents::b, 0));
      writePoints(writer, ZkeySection.B2, variables, each(exponents::b, 0));
      writePoints(
          writer, ZkeySection.L, variables - inputs, each(exponents::privateVariable, inputs));
      writePoints(writer, ZkeySection.H, 1L << constraints.domainLog2(), exponents::quotient);
      writer.commit(singles.contribution(ZkeyContributions.ONE_PARTY_TEST));
      return new Summary(
          curve,
          constraints.domainLog2(),
          constraints.constraints(),
          variables,
          constraints.publicInputs(),
          entries);
    } finally {
      exponents.clear();
      fixedBase.clear();
    }
  }

  /** Puts canonical scalars first … first + count − 1 of a query into an array. */
  private interface Scalars {
    void fill(long first, int count, long[] values);
  }

  /** One scalar by the index of its variable. */
  private interface Scalar {
    void get(long variable, long[] z);
  }

  private static Scalars each(Scalar scalar, long firstVariable) {
    long[] z = new long[4];
    return (first, count, values) -> {
      for (int i = 0; i < count; i++) {
        scalar.get(firstVariable + first + i, z);
        System.arraycopy(z, 0, values, 4 * i, 4);
      }
    };
  }

  private void writePoints(ZkeyWriter writer, ZkeySection section, long count, Scalars scalars)
      throws DeviceException, IOException {
    writer.begin(section);
    long[] values = new long[4 * (int) Math.min(POINTS_PER_PIECE, count)];
    for (long first = 0; first < count; first += POINTS_PER_PIECE) {
      int here = (int) Math.min(POINTS_PER_PIECE, count - first);
      scalars.fill(first, here, values);
      writer.append(fixedBase.multiply(section == ZkeySection.B2, values, here));
      donePoints += here;
      listener.progressed("making " + section.content(), donePoints, totalPoints);
    }
    Arrays.fill(values, 0);
    writer.end();
  }

  /** A second replay: the entries stand in the file before the points that the first one gave. */
  private long writeEntries(ZkeyWriter writer) throws InputException, IOException {
    listener.progressed("writing the matrix entries", donePoints, totalPoints);
    writer.begin(ZkeySection.ENTRIES);
    try {
      EntryPieces pieces = new EntryPieces(field, writer, ENTRIES_PER_PIECE);
      constraints.forEach(0, constraints.constraints(), pieces);
      for (int i = 0; i <= constraints.publicInputs(); i++) {
        pieces.term(Constraints.A, i, 1, 0, 0, 0);
        pieces.end(constraints.constraints() + i);
      }
      long entries = pieces.finish();
      writer.end();
      return entries;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
