package dev.cuzk.synthesis.filecoin;

import static dev.cuzk.synthesis.filecoin.ValueWriter.WORDS;

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
  private final int width;
  private final int half;
  private final int partialRounds;
  private final PoseidonState state;
  private final long[] words = new long[WORDS];
  private ValueWriter out;

  PoseidonTrace(PoseidonConstants constants) {
    this.width = constants.width();
    this.half = constants.fullRounds() / 2;
    this.partialRounds = constants.partialRounds();
    this.state = new PoseidonState(constants);
  }

  /** z = the hash of elements that stand one behind the other; all numbers are canonical. */
  void hash(ValueWriter writer, long[] z, int zAt, long[] x, int at) {
    out = writer;
    state.begin();
    for (int i = 1; i < width; i++) {
      state.absorb(i, x, at + (i - 1) * WORDS);
      writePowers(i);
    }
    state.mixFull();
    for (int round = 1; round < half; round++) {
      substituteAll();
      state.mixFull();
    }
    for (int round = 0; round < partialRounds; round++) {
      substitute(0);
      state.mixPartial();
    }
    for (int round = 1; round < half; round++) {
      substituteAll();
      state.mixFull();
    }
    substituteAll();
    state.finish(z, zAt);
    out.number(z, zAt);
  }

  private void substituteAll() {
    for (int i = 0; i < width; i++) {
      substitute(i);
    }
  }

  private void substitute(int i) {
    writeElement(i);
    state.substitute(i);
    writePowers(i);
  }

  private void writePowers(int i) {
    for (int which = 0; which < 2; which++) {
      state.power(words, 0, which);
      out.number(words, 0);
    }
    writeElement(i);
  }

  private void writeElement(int i) {
    state.element(words, 0, i);
    out.number(words, 0);
  }
}
