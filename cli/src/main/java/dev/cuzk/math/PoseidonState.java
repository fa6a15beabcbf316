package dev.cuzk.math;

/**
 * The state of Poseidon's permutation between S-boxes, t elements in Montgomery form, and the
 * linear layers over it. Hashing and the traces of its circuit share them.
 *
 * <p>Not safe for use by several threads.
 */
public final class PoseidonState {
  private static final int WORDS = 4;

  private final PoseidonConstants constants;
  private final Field field;
  private final int width;
  private final long[] state;
  private final long[] mixed;
  private final long[] product = new long[WORDS];

  public PoseidonState(PoseidonConstants constants) {
    this.constants = constants;
    this.field = constants.field();
    this.width = constants.width();
    this.state = new long[width * WORDS];
    this.mixed = new long[width * WORDS];
  }

  /** The elements themselves, four words each, one behind the other. */
  public long[] words() {
    return state;
  }

  /** state = state · matrix, for a t × t matrix of {@link PoseidonConstants}. */
  public void mix(long[] matrix) {
    for (int j = 0; j < width; j++) {
      mixed(mixed, j * WORDS, matrix, j);
    }
    System.arraycopy(mixed, 0, state, 0, width * WORDS);
  }

  /** z = the one element of state · matrix in a column; the state stays as it is. */
  public void mixed(long[] z, int zAt, long[] matrix, int column) {
    dot(z, zAt, matrix, column * WORDS, width * WORDS);
  }

  /** The sparse layer of a partial round, counted from 0. */
  public void mixSparse(int round) {
    int row = round * (width - 1) * WORDS;
    dot(mixed, 0, constants.sparseColumns(), round * width * WORDS, WORDS);
    for (int j = WORDS; j < width * WORDS; j += WORDS) {
      field.multiply(product, 0, state, 0, constants.sparseRows(), row + j - WORDS);
      field.add(state, j, state, j, product, 0);
    }
    field.copy(state, 0, mixed, 0);
  }

  private void dot(long[] z, int zAt, long[] y, int first, int stride) {
    field.multiply(z, zAt, state, 0, y, first);
    for (int i = 1; i < width; i++) {
      field.multiply(product, 0, state, i * WORDS, y, first + i * stride);
      field.add(z, zAt, z, zAt, product, 0);
    }
  }
}
