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
  private final long[] state;
  private final long[] mixed;
  private final long[] t = new long[2 * WORDS];

  /** Hashes that many elements at a time as nodes of trees. */
  public static Poseidon ofArity(int arity) {
    return new Poseidon(PoseidonConstants.of(arity, PoseidonConstants.Domain.MERKLE_TREE));
  }

  public Poseidon(PoseidonConstants constants) {
    this.constants = constants;
    this.field = constants.field();
    this.width = constants.width();
    this.state = new long[width * WORDS];
    this.mixed = new long[width * WORDS];
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
      next = fullRound(next, round == half - 1 ? constants.preSparse() : constants.mds(), false);
    }
    for (int round = 0; round < constants.partialRounds(); round++) {
      power5(0);
      field.add(state, 0, state, 0, c, next);
      next += WORDS;
      sparseLayer(round);
    }
    for (int round = 0; round < half; round++) {
      next = fullRound(next, constants.mds(), round == half - 1);
    }
    field.copy(z, zAt, state, WORDS);
  }

  private int fullRound(int next, long[] matrix, boolean last) {
    for (int i = 0; i < width * WORDS; i += WORDS) {
      power5(i);
      if (!last) {
        field.add(state, i, state, i, constants.compressedConstants(), next + i);
      }
    }
    // Of the last round only the element that is the hash is wanted.
    int first = last ? 1 : 0;
    int end = last ? 2 : width;
    for (int j = first; j < end; j++) {
      dot(mixed, j * WORDS, matrix, j * WORDS, width * WORDS);
    }
    System.arraycopy(mixed, first * WORDS, state, first * WORDS, (end - first) * WORDS);
    return last ? next : next + width * WORDS;
  }

  private void sparseLayer(int round) {
    int row = round * (width - 1) * WORDS;
    dot(mixed, 0, constants.sparseColumns(), round * width * WORDS, WORDS);
    for (int j = WORDS; j < width * WORDS; j += WORDS) {
      field.multiply(t, 0, state, 0, constants.sparseRows(), row + j - WORDS);
      field.add(state, j, state, j, t, 0);
    }
    field.copy(state, 0, mixed, 0);
  }

  private void dot(long[] z, int zAt, long[] matrix, int first, int stride) {
    field.multiply(z, zAt, state, 0, matrix, first);
    for (int i = 1; i < width; i++) {
      field.multiply(t, 0, state, i * WORDS, matrix, first + i * stride);
      field.add(z, zAt, z, zAt, t, 0);
    }
  }

  private void power5(int at) {
    field.square(t, WORDS, state, at);
    field.square(t, WORDS, t, WORDS);
    field.multiply(state, at, state, at, t, WORDS);
  }
}
