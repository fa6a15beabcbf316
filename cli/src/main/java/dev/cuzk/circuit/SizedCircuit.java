package dev.cuzk.circuit;

import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;

/**
 * A built-in circuit of a family in many sizes, named PREFIX-K for a domain of 2^K rows. The last
 * row's new variable is its one public input.
 */
abstract class SizedCircuit implements BuiltInCircuit {
  /** The field of values and coefficients. */
  final Field field;

  private final String name;
  private final CurveId curve;
  private final long variables;
  private final long constraints;

  SizedCircuit(String name, CurveId curve, long variables, long constraints) {
    this.name = name;
    this.curve = curve;
    this.field = Field.scalar(curve);
    this.variables = variables;
    this.constraints = constraints;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final CurveId curve() {
    return curve;
  }

  @Override
  public final Field field() {
    return field;
  }

  @Override
  public final long variables() {
    return variables;
  }

  @Override
  public final int publicInputs() {
    return 1;
  }

  @Override
  public final long constraints() {
    return constraints;
  }
}
