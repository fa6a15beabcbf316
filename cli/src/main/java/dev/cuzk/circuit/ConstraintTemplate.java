package dev.cuzk.circuit;

import dev.cuzk.math.Field;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;

/**
 * The constraints of a gadget, recorded once and replayed at many places: a circuit that repeats a
 * gadget a million times keeps it once. Terms stand in flat arrays, normalized; their variables are
 * codes of a {@link ConstraintSystem}, in which inputs and auxiliaries count from the template's
 * own zero (input 0 is ONE everywhere) and arguments stand for what is outside.
 */
final class ConstraintTemplate {
  /** Where the variables of one use of the template lie in the assignment. */
  interface Placement {
    /** Assignment index of a variable of the template, ONE aside. */
    long wire(int code);
  }

  private final int constraints;
  private final CoefficientTable table;

  /** Terms of combination m (A, B, C of constraint m / 3) end before termEnd[m]. */
  final int[] termEnds;

  final int[] variables;
  final char[] coefficients;

  private ConstraintTemplate(Recorder recorder) {
    this(
        recorder.table,
        Arrays.copyOf(recorder.termEnds, recorder.combinations),
        Arrays.copyOf(recorder.variables, recorder.terms),
        Arrays.copyOf(recorder.coefficients, recorder.terms));
  }

  ConstraintTemplate(CoefficientTable table, int[] termEnds, int[] variables, char[] coefficients) {
    this.constraints = termEnds.length / 3;
    this.table = table;
    this.termEnds = termEnds;
    this.variables = variables;
    this.coefficients = coefficients;
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
    long[] words = table.words();
    int term = from == 0 ? 0 : termEnds[3 * from - 1];
    for (int constraint = from; constraint < to; constraint++) {
      for (int matrix = 0; matrix < 3; matrix++) {
        int end = termEnds[3 * constraint + matrix];
        for (; term < end; term++) {
          int code = variables[term];
          long wire = code == ConstraintSystem.ONE ? 0 : placement.wire(code);
          int at = 4 * coefficients[term];
          sink.term(matrix, wire, words[at], words[at + 1], words[at + 2], words[at + 3]);
        }
      }
      sink.end(firstConstraint + constraint);
    }
  }

  /** How many terms a matrix has. */
  int terms(int matrix) {
    int count = 0;
    for (int combination = matrix; combination < termEnds.length; combination += 3) {
      count += termEnds[combination] - (combination == 0 ? 0 : termEnds[combination - 1]);
    }
    return count;
  }

  /** The same constraints over other codes. */
  ConstraintTemplate mapped(IntUnaryOperator code) {
    int[] codes = Arrays.stream(variables).map(code).toArray();
    return new ConstraintTemplate(table, termEnds, codes, coefficients);
  }

  /** Whether the constraints are the same, over the same table of coefficients. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ConstraintTemplate template
        && table == template.table
        && Arrays.equals(termEnds, template.termEnds)
        && Arrays.equals(variables, template.variables)
        && Arrays.equals(coefficients, template.coefficients);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(variables) + Arrays.hashCode(coefficients);
  }

  /**
   * Finds the variables of a matrix.
   *
   * @param auxiliaries is given the numbers of auxiliaries
   * @return the codes of all others, ONE among them if it occurs
   */
  int[] collect(int matrix, VariableSet auxiliaries) {
    Set<Integer> others = new TreeSet<>();
    for (int combination = matrix; combination < termEnds.length; combination += 3) {
      int term = combination == 0 ? 0 : termEnds[combination - 1];
      for (; term < termEnds[combination]; term++) {
        int code = variables[term];
        if (code < 0) {
          auxiliaries.add(code & ~ConstraintSystem.AUXILIARY);
        } else {
          others.add(code);
        }
      }
    }
    return others.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Records what a gadget allocates and enforces. */
  static final class Recorder implements ConstraintSystem {
    private final Field field;
    private final CoefficientTable table;
    private int inputs;
    private int auxiliaries;
    private int combinations;
    private int terms;
    private int[] termEnds = new int[64];
    private int[] variables = new int[256];
    private char[] coefficients = new char[256];
    private final Namespaces namespaces = new Namespaces(Integer.MAX_VALUE);

    /** With a table of its own. */
    Recorder(Field field) {
      this(field, new CoefficientTable());
    }

    Recorder(Field field, CoefficientTable table) {
      this.field = field;
      this.table = table;
    }

    ConstraintTemplate template() {
      return new ConstraintTemplate(this);
    }

    /** Public inputs allocated so far, ONE not counted. */
    int inputs() {
      return inputs;
    }

    int auxiliaries() {
      return auxiliaries;
    }

    int constraints() {
      return combinations / 3;
    }

    Namespaces namespaces() {
      return namespaces;
    }

    @Override
    public Field field() {
      return field;
    }

    @Override
    public int allocateInput() {
      return ++inputs;
    }

    @Override
    public int allocate() {
      return AUXILIARY | auxiliaries++;
    }

    @Override
    public void enter(String name) {
      namespaces.enter(name, constraints(), auxiliaries);
    }

    @Override
    public void leave() {
      namespaces.leave(constraints(), auxiliaries);
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
        coefficients = Arrays.copyOf(coefficients, capacity);
      }
      for (int i = 0; i < combination.size(); i++, terms++) {
        variables[terms] = combination.variable(i);
        coefficients[terms] = table.number(combination, i);
      }
      if (combinations == termEnds.length) {
        termEnds = Arrays.copyOf(termEnds, 2 * combinations);
      }
      termEnds[combinations++] = terms;
    }
  }
}
