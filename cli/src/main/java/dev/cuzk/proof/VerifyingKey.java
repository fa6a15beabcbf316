package dev.cuzk.proof;

import dev.cuzk.math.CurveId;
import java.math.BigInteger;
import java.util.List;

/**
 * A Groth16 verifying key, affine coordinates in [0, p); G1 as (x, y), G2 as (x.c0, x.c1, y.c0,
 * y.c1); infinity all zero. Immutable. Readers of files check the points; this type does not.
 *
 * @param ic one G1 point for ONE and one for each public input
 */
public record VerifyingKey(
    CurveId curve,
    List<BigInteger> alpha1,
    List<BigInteger> beta2,
    List<BigInteger> gamma2,
    List<BigInteger> delta2,
    List<List<BigInteger>> ic) {
  public VerifyingKey {
    alpha1 = List.copyOf(alpha1);
    beta2 = List.copyOf(beta2);
    gamma2 = List.copyOf(gamma2);
    delta2 = List.copyOf(delta2);
    ic = List.copyOf(ic);
    if (ic.isEmpty()) {
      throw new IllegalArgumentException("a verifying key has at least the point for ONE");
    }
  }

  /** Written out: linking a record's own methods takes longer than comparing two keys. */
  @Override
  public boolean equals(Object other) {
    return other instanceof VerifyingKey key
        && curve == key.curve
        && alpha1.equals(key.alpha1)
        && beta2.equals(key.beta2)
        && gamma2.equals(key.gamma2)
        && delta2.equals(key.delta2)
        && ic.equals(key.ic);
  }

  /** Keys of one ceremony differ in delta alone; ic may be long. */
  @Override
  public int hashCode() {
    return delta2.hashCode();
  }

  /** Number of public inputs a proof under this key has. */
  public int publicInputs() {
    return ic.size() - 1;
  }
}
