package dev.cuzk.circuit;

import dev.cuzk.math.Field;
import java.math.BigInteger;

/**
 * Tells 1 and −1, the coefficients of nearly all terms, from others: they need no product. Words
 * are those of {@link Constraints.Sink#term}: canonical, least significant first.
 */
public final class UnitCoefficients {
  private final long minus0;
  private final long minus1;
  private final long minus2;
  private final long minus3;

  /** For coefficients in a field of four words. */
  public UnitCoefficients(Field field) {
    BigInteger minusOne = field.modulus().subtract(BigInteger.ONE);
    this.minus0 = minusOne.longValue();
    this.minus1 = minusOne.shiftRight(64).longValue();
    this.minus2 = minusOne.shiftRight(128).longValue();
    this.minus3 = minusOne.shiftRight(192).longValue();
  }

  public static boolean isOne(long c0, long c1, long c2, long c3) {
    return c0 == 1 && (c1 | c2 | c3) == 0;
  }

  public boolean isMinusOne(long c0, long c1, long c2, long c3) {
    return c0 == minus0 && c1 == minus1 && c2 == minus2 && c3 == minus3;
  }
}
