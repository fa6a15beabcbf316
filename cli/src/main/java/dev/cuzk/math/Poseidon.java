package dev.cuzk.math;

/**
 * Poseidon as Filecoin hashes with it.
 *
 * <p>Holds room for a state: one instance serves one thread at a time.
 */
public final class Poseidon {
  private static final int WORDS = 4;

  private final PoseidonConstants constants;
  private final PoseidonState state;
  private final long[] words = new long[WORDS];

  /** Hashes that many elements at a time as nodes of trees. */
  public static Poseidon ofArity(int arity) {
    return new Poseidon(PoseidonConstants.of(arity, PoseidonConstants.Domain.MERKLE_TREE));
  }

  public Poseidon(PoseidonConstants constants) {
    this.constants = constants;
    this.state = new PoseidonState(constants);
  }

  /** Number of elements that are hashed. */
  public int arity() {
    return constants.arity();
  }

  /**
   * z = the hash of {@link #arity()} elements that stand one behind the other, all in Montgomery
   * form. z may lie in x.
   */
  public void hash(long[] z, int zAt, long[] x, int at) {
    Field field = constants.field();
    int width = constants.width();
    state.begin();
    for (int i = 1; i < width; i++) {
      field.fromMontgomery(words, 0, x, at + (i - 1) * WORDS);
      state.absorb(i, words, 0);
    }
    state.mixFull();
    int half = constants.fullRounds() / 2;
    for (int round = 1; round < half; round++) {
      substituteAll(width);
      state.mixFull();
    }
    for (int round = 0; round < constants.partialRounds(); round++) {
      state.substitute(0);
      state.mixPartial();
    }
    for (int round = 1; round < half; round++) {
      substituteAll(width);
      state.mixFull();
    }
    substituteAll(width);
    state.finish(z, zAt);
    field.toMontgomery(z, zAt, z, zAt);
  }

  private void substituteAll(int width) {
    for (int i = 0; i < width; i++) {
      state.substitute(i);
    }
  }
}
