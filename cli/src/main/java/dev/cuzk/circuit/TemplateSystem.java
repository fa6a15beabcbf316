package dev.cuzk.circuit;

import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Records a circuit as gadgets at places: a gadget is defined when its key is first placed, later
 * ones cost a line in a table. What is enforced between gadgets becomes gadgets of their own.
 */
public final class TemplateSystem implements ConstraintSystem {
  private final String name;
  private final CurveId curve;
  private final Field field;
  private final CoefficientTable table = new CoefficientTable();
  private final Map<String, Recorded> gadgets = new HashMap<>();
  private final Map<ConstraintTemplate, Integer> alike = new HashMap<>();
  private final CompactMatrices.Builder places = new CompactMatrices.Builder();
  private final Namespaces namespaces;
  private ConstraintTemplate.Recorder between;
  private int firstAuxiliaryBetween;
  private int firstInputBetween;
  private long constraints;
  private int auxiliaries;
  private int inputs;

  private record Recorded(
      int template,
      int constraints,
      int inputs,
      int auxiliaries,
      int[] results,
      Namespaces namespaces) {}

  /**
   * An empty system.
   *
   * @param name for messages
   * @param namespaceDepth the deepest level of namespaces that is kept; 0 for none
   */
  public TemplateSystem(String name, CurveId curve, int namespaceDepth) {
    this.name = name;
    this.curve = curve;
    this.field = Field.scalar(curve);
    this.namespaces = new Namespaces(namespaceDepth);
    this.between = new ConstraintTemplate.Recorder(field, table);
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
  public void enforce(LinearCombination a, LinearCombination b, LinearCombination c) {
    between.enforce(a, b, c);
  }

  @Override
  public int[] place(String key, int[] arguments, Gadget gadget) {
    finishBetween();
    Recorded recorded = gadgets.get(key);
    if (recorded == null) {
      recorded = record(gadget, arguments.length);
      gadgets.put(key, recorded);
    }
    places.place(recorded.template, constraints, auxiliaries, inputs, arguments);
    namespaces.place(recorded.namespaces, constraints, auxiliaries);
    int[] results = new int[recorded.results.length];
    for (int i = 0; i < results.length; i++) {
      results[i] = outside(recorded.results[i], arguments);
    }
    constraints += recorded.constraints;
    auxiliaries += recorded.auxiliaries;
    inputs += recorded.inputs;
    firstAuxiliaryBetween = auxiliaries;
    firstInputBetween = inputs;
    return results;
  }

  private Recorded record(Gadget gadget, int arguments) {
    int[] codes = new int[arguments];
    Arrays.setAll(codes, i -> ARGUMENT | i);
    ConstraintTemplate.Recorder recorder = new ConstraintTemplate.Recorder(field, table);
    int[] results = gadget.define(recorder, codes);
    return new Recorded(
        places.template(recorder.template()),
        recorder.constraints(),
        recorder.inputs(),
        recorder.auxiliaries(),
        results,
        recorder.namespaces());
  }

  /** The code here of a variable that a gadget about to be placed gives back. */
  private int outside(int code, int[] arguments) {
    if (code == ONE) {
      return ONE;
    }
    if (code < 0) {
      return code + auxiliaries;
    }
    return (code & ARGUMENT) == 0 ? code + inputs : arguments[code & ~ARGUMENT];
  }

  /**
   * Makes a gadget of what was enforced since the last one: of the variables allocated since then
   * its own, of all others its arguments. Alike ones are kept once.
   */
  private void finishBetween() {
    if (between.constraints() > 0) {
      Map<Integer, Integer> arguments = new LinkedHashMap<>();
      ConstraintTemplate template =
          between.template().mapped(code -> insideBetween(code, arguments));
      Integer known = alike.get(template);
      if (known == null) {
        known = places.template(template);
        alike.put(template, known);
      }
      int[] codes = arguments.keySet().stream().mapToInt(Integer::intValue).toArray();
      places.place(known, constraints, firstAuxiliaryBetween, firstInputBetween, codes);
      constraints += between.constraints();
      between = new ConstraintTemplate.Recorder(field, table);
    }
    firstAuxiliaryBetween = auxiliaries;
    firstInputBetween = inputs;
  }

  private int insideBetween(int code, Map<Integer, Integer> arguments) {
    if (code == ONE) {
      return ONE;
    }
    boolean auxiliary = code < 0;
    int own = auxiliary ? code - firstAuxiliaryBetween : code - firstInputBetween;
    boolean isOwn = auxiliary ? own < 0 : own > 0;
    return isOwn ? own : ARGUMENT | arguments.computeIfAbsent(code, key -> arguments.size());
  }

  @Override
  public void enter(String namespace) {
    namespaces.enter(namespace, constraints + between.constraints(), auxiliaries);
  }

  @Override
  public void leave() {
    namespaces.leave(constraints + between.constraints(), auxiliaries);
  }

  /** The namespaces down to the depth that was asked for. */
  public Namespaces namespaces() {
    return namespaces;
  }

  /** The whole system; nothing may be added afterwards. */
  public CompactMatrices finish() {
    finishBetween();
    return places.build(name, curve, table, constraints, inputs, auxiliaries);
  }
}
