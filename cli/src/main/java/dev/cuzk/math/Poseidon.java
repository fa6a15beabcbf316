package dev.cuzk.math;

/**
 * Poseidon as Filecoin hashes with it: {@link PoseidonConstants} in the optimized permutation
 * (sparse matrices in the partial rounds).
 *
 * <p>Holds room for a state: one instance serves one thread at a time.
 */
public final class Poseidon {
  private static final int WORDS = 4;

  private final PoseidonConstants constants;
  private final Field field;
  private final int width;
  private final long[] tag = new long[WORDS];
  private final PoseidonState layers;
  private final long[] state;
  private final long[] t = new long[WORDS];

  /** Hashes that many elements at a time as nodes of trees. */
  public static Poseidon ofArity(int arity) {
    return new Poseidon(PoseidonConstants.of(arity, PoseidonConstants.Domain.MERKLE_TREE));
  }

  public Poseidon(PoseidonConstants constants) {
    this.constants = constants;
    this.field = constants.field();
    this.width = constants.width();
    this.layers = new PoseidonState(constants);
    this.state = layers.words();
    field.set(tag, 0, constants.domainTag());
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
    field.copy(state, 0, tag, 0);
    System.arraycopy(x, at, state, WORDS, (width - 1) * WORDS);
    long[] c = constants.compressedConstants();
    for (int i = 0; i < width * WORDS; i += WORDS) {
      field.add(state, i, state, i, c, i);
    }
    int next = width * WORDS;
    int half = constants.fullRounds() / 2;
    for (int round = 0; round < half; round++) {
      next = fullRound(next, round == half - 1 ? constants.preSparse() : constants.mds());
    }
    for (int round = 0; round < constants.partialRounds(); round++) {
      power5(0);
      field.add(state, 0, state, 0, c, next);
      next += WORDS;
      layers.mixSparse(round);
    }
    for (int round = 1; round < half; round++) {
      next = fullRound(next, constants.mds());
    }
    for (int i = 0; i < width * WORDS; i += WORDS) {
      power5(i);
    }
    // Of the last round only the element that is the hash is wanted.
    layers.mixed(z, zAt, constants.mds(), 1);
  }

  private int fullRound(int next, long[] matrix) {
    for (int i = 0; i < width * WORDS; i += WORDS) {
      power5(i);
      field.add(state, i, state, i, constants.compressedConstants(), next + i);
    }
    layers.mix(matrix);
    return next + width * WORDS;
  }

  private void power5(int at) {
    field.square(t, 0, state, at);
    field.square(t, 0, t, 0);
    field.multiply(state, at, state, at, t, 0);
  }
}
