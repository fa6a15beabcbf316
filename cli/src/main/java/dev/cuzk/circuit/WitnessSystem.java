package dev.cuzk.circuit;

import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Computes the assignment of a circuit while it is defined, and checks every constraint. The plain
 * reference for the makers of witnesses that are fast; for small circuits.
 */
public final class WitnessSystem implements ConstraintSystem, Assignment {
  private final Field field;
  private final IntFunction<BigInteger> given;
  private final List<BigInteger> inputs = new ArrayList<>(List.of(BigInteger.ONE));
  private final List<BigInteger> auxiliaries = new ArrayList<>();
  private final List<String> path = new ArrayList<>();
  private long constraints;

  /**
   * An empty system.
   *
   * @param given the value of a variable that comes from outside, by its code; asked for in the
   *     order of allocation
   */
  public WitnessSystem(CurveId curve, IntFunction<BigInteger> given) {
    this.field = Field.scalar(curve);
    this.given = given;
  }

  /** Public inputs by index, ONE first. */
  public List<BigInteger> inputs() {
    return Collections.unmodifiableList(inputs);
  }

  /** Private values by index. */
  public List<BigInteger> auxiliaries() {
    return Collections.unmodifiableList(auxiliaries);
  }

  /** Number of constraints, all of them satisfied. */
  public long constraints() {
    return constraints;
  }

  @Override
  public BigInteger value(int variable) {
    return variable >= 0 ? inputs.get(variable) : auxiliaries.get(variable & ~AUXILIARY);
  }

  @Override
  public Field field() {
    return field;
  }

  @Override
  public int allocateInput() {
    inputs.add(given.apply(inputs.size()).mod(field.modulus()));
    return inputs.size() - 1;
  }

  @Override
  public int allocate() {
    int code = AUXILIARY | auxiliaries.size();
    auxiliaries.add(given.apply(code).mod(field.modulus()));
    return code;
  }

  @Override
  public int allocateInput(Value value) {
    inputs.add(value.of(this).mod(field.modulus()));
    return inputs.size() - 1;
  }

  @Override
  public int allocate(Value value) {
    auxiliaries.add(value.of(this).mod(field.modulus()));
    return AUXILIARY | auxiliaries.size() - 1;
  }

  @Override
  public void enter(String name) {
    path.add(name);
  }

  @Override
  public void leave() {
    path.remove(path.size() - 1);
  }

  /**
   * Checks a · b = c.
   *
   * @throws IllegalStateException if it does not hold; says where
   */
  @Override
  public void enforce(LinearCombination a, LinearCombination b, LinearCombination c) {
    BigInteger product = a.evaluate(this).multiply(b.evaluate(this)).mod(field.modulus());
    if (!product.equals(c.evaluate(this))) {
      throw new IllegalStateException(
          "constraint " + constraints + " does not hold, in " + String.join("/", path));
    }
    constraints++;
  }
}
