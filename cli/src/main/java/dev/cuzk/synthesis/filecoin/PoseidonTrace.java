package dev.cuzk.synthesis.filecoin;

import static dev.cuzk.synthesis.filecoin.ValueWriter.WORDS;

import dev.cuzk.math.Field;
import dev.cuzk.math.PoseidonConstants;
import dev.cuzk.math.PoseidonState;

/**
 * Poseidon with the values that its circuit allocates ({@link
 * dev.cuzk.circuit.gadget.PoseidonGadget}): of every S-box the input (but in round 0), its square,
 * its fourth power and the output with the next constant; then the hash.
 *
 * <p>Holds room for a state: one instance serves one thread at a time.
 */
final class PoseidonTrace {
  private final PoseidonConstants constants;
  private final Field field;
  private final int width;
  private final long[] firstElement = new long[WORDS];
  private final PoseidonState layers;
  private final long[] state;
  private final long[] t = new long[3 * WORDS];
  private ValueWriter out;

  PoseidonTrace(PoseidonConstants constants) {
    this.constants = constants;
    this.field = constants.field();
    this.width = constants.width();
    this.layers = new PoseidonState(constants);
    this.state = layers.words();
    long[] c = constants.compressedConstants();
    field.set(t, 0, constants.domainTag());
    field.add(t, 0, t, 0, c, 0);
    field.power(firstElement, 0, t, 0, 5);
    field.add(firstElement, 0, firstElement, 0, c, width * WORDS);
  }

  /** z = the hash of elements that stand one behind the other; all numbers are canonical. */
  void hash(ValueWriter writer, long[] z, int zAt, long[] x, int at) {
    out = writer;
    long[] c = constants.compressedConstants();
    for (int i = WORDS; i < width * WORDS; i += WORDS) {
      field.toMontgomery(state, i, x, at + i - WORDS);
      field.add(state, i, state, i, c, i);
      power5(i, c, width * WORDS + i);
    }
    field.copy(state, 0, firstElement, 0);
    layers.mix(constants.mds());
    int next = 2 * width * WORDS;
    int half = constants.fullRounds() / 2;
    for (int round = 1; round < half; round++) {
      next = fullRound(next, round == half - 1 ? constants.preSparse() : constants.mds());
    }
    for (int round = 0; round < constants.partialRounds(); round++) {
      write(state, 0);
      power5(0, c, next);
      next += WORDS;
      layers.mixSparse(round);
    }
    for (int round = 1; round < half; round++) {
      next = fullRound(next, constants.mds());
    }
    for (int i = 0; i < width * WORDS; i += WORDS) {
      write(state, i);
      power5(i, null, 0);
    }
    // Of the last layer only the element that is the hash is wanted.
    layers.mixed(z, zAt, constants.mds(), 1);
    field.fromMontgomery(z, zAt, z, zAt);
    out.number(z, zAt);
  }

  private void write(long[] x, int at) {
    field.fromMontgomery(t, 2 * WORDS, x, at);
    out.number(t, 2 * WORDS);
  }

  private int fullRound(int next, long[] matrix) {
    for (int i = 0; i < width * WORDS; i += WORDS) {
      write(state, i);
      power5(i, constants.compressedConstants(), next + i);
    }
    layers.mix(matrix);
    return next + width * WORDS;
  }

  /** Square, fourth power, fifth power plus a constant (none where {@code c} is null). */
  private void power5(int at, long[] c, int constant) {
    field.square(t, 0, state, at);
    write(t, 0);
    field.square(t, WORDS, t, 0);
    write(t, WORDS);
    field.multiply(state, at, state, at, t, WORDS);
    if (c != null) {
      field.add(state, at, state, at, c, constant);
    }
    write(state, at);
  }
}
