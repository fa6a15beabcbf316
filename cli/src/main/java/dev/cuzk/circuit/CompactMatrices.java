package dev.cuzk.circuit;

import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The matrices of a circuit as gadgets at places: each gadget's constraints once, in terms of its
 * own variables and arguments, and per place where its constraints, auxiliaries and inputs begin
 * and what its arguments are. A 32 GiB PoRep of 720 million terms is a few megabytes. Expanding
 * ({@link #forEach}) starts anywhere. Unchangeable, safe for use by several threads.
 */
public final class CompactMatrices implements Constraints {
  private final String name;
  private final CurveId curve;
  private final Field field;
  final long constraints;
  final int inputs;
  final int auxiliaries;
  final CoefficientTable table;
  final ConstraintTemplate[] templates;

  /** Per place: index of the template. */
  final int[] template;

  /** Per place: index of its first constraint; one more for the end. */
  final int[] firstConstraint;

  /** Per place: number of auxiliaries before its own. */
  final int[] firstAuxiliary;

  /** Per place: number of inputs before its own, ONE not counted. */
  final int[] firstInput;

  /** Per place: where its arguments begin. */
  final int[] firstArgument;

  /** Codes of arguments; no argument is itself an argument. */
  final int[] arguments;

  CompactMatrices(
      String name,
      CurveId curve,
      CoefficientTable table,
      ConstraintTemplate[] templates,
      int inputs,
      int auxiliaries,
      Places places) {
    this.name = name;
    this.curve = curve;
    this.field = Field.scalar(curve);
    this.table = table;
    this.templates = templates;
    this.inputs = inputs;
    this.auxiliaries = auxiliaries;
    this.template = places.template;
    this.firstConstraint = places.firstConstraint;
    this.firstAuxiliary = places.firstAuxiliary;
    this.firstInput = places.firstInput;
    this.firstArgument = places.firstArgument;
    this.arguments = places.arguments;
    this.constraints = firstConstraint[firstConstraint.length - 1];
  }

  /** The places, as flat arrays; {@code firstConstraint} has one element more, the end. */
  record Places(
      int[] template,
      int[] firstConstraint,
      int[] firstAuxiliary,
      int[] firstInput,
      int[] firstArgument,
      int[] arguments) {}

  @Override
  public String name() {
    return name;
  }

  /** The curve whose scalar field the coefficients lie in. */
  public CurveId curve() {
    return curve;
  }

  @Override
  public Field field() {
    return field;
  }

  @Override
  public long variables() {
    return 1L + inputs + auxiliaries;
  }

  @Override
  public int publicInputs() {
    return inputs;
  }

  @Override
  public long constraints() {
    return constraints;
  }

  @Override
  public Optional<CompactMatrices> compact() {
    return Optional.of(this);
  }

  /** Terms of a matrix after expansion. */
  public long terms(int matrix) {
    long[] each = new long[templates.length];
    Arrays.setAll(each, i -> templates[i].terms(matrix));
    long terms = 0;
    for (int index : template) {
      terms += each[index];
    }
    return terms;
  }

  /** Number of distinct coefficients. */
  public int coefficients() {
    return table.size();
  }

  /** Number of gadgets that are kept. */
  public int templates() {
    return templates.length;
  }

  /** Number of places at which they stand. */
  public int places() {
    return template.length;
  }

  /** Bytes of memory that the arrays take, about. */
  public long byteSize() {
    long bytes = 32L * table.size() + 20L * template.length + 4L * arguments.length;
    for (ConstraintTemplate each : templates) {
      bytes += 4L * each.termEnds.length + 6L * each.variables.length;
    }
    return bytes;
  }

  @Override
  public void forEach(long first, long count, Sink sink) {
    Objects.checkFromIndexSize(first, count, constraints);
    if (count == 0) {
      return;
    }
    long end = first + count;
    int found = Arrays.binarySearch(firstConstraint, 0, template.length, (int) first);
    int place = found >= 0 ? found : -found - 2;
    for (long at = first; at < end; place++) {
      long start = firstConstraint[place];
      int to = (int) (Math.min(end, firstConstraint[place + 1]) - start);
      templates[template[place]].replay((int) (at - start), to, start, placement(place), sink);
      at = start + to;
    }
  }

  /**
   * The variables that occur in a matrix, with a coefficient other than zero: those that have a
   * point in a bellman key's query. Terms that only cancel because two arguments of a place are the
   * same variable count all the same; no circuit here has such.
   *
   * @param matrix {@link #A}, {@link #B} or {@link #C}
   */
  public VariableSet occurring(int matrix) {
    VariableSet occurring = new VariableSet(variables());
    VariableSet[] auxiliaries = new VariableSet[templates.length];
    int[][] others = new int[templates.length][];
    for (int i = 0; i < templates.length; i++) {
      auxiliaries[i] = new VariableSet(0);
      others[i] = templates[i].collect(matrix, auxiliaries[i]);
    }
    for (int place = 0; place < template.length; place++) {
      occurring.add(auxiliaries[template[place]], 1L + inputs + firstAuxiliary[place]);
      ConstraintTemplate.Placement placement = placement(place);
      for (int code : others[template[place]]) {
        occurring.add(code == ConstraintSystem.ONE ? 0 : placement.wire(code));
      }
    }
    return occurring;
  }

  private ConstraintTemplate.Placement placement(int place) {
    int auxiliary = 1 + inputs + firstAuxiliary[place];
    int input = firstInput[place];
    int argument = firstArgument[place];
    return code -> {
      if (code < 0) {
        return (code & ~ConstraintSystem.AUXILIARY) + auxiliary;
      }
      if ((code & ConstraintSystem.ARGUMENT) == 0) {
        return input + code;
      }
      return wire(arguments[argument + (code & ~ConstraintSystem.ARGUMENT)]);
    };
  }

  /** Assignment index of a variable of the whole system. */
  private int wire(int code) {
    return code >= 0 ? code : (code & ~ConstraintSystem.AUXILIARY) + 1 + inputs;
  }

  /** Collects templates and places. */
  static final class Builder {
    private final List<ConstraintTemplate> templates = new ArrayList<>();
    private int[] columns = new int[5 * 64];
    private int places;
    private int[] arguments = new int[1024];
    private int argumentCount;

    /** Adds a template and gives its index. */
    int template(ConstraintTemplate template) {
      templates.add(template);
      return templates.size() - 1;
    }

    void place(
        int template, long firstConstraint, int firstAuxiliary, int firstInput, int[] codes) {
      if (5 * places == columns.length) {
        columns = Arrays.copyOf(columns, 2 * columns.length);
      }
      int at = 5 * places++;
      columns[at] = template;
      columns[at + 1] = Math.toIntExact(firstConstraint);
      columns[at + 2] = firstAuxiliary;
      columns[at + 3] = firstInput;
      columns[at + 4] = argumentCount;
      if (argumentCount + codes.length > arguments.length) {
        arguments =
            Arrays.copyOf(arguments, Math.max(argumentCount + codes.length, 2 * arguments.length));
      }
      System.arraycopy(codes, 0, arguments, argumentCount, codes.length);
      argumentCount += codes.length;
    }

    private int[] column(int index) {
      int[] column = new int[places];
      Arrays.setAll(column, place -> columns[5 * place + index]);
      return column;
    }

    CompactMatrices build(
        String name,
        CurveId curve,
        CoefficientTable table,
        long constraints,
        int inputs,
        int auxiliaries) {
      int[] firstConstraint = Arrays.copyOf(column(1), places + 1);
      firstConstraint[places] = Math.toIntExact(constraints);
      return new CompactMatrices(
          name,
          curve,
          table,
          templates.toArray(new ConstraintTemplate[0]),
          inputs,
          auxiliaries,
          new Places(
              column(0),
              firstConstraint,
              column(2),
              column(3),
              column(4),
              Arrays.copyOf(arguments, argumentCount)));
    }
  }
}
