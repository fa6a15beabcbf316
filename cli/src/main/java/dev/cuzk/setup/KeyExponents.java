package dev.cuzk.setup;

import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.ParallelRanges;
import dev.cuzk.circuit.UnitCoefficients;
import dev.cuzk.format.InputException;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.math.Field;
import dev.cuzk.math.RootsOfUnity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;

/**
 * The discrete logarithms of a proving key's points: u_i(tau), v_i(tau) and (beta u_i + alpha v_i +
 * w_i)(tau), where u_i, v_i, w_i interpolate column i of A, B, C over the domain (Groth 2016,
 * section 3.2), and the quotient's basis over delta: in a snarkjs key L_{2j+1}(tau) of the domain
 * twice the size, in a bellman key tau^j (tau^n − 1). Everything is canonical: what a fixed-base
 * multiplication wants.
 *
 * <p>As in snarkjs, rows {@code constraints + i} say {@code input_i · 0 = 0} for ONE and each
 * public input; they make the u_i of the inputs independent.
 */
final class KeyExponents {
  /** Rows between two barriers: their Lagrange values are kept, 2 MiB in each of the two forms. */
  private static final int ROWS_PER_CHUNK = 1 << 16;

  private static final int ROWS_PER_TASK = 1 << 10;

  private final Field field;
  private final ToxicWaste waste;
  private final long[] inverseDelta;
  private final RootsOfUnity roots;
  private final QuotientBasis quotientBasis;
  private final ScalarTable[] columns = new ScalarTable[3];

  /** Values first … first + count − 1 of the quotient's basis over delta, in Montgomery form. */
  interface QuotientBasis {
    void evaluate(long first, int count, long[] values);
  }

  private KeyExponents(Constraints constraints, ToxicWaste waste, QuotientForm form) {
    this.field = constraints.field();
    this.waste = waste;
    this.inverseDelta = new long[field.size()];
    field.inverse(inverseDelta, 0, waste.delta, 0);
    boolean monomial = form == QuotientForm.MONOMIAL;
    this.roots = monomial ? RootsOfUnity.bellman(field) : new RootsOfUnity(field);
    this.quotientBasis =
        monomial
            ? monomials(constraints.domainLog2())
            : new LagrangeBasis(
                field, roots, constraints.domainLog2() + 1, 1, 2, waste.tau, inverseDelta);
    for (int matrix = 0; matrix < 3; matrix++) {
      columns[matrix] = new ScalarTable(constraints.variables());
    }
  }

  /** tau^j (tau^n − 1)/delta. */
  private QuotientBasis monomials(int domainLog2) {
    long[] vanishing = waste.tau.clone();
    for (int i = 0; i < domainLog2; i++) {
      field.square(vanishing, 0, vanishing, 0);
    }
    long[] one = new long[field.size()];
    field.setOne(one, 0);
    field.subtract(vanishing, 0, vanishing, 0, one, 0);
    field.multiply(vanishing, 0, vanishing, 0, inverseDelta, 0);
    return (first, count, values) -> {
      long[] power = new long[field.size()];
      field.power(power, 0, waste.tau, 0, first);
      field.multiply(power, 0, power, 0, vanishing, 0);
      for (int at = 0; at < 4 * count; at += 4) {
        field.copy(values, at, power, 0);
        field.multiply(power, 0, power, 0, waste.tau, 0);
      }
    };
  }

  /**
   * Evaluates all columns by one replay of the constraints.
   *
   * @param pool each matrix keeps one thread busy, so more than three are of little use
   */
  static KeyExponents evaluate(
      Constraints constraints, ToxicWaste waste, QuotientForm form, ForkJoinPool pool)
      throws InputException {
    KeyExponents exponents = new KeyExponents(constraints, waste, form);
    exponents.addAllRows(constraints, pool);
    return exponents;
  }

  private void addAllRows(Constraints constraints, ForkJoinPool pool) throws InputException {
    long[] one = new long[field.size()];
    field.setOne(one, 0);
    LagrangeBasis basis =
        new LagrangeBasis(field, roots, constraints.domainLog2(), 0, 1, waste.tau, one);
    Chunk chunk = new Chunk();
    long rows = constraints.constraints() + constraints.publicInputs() + 1;
    for (long first = 0; first < rows; first += ROWS_PER_CHUNK) {
      int count = (int) Math.min(ROWS_PER_CHUNK, rows - first);
      fill(chunk, basis, first, count, pool);
      long inFile = Math.max(0, Math.min(count, constraints.constraints() - first));
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int matrix = 0; inFile > 0 && matrix < 3; matrix++) {
        Accumulator accumulator = new Accumulator(matrix, chunk);
        long start = first;
        tasks.add(
            () -> {
              constraints.forEach(start, inFile, accumulator);
              return null;
            });
      }
      ParallelRanges.await(pool, tasks);
      addInputRows(chunk, constraints.constraints(), count);
    }
    basis.clear();
    chunk.clear();
  }

  /** Lagrange values of a run of rows, in both forms. */
  private static final class Chunk {
    private long first;
    private final long[] montgomery = new long[4 * ROWS_PER_CHUNK];
    private final long[] canonical = new long[4 * ROWS_PER_CHUNK];

    private void clear() {
      Arrays.fill(montgomery, 0);
      Arrays.fill(canonical, 0);
    }
  }

  private void fill(Chunk chunk, LagrangeBasis basis, long first, int count, ForkJoinPool pool)
      throws InputException {
    chunk.first = first;
    ParallelRanges.run(
        pool,
        count,
        ROWS_PER_TASK,
        (from, rows) -> {
          long[] values = new long[4 * (int) rows];
          basis.evaluate(first + from, (int) rows, values);
          System.arraycopy(values, 0, chunk.montgomery, 4 * (int) from, values.length);
          for (int at = 0; at < values.length; at += 4) {
            field.fromMontgomery(chunk.canonical, 4 * (int) from + at, values, at);
          }
        });
  }

  private void addInputRows(Chunk chunk, long constraints, int count) {
    for (long row = Math.max(chunk.first, constraints); row < chunk.first + count; row++) {
      long variable = row - constraints;
      long[] target = columns[Constraints.A].array(variable);
      int at = columns[Constraints.A].offset(variable);
      field.add(target, at, target, at, chunk.canonical, 4 * (int) (row - chunk.first));
    }
  }

  /**
   * Adds coefficient · L_row(tau) to a column for each term of one matrix. A canonical coefficient
   * times a Montgomery value is a canonical product.
   */
  private final class Accumulator implements Constraints.Sink {
    private final int matrix;
    private final Chunk chunk;
    private final UnitCoefficients units = new UnitCoefficients(field);
    private final long[] product = new long[4];
    private int row;

    Accumulator(int matrix, Chunk chunk) {
      this.matrix = matrix;
      this.chunk = chunk;
    }

    @Override
    public void term(int ofMatrix, long variable, long c0, long c1, long c2, long c3) {
      if (ofMatrix != matrix) {
        return;
      }
      long[] target = columns[matrix].array(variable);
      int at = columns[matrix].offset(variable);
      if (UnitCoefficients.isOne(c0, c1, c2, c3)) {
        field.add(target, at, target, at, chunk.canonical, 4 * row);
      } else if (units.isMinusOne(c0, c1, c2, c3)) {
        field.subtract(target, at, target, at, chunk.canonical, 4 * row);
      } else {
        product[0] = c0;
        product[1] = c1;
        product[2] = c2;
        product[3] = c3;
        field.multiply(product, 0, product, 0, chunk.montgomery, 4 * row);
        field.add(target, at, target, at, product, 0);
      }
    }

    @Override
    public void end(long constraint) {
      row++;
    }
  }

  /** z = u_i(tau), canonical. */
  void a(long variable, long[] z) {
    field.copy(
        z, 0, columns[Constraints.A].array(variable), columns[Constraints.A].offset(variable));
  }

  /**
   * Whether a variable occurs in a matrix; tau is random, so only a column of zeros vanishes at it.
   */
  boolean occurs(int matrix, long variable) {
    return !field.isZero(columns[matrix].array(variable), columns[matrix].offset(variable));
  }

  /** z = v_i(tau), canonical. */
  void b(long variable, long[] z) {
    field.copy(
        z, 0, columns[Constraints.B].array(variable), columns[Constraints.B].offset(variable));
  }

  /** z = (beta u_i + alpha v_i + w_i)(tau), canonical: over gamma = 1, so that of an input. */
  void input(long variable, long[] z) {
    long[] product = new long[4];
    a(variable, z);
    field.multiply(z, 0, z, 0, waste.beta, 0);
    b(variable, product);
    field.multiply(product, 0, product, 0, waste.alpha, 0);
    field.add(z, 0, z, 0, product, 0);
    ScalarTable c = columns[Constraints.C];
    field.add(z, 0, z, 0, c.array(variable), c.offset(variable));
  }

  /** z = (beta u_i + alpha v_i + w_i)(tau)/delta, canonical: that of a private variable. */
  void privateVariable(long variable, long[] z) {
    input(variable, z);
    field.multiply(z, 0, z, 0, inverseDelta, 0);
  }

  /**
   * Values j = first … first + count − 1 of the quotient's basis over delta, canonical.
   *
   * @param values room for {@code count} elements from offset 0
   */
  void quotient(long first, int count, long[] values) {
    quotientBasis.evaluate(first, count, values);
    for (int at = 0; at < 4 * count; at += 4) {
      field.fromMontgomery(values, at, values, at);
    }
  }

  /** Overwrites what would tell the secrets. */
  void clear() {
    for (ScalarTable column : columns) {
      column.clear();
    }
    if (quotientBasis instanceof LagrangeBasis basis) {
      basis.clear();
    }
    Arrays.fill(inverseDelta, 0);
  }
}
