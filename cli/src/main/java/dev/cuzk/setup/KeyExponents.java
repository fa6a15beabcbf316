package dev.cuzk.setup;

import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.ParallelRanges;
import dev.cuzk.circuit.UnitCoefficients;
import dev.cuzk.format.InputException;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.math.Field;
import dev.cuzk.math.RootsOfUnity;
import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicIntegerArray;

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
  /** Rows whose Lagrange values a thread holds: 128 KiB in each of two forms. */
  private static final int ROWS_PER_CHUNK = 1 << 12;

  private static final int LOCKS = 1 << 16;
  private static final int LOG2_VARIABLES_PER_LOCK = 2;
  private static final int VARIABLES_PER_TASK = 1 << 16;

  private final Field field;
  private final ToxicWaste waste;
  private final long[] inverseDelta;
  private final RootsOfUnity roots;
  private final QuotientBasis quotientBasis;
  private final ScalarTable[] columns = new ScalarTable[3];

  /** Per matrix, 1 = taken: each guards a few variables in each run of variables. */
  private final AtomicIntegerArray[] locks = new AtomicIntegerArray[3];

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
      locks[matrix] = new AtomicIntegerArray(LOCKS);
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

  /** Evaluates all columns by one replay of the constraints, on all threads of the pool. */
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
    long rows = constraints.constraints() + constraints.publicInputs() + 1;
    ParallelRanges.run(
        pool,
        rows,
        ROWS_PER_CHUNK,
        (first, count) -> {
          Accumulator accumulator = new Accumulator();
          for (long row = first; row < first + count; row += ROWS_PER_CHUNK) {
            accumulator.begin(basis, (int) Math.min(ROWS_PER_CHUNK, first + count - row), row);
            accumulator.addRows(constraints);
          }
          accumulator.finish();
        });
    basis.clear();
  }

  /** Adds to an entry of a table that other threads add to as well. */
  private void add(int matrix, long variable, long[] addend, int at, boolean negated) {
    int lock = (int) (variable >>> LOG2_VARIABLES_PER_LOCK) & LOCKS - 1;
    AtomicIntegerArray locksOf = locks[matrix];
    while (!locksOf.compareAndSet(lock, 0, 1)) {
      Thread.onSpinWait();
    }
    long[] target = columns[matrix].array(variable);
    int offset = columns[matrix].offset(variable);
    if (negated) {
      field.subtract(target, offset, target, offset, addend, at);
    } else {
      field.add(target, offset, target, offset, addend, at);
    }
    locksOf.setRelease(lock, 0);
  }

  /**
   * Adds coefficient · L_row(tau) to a column for each term. A canonical coefficient times a
   * Montgomery value is a canonical product. ONE, which nearly every gadget has, is summed apart,
   * or all threads would wait for its lock.
   */
  private final class Accumulator implements Constraints.Sink {
    private final long[] montgomery = new long[4 * ROWS_PER_CHUNK];
    private final long[] canonical = new long[4 * ROWS_PER_CHUNK];
    private final long[] ofOne = new long[4 * 3];
    private final UnitCoefficients units = new UnitCoefficients(field);
    private final long[] product = new long[4];
    private long first;
    private int rows;
    private int at;

    /** Lagrange values of a run of rows, in both forms. */
    void begin(LagrangeBasis basis, int count, long firstRow) {
      first = firstRow;
      rows = count;
      basis.evaluate(first, rows, montgomery);
      for (int i = 0; i < 4 * rows; i += 4) {
        field.fromMontgomery(canonical, i, montgomery, i);
      }
    }

    void addRows(Constraints constraints) throws InputException {
      at = 0;
      long inSystem = Math.max(0, Math.min(rows, constraints.constraints() - first));
      if (inSystem > 0) {
        constraints.forEach(first, inSystem, this);
      }
      for (long row = first + inSystem; row < first + rows; row++) {
        addCanonical(Constraints.A, row - constraints.constraints(), canonical, at, false);
        at += 4;
      }
    }

    @Override
    public void term(int matrix, long variable, long c0, long c1, long c2, long c3) {
      if (UnitCoefficients.isOne(c0, c1, c2, c3)) {
        addCanonical(matrix, variable, canonical, at, false);
      } else if (units.isMinusOne(c0, c1, c2, c3)) {
        addCanonical(matrix, variable, canonical, at, true);
      } else {
        product[0] = c0;
        product[1] = c1;
        product[2] = c2;
        product[3] = c3;
        field.multiply(product, 0, product, 0, montgomery, at);
        addCanonical(matrix, variable, product, 0, false);
      }
    }

    private void addCanonical(
        int matrix, long variable, long[] addend, int offset, boolean negated) {
      if (variable != 0) {
        add(matrix, variable, addend, offset, negated);
      } else if (negated) {
        field.subtract(ofOne, 4 * matrix, ofOne, 4 * matrix, addend, offset);
      } else {
        field.add(ofOne, 4 * matrix, ofOne, 4 * matrix, addend, offset);
      }
    }

    @Override
    public void end(long constraint) {
      at += 4;
    }

    /** Hands in what was summed apart, and forgets values that would tell tau. */
    void finish() {
      for (int matrix = 0; matrix < 3; matrix++) {
        add(matrix, 0, ofOne, 4 * matrix, false);
      }
      Arrays.fill(montgomery, 0);
      Arrays.fill(canonical, 0);
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

  /** The variables that occur in a matrix, ascending. */
  int[] occurring(int matrix, ForkJoinPool pool) throws InputException {
    long variables = columns[matrix].size();
    int[] before = new int[(int) ((variables + VARIABLES_PER_TASK - 1) / VARIABLES_PER_TASK) + 1];
    forBlocks(
        pool,
        variables,
        (block, first, end) -> {
          int count = 0;
          for (long variable = first; variable < end; variable++) {
            count += occurs(matrix, variable) ? 1 : 0;
          }
          before[block + 1] = count;
        });
    Arrays.parallelPrefix(before, Integer::sum);
    int[] occurring = new int[before[before.length - 1]];
    forBlocks(
        pool,
        variables,
        (block, first, end) -> {
          int next = before[block];
          for (long variable = first; variable < end; variable++) {
            if (occurs(matrix, variable)) {
              occurring[next++] = (int) variable;
            }
          }
        });
    return occurring;
  }

  /** A block of variables, first … end − 1. */
  private interface Block {
    void run(int index, long first, long end);
  }

  private static void forBlocks(ForkJoinPool pool, long variables, Block body)
      throws InputException {
    ParallelRanges.run(
        pool,
        (variables + VARIABLES_PER_TASK - 1) / VARIABLES_PER_TASK,
        1,
        (firstBlock, blocks) -> {
          for (long block = firstBlock; block < firstBlock + blocks; block++) {
            long first = block * VARIABLES_PER_TASK;
            body.run((int) block, first, Math.min(variables, first + VARIABLES_PER_TASK));
          }
        });
  }

  /** z = (beta u_i + alpha v_i + w_i)(tau), canonical: over gamma = 1, so that of an input. */
  void input(long variable, long[] z) {
    input(variable, z, new long[4]);
  }

  private void input(long variable, long[] z, long[] product) {
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
    privateVariable(variable, z, new long[4]);
  }

  /**
   * As {@link #privateVariable(long, long[])}.
   *
   * @param product four words to work in
   */
  void privateVariable(long variable, long[] z, long[] product) {
    input(variable, z, product);
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
