package dev.cuzk.setup;

import dev.cuzk.circuit.CompactMatricesFile;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.MatrixEntries;
import dev.cuzk.circuit.ParallelRanges;
import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.format.InputException;
import dev.cuzk.key.PointEncoding;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.Query;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import dev.cuzk.proof.VerifyingKey;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ForkJoinPool;

/**
 * A key that {@link TestSetup} would write, a .zkey or a .params, without a file: a device is told
 * the logarithms of its points and multiplies them itself, so that a benchmark of 2^27 rows waits
 * for no disk.
 *
 * <p>Loaded by one thread at a time.
 */
public final class TestKey implements ProvingKey {
  private static final int SCALARS_PER_TASK = 1 << 10;

  private final Constraints constraints;
  private final CurveId curve;
  private final QuotientForm form;
  private final Field field;
  private final ForkJoinPool pool;
  private final ToxicWaste waste;
  private final KeyExponents exponents;
  private final SinglePoints singles;
  private final VerifyingKey verifyingKey;
  private final long entryCount;
  private final MatrixEntries entries;

  /** The variables that have a point in A, and in B1 and B2; null where all have. */
  private final int[] inA;

  private final int[] inB;

  private TestKey(
      Constraints constraints,
      CurveId curve,
      QuotientForm form,
      Backend backend,
      ForkJoinPool pool,
      ToxicWaste waste)
      throws InputException, DeviceException {
    this.constraints = constraints;
    this.curve = curve;
    this.form = form;
    this.field = constraints.field();
    this.pool = pool;
    this.waste = waste;
    this.exponents = KeyExponents.evaluate(constraints, waste, form, pool);
    boolean all = form == QuotientForm.ODD_COSET;
    this.inA = all ? null : exponents.occurring(Constraints.A, pool);
    this.inB = all ? null : exponents.occurring(Constraints.B, pool);
    int inputs = constraints.publicInputs() + 1;
    FixedBase fixedBase = new FixedBase(backend, curve, Math.max(inputs, 4));
    this.singles = SinglePoints.make(fixedBase, field, waste);
    this.verifyingKey = verifyingKey(fixedBase, inputs);
    this.entryCount = MatrixEntries.count(constraints);
    this.entries = new MatrixEntries(constraints);
  }

  /**
   * Makes a key.
   *
   * @param form of the quotient: as in a .zkey, where every variable has a point in each query, or
   *     as in a .params, where those that a matrix does not have are left out
   * @param backend multiplies the few points of the verifying key
   * @param pool for the passes over the constraints
   * @param insecureSeed makes the same key again; without it the operating system's randomness is
   *     used
   * @throws InputException if the constraints are malformed or too many
   */
  public static TestKey make(
      Constraints constraints,
      QuotientForm form,
      Backend backend,
      ForkJoinPool pool,
      OptionalLong insecureSeed)
      throws InputException, DeviceException {
    CurveId curve =
        TestSetup.requireFits(
            constraints,
            form == QuotientForm.ODD_COSET ? TestSetup.Form.ZKEY : TestSetup.Form.PARAMS);
    ToxicWaste waste = ToxicWaste.make(constraints.field(), constraints.domainLog2(), insecureSeed);
    boolean complete = false;
    try {
      TestKey key = new TestKey(constraints, curve, form, backend, pool, waste);
      complete = true;
      return key;
    } finally {
      if (!complete) {
        waste.close();
      }
    }
  }

  private VerifyingKey verifyingKey(FixedBase fixedBase, int inputs) throws DeviceException {
    long[] values = new long[4 * inputs];
    long[] z = new long[4];
    for (int i = 0; i < inputs; i++) {
      exponents.input(i, z);
      System.arraycopy(z, 0, values, 4 * i, 4);
    }
    ByteBuffer points = fixedBase.multiply(false, values, inputs);
    List<List<BigInteger>> ic = new ArrayList<>();
    byte[] point = new byte[curve.pointBytes(false)];
    for (int i = 0; i < inputs; i++) {
      points.get(point);
      ic.add(canonical(point));
    }
    fixedBase.clear();
    return new VerifyingKey(
        curve,
        canonical(singles.alpha1()),
        canonical(singles.beta2()),
        canonical(singles.gamma2()),
        canonical(singles.delta2()),
        ic);
  }

  private List<BigInteger> canonical(byte[] montgomery) {
    Field base = Field.base(curve);
    long[] coordinate = new long[base.size()];
    List<BigInteger> coordinates = new ArrayList<>();
    for (int at = 0; at < montgomery.length; at += base.bytes()) {
      base.load(coordinate, 0, montgomery, at);
      coordinates.add(base.get(coordinate, 0));
    }
    return coordinates;
  }

  /** What the circuit is called: there is no file. */
  @Override
  public Path path() {
    return Path.of(constraints.name());
  }

  @Override
  public CurveId curve() {
    return curve;
  }

  @Override
  public QuotientForm quotient() {
    return form;
  }

  @Override
  public PointEncoding pointEncoding() {
    return PointEncoding.MONTGOMERY_LITTLE_ENDIAN;
  }

  @Override
  public int domainLog2() {
    return constraints.domainLog2();
  }

  @Override
  public long variables() {
    return constraints.variables();
  }

  @Override
  public int publicInputs() {
    return constraints.publicInputs();
  }

  @Override
  public long entryCount() {
    return entryCount;
  }

  @Override
  public long count(Query query) {
    return switch (query) {
      case A -> inA == null ? variables() : inA.length;
      case B1, B2 -> inB == null ? variables() : inB.length;
      case L -> variables() - publicInputs() - 1;
      case H -> (1L << domainLog2()) - (form == QuotientForm.MONOMIAL ? 1 : 0);
    };
  }

  @Override
  public byte[] singlePoints() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(singles.alpha1());
    all.writeBytes(singles.beta1());
    all.writeBytes(singles.delta1());
    all.writeBytes(singles.beta2());
    all.writeBytes(singles.delta2());
    return all.toByteArray();
  }

  @Override
  public boolean knowsLogarithms() {
    return true;
  }

  @Override
  public void readLogarithms(Query query, long first, int count, ByteBuffer target)
      throws InputException {
    ParallelRanges.run(
        pool,
        count,
        SCALARS_PER_TASK,
        (from, here) -> {
          long[] values = new long[4 * (int) here];
          fill(query, first + from, (int) here, values);
          target
              .slice(32 * (int) from, 32 * (int) here)
              .order(target.order())
              .asLongBuffer()
              .put(values);
        });
  }

  private void fill(Query query, long first, int count, long[] values) {
    if (query == Query.H) {
      exponents.quotient(first, count, values);
      return;
    }
    long[] z = new long[4];
    long[] product = new long[4];
    for (int i = 0; i < count; i++) {
      switch (query) {
        case A -> exponents.a(variable(inA, first + i), z);
        case B1, B2 -> exponents.b(variable(inB, first + i), z);
        default -> exponents.privateVariable(publicInputs() + 1 + first + i, z, product);
      }
      System.arraycopy(z, 0, values, 4 * i, 4);
    }
  }

  private static long variable(int[] occurring, long index) {
    return occurring == null ? index : occurring[(int) index];
  }

  /** Never asked for: a device that loads the key asks for logarithms. */
  @Override
  public void readPoints(Query query, long first, int count, ByteBuffer target) {
    throw new UnsupportedOperationException("a test key has no points until a device made them");
  }

  /** Reading begins at 0 and leaves nothing out, or begins again. */
  @Override
  public synchronized void readEntries(long first, int count, ByteBuffer target)
      throws InputException {
    if (first == 0) {
      entries.rewind();
    }
    if (entries.position() != first || first + count > entryCount) {
      throw new IndexOutOfBoundsException("the entries of a test key are read in order");
    }
    entries.read(target);
  }

  @Override
  public Optional<ByteBuffer> compactMatrices() {
    return constraints.compact().map(CompactMatricesFile::encodeContent);
  }

  @Override
  public String place(Query query, long index) {
    return "query " + query + ", point " + index;
  }

  @Override
  public String entryPlace(long index) {
    return "entry " + index;
  }

  @Override
  public VerifyingKey verifyingKey() {
    return verifyingKey;
  }

  /** Never asked for: there is no file. */
  @Override
  public String sha256() {
    throw new UnsupportedOperationException("a test key is no file");
  }

  @Override
  public void close() {
    exponents.clear();
    waste.close();
  }
}
