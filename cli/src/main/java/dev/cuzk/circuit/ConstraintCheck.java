package dev.cuzk.circuit;

import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import dev.cuzk.memory.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares (a_i · w)(b_i · w) with c_i · w for every constraint, on all threads of a pool, and
 * names the first one that fails. Values of the assignment never leave it.
 */
public final class ConstraintCheck {
  private static final int CONSTRAINTS_PER_PIECE = 4096;

  private ConstraintCheck() {}

  /**
   * A constraint that an assignment breaks, with the variables that occur in it.
   *
   * @param constraint its index; −1: the assignment's first value is not 1
   */
  public record Failure(long constraint, List<Long> a, List<Long> b, List<Long> c) {
    /** One line without a value: {@code constraint 17 of 100 fails: (wires …) · (…) ≠ (…)}. */
    public String describe() {
      if (constraint < 0) {
        return "value 0 of the witness is not 1";
      }
      return "constraint "
          + constraint
          + " is not satisfied: a over "
          + wires(a)
          + ", b over "
          + wires(b)
          + ", c over "
          + wires(c);
    }

    private static String wires(List<Long> wires) {
      if (wires.isEmpty()) {
        return "nothing";
      }
      int shown = Math.min(wires.size(), 8);
      StringBuilder text = new StringBuilder(wires.size() == 1 ? "wire" : "wires");
      for (int i = 0; i < shown; i++) {
        text.append(i == 0 ? " " : ", ").append(wires.get(i));
      }
      if (shown < wires.size()) {
        text.append(" and ").append(wires.size() - shown).append(" more");
      }
      return text.toString();
    }
  }

  /**
   * The first constraint that the assignment breaks, or empty if it satisfies them all.
   *
   * @param witness canonical little-endian scalars, ONE first
   * @throws IllegalArgumentException if the assignment has another number of values than the system
   */
  public static Optional<Failure> firstFailure(
      Constraints constraints, Buffer witness, ForkJoinPool pool) throws InputException {
    if (witness.byteSize() != constraints.variables() * CurveId.SCALAR_BYTES) {
      throw new IllegalArgumentException(
          "expected "
              + constraints.variables()
              + " values, found "
              + witness.byteSize() / CurveId.SCALAR_BYTES);
    }
    Values values = new Values(witness);
    long[] first = new long[4];
    values.load(0, first);
    if (first[0] != 1 || (first[1] | first[2] | first[3]) != 0) {
      return Optional.of(new Failure(-1, List.of(), List.of(), List.of()));
    }
    AtomicLong lowest = new AtomicLong(Long.MAX_VALUE);
    ParallelRanges.run(
        pool,
        constraints.constraints(),
        CONSTRAINTS_PER_PIECE,
        (from, count) -> {
          Evaluation evaluation = new Evaluation(constraints.field(), values);
          long end = from + count;
          for (long at = from; at < end && at < lowest.get(); at += CONSTRAINTS_PER_PIECE) {
            constraints.forEach(at, Math.min(CONSTRAINTS_PER_PIECE, end - at), evaluation);
            if (evaluation.firstFailure >= 0) {
              lowest.accumulateAndGet(evaluation.firstFailure, Math::min);
              return;
            }
          }
        });
    if (lowest.get() == Long.MAX_VALUE) {
      return Optional.empty();
    }
    return Optional.of(describe(constraints, lowest.get()));
  }

  private static Failure describe(Constraints constraints, long index) throws InputException {
    List<List<Long>> wires = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    constraints.forEach(
        index,
        1,
        new Constraints.Sink() {
          @Override
          public void term(int matrix, long variable, long c0, long c1, long c2, long c3) {
            wires.get(matrix).add(variable);
          }

          @Override
          public void end(long constraint) {
            // Only one was asked for.
          }
        });
    return new Failure(index, wires.get(0), wires.get(1), wires.get(2));
  }

  /** An assignment by index; a buffer gives views of less than 2 GiB only. */
  private static final class Values {
    private static final int LOG2_PER_VIEW = 25;
    private static final long BYTES_PER_VIEW = 32L << LOG2_PER_VIEW;

    private final ByteBuffer[] views;

    Values(Buffer witness) {
      int count = (int) ((witness.byteSize() + BYTES_PER_VIEW - 1) / BYTES_PER_VIEW);
      views = new ByteBuffer[count];
      for (int i = 0; i < count; i++) {
        long offset = i * BYTES_PER_VIEW;
        views[i] =
            witness.view(offset, (int) Math.min(BYTES_PER_VIEW, witness.byteSize() - offset));
      }
    }

    void load(long index, long[] target) {
      ByteBuffer view = views[(int) (index >> LOG2_PER_VIEW)];
      int at = (int) (index & ((1 << LOG2_PER_VIEW) - 1)) << 5;
      target[0] = view.getLong(at);
      target[1] = view.getLong(at + 8);
      target[2] = view.getLong(at + 16);
      target[3] = view.getLong(at + 24);
    }
  }

  /**
   * Evaluates constraints. Values and coefficients stay canonical: a Montgomery product of the two
   * is their product over R, so each combination is kept as plain + R · scaled, where terms with
   * coefficient 1 or −1, nearly all of them, need no product.
   */
  private static final class Evaluation implements Constraints.Sink {
    private final Field field;
    private final Values values;
    private final UnitCoefficients units;
    private final long[] plain = new long[12];
    private final long[] scaled = new long[12];
    private final boolean[] hasScaled = new boolean[3];
    private final long[] value = new long[4];
    private final long[] coefficient = new long[4];
    private long firstFailure = -1;

    Evaluation(Field field, Values values) {
      this.field = field;
      this.values = values;
      this.units = new UnitCoefficients(field);
    }

    @Override
    public void term(int matrix, long variable, long c0, long c1, long c2, long c3) {
      values.load(variable, value);
      if ((value[0] | value[1] | value[2] | value[3]) == 0) {
        return;
      }
      int at = 4 * matrix;
      if (UnitCoefficients.isOne(c0, c1, c2, c3)) {
        field.add(plain, at, plain, at, value, 0);
      } else if (units.isMinusOne(c0, c1, c2, c3)) {
        field.subtract(plain, at, plain, at, value, 0);
      } else {
        coefficient[0] = c0;
        coefficient[1] = c1;
        coefficient[2] = c2;
        coefficient[3] = c3;
        field.multiply(value, 0, value, 0, coefficient, 0);
        field.add(scaled, at, scaled, at, value, 0);
        hasScaled[matrix] = true;
      }
    }

    @Override
    public void end(long constraint) {
      for (int matrix = 0; matrix < 3; matrix++) {
        if (hasScaled[matrix]) {
          int at = 4 * matrix;
          field.toMontgomery(scaled, at, scaled, at);
          field.add(plain, at, plain, at, scaled, at);
          field.setZero(scaled, at);
          hasScaled[matrix] = false;
        }
      }
      boolean zero = field.isZero(plain, 0) || field.isZero(plain, 4);
      boolean satisfied;
      if (zero) {
        satisfied = field.isZero(plain, 8);
      } else {
        // Both sides are over R.
        field.multiply(plain, 0, plain, 0, plain, 4);
        field.fromMontgomery(plain, 8, plain, 8);
        satisfied = field.isEqual(plain, 0, plain, 8);
      }
      if (!satisfied && firstFailure < 0) {
        firstFailure = constraint;
      }
      field.setZero(plain, 0);
      field.setZero(plain, 4);
      field.setZero(plain, 8);
    }
  }
}
