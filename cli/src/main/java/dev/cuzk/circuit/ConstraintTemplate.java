package dev.cuzk.circuit;

import dev.cuzk.math.Field;
import java.util.Arrays;

/**
 * The constraints of a gadget, recorded once and replayed at many places: a circuit that repeats a
 * gadget a million times keeps it once. Terms stand in flat arrays, normalized.
 */
final class ConstraintTemplate {
  /** Where the auxiliaries of one use of the template lie in the assignment. */
  interface Placement {
    /** Assignment index of auxiliary {@code auxiliary} of the template. */
    long wire(int auxiliary);
  }

  private final int constraints;

  /** Terms of combination m (A, B, C of constraint m / 3) end before termEnd[m]. */
  private final int[] termEnds;

  private final int[] variables;
  private final long[] coefficients;

  private ConstraintTemplate(Recorder recorder) {
    this.constraints = recorder.combinations / 3;
    this.termEnds = Arrays.copyOf(recorder.termEnds, recorder.combinations);
    this.variables = Arrays.copyOf(recorder.variables, recorder.terms);
    this.coefficients = Arrays.copyOf(recorder.coefficients, 4 * recorder.terms);
  }

  int constraints() {
    return constraints;
  }

  /**
   * Replays constraints {@code from} … {@code to} − 1 of the template.
   *
   * @param firstConstraint index, in the whole system, of the template's constraint 0
   */
  void replay(int from, int to, long firstConstraint, Placement placement, Constraints.Sink sink) {
    int term = from == 0 ? 0 : termEnds[3 * from - 1];
    for (int constraint = from; constraint < to; constraint++) {
      for (int matrix = 0; matrix < 3; matrix++) {
        int end = termEnds[3 * constraint + matrix];
        for (; term < end; term++) {
          int code = variables[term];
          long wire = code >= 0 ? code : placement.wire(code & ~ConstraintSystem.AUXILIARY);
          int at = 4 * term;
          sink.term(
              matrix,
              wire,
              coefficients[at],
              coefficients[at + 1],
              coefficients[at + 2],
              coefficients[at + 3]);
        }
      }
      sink.end(firstConstraint + constraint);
    }
  }

  /** Records what a gadget allocates and enforces. ONE is the only input it may use. */
  static final class Recorder implements ConstraintSystem {
    private final Field field;
    private int auxiliaries;
    private int combinations;
    private int terms;
    private int[] termEnds = new int[64];
    private int[] variables = new int[256];
    private long[] coefficients = new long[1024];

    Recorder(Field field) {
      this.field = field;
    }

    ConstraintTemplate template() {
      return new ConstraintTemplate(this);
    }

    @Override
    public Field field() {
      return field;
    }

    @Override
    public int allocateInput() {
      throw new UnsupportedOperationException("a repeated gadget has no public inputs of its own");
    }

    @Override
    public int allocate() {
      return AUXILIARY | auxiliaries++;
    }

    @Override
    public void enforce(LinearCombination a, LinearCombination b, LinearCombination c) {
      record(a);
      record(b);
      record(c);
    }

    private void record(LinearCombination combination) {
      combination.normalize();
      int needed = terms + combination.size();
      if (needed > variables.length) {
        int capacity = Math.max(needed, 2 * variables.length);
        variables = Arrays.copyOf(variables, capacity);
        coefficients = Arrays.copyOf(coefficients, 4 * capacity);
      }
      for (int i = 0; i < combination.size(); i++, terms++) {
        variables[terms] = combination.variable(i);
        for (int word = 0; word < 4; word++) {
          coefficients[4 * terms + word] = combination.coefficient(i, word);
        }
      }
      if (combinations == termEnds.length) {
        termEnds = Arrays.copyOf(termEnds, 2 * combinations);
      }
      termEnds[combinations++] = terms;
    }
  }
}
