package dev.cuzk.math;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The linear layers of Poseidon in the form in which the fewest numbers are reduced, as expanded
 * numbers of {@link ScalarDigits}; of {@link PoseidonConstants}, whose S-boxes see the same values.
 *
 * <p>All partial rounds multiply by one matrix, of which only the first element has meaning between
 * them: state (s, z), then s' = s · m + z · w and z' = s · v + z · N. Written in the basis of the
 * rows t_0 = v, t_(i+1) = t_i · N − c_i · v, where c are the coefficients of N's characteristic
 * polynomial, z = q · T, such a round is q'_0 = s + Σ c_i · q_i and q'_i = q_(i−1) (the controller
 * form of a linear recurrence): 2t − 1 products and two reductions, where a sparse matrix has as
 * many products and t reductions. The bases are changed in the layers before and after.
 */
final class PoseidonLayers {
  private static final int WORDS = 4;

  /** Where the first row of the dense matrix has v. */
  private static final int V = WORDS;

  private static final ConcurrentMap<PoseidonConstants, PoseidonLayers> KNOWN =
      new ConcurrentHashMap<>();

  private final Field field;
  private final int width;

  /** RF · t + RP numbers to add, digits only. */
  final long[] constants;

  /** The matrix of a full round, column by column, like the next two. */
  final long[] full;

  /** The matrix of the last full round before the partial ones: (s, z) to (s, q). */
  final long[] entry;

  /** The matrix of the last partial round: (s, q) to (s, z). */
  final long[] exit;

  /** s' = Σ of s and q by these t numbers. */
  final long[] output;

  /** The t − 1 numbers c. */
  final long[] feedback;

  private PoseidonLayers(PoseidonConstants source) {
    this.field = source.field();
    this.width = source.width();
    int count = source.compressedConstants().length / WORDS;
    long[] words = new long[WORDS];
    this.constants = new long[count * ScalarDigits.DIGITS];
    for (int i = 0; i < count; i++) {
      field.fromMontgomery(words, 0, source.compressedConstants(), i * WORDS);
      ScalarDigits.load(constants, i * ScalarDigits.DIGITS, words, 0);
    }
    SquareMatrix dense = new SquareMatrix(field, width);
    System.arraycopy(source.mds(), 0, dense.words(), 0, source.mds().length);
    SquareMatrix rest = dense.withoutFirst();
    long[] c = characteristic(rest, dense.words());
    SquareMatrix basis = basis(rest, dense.words(), c);
    this.full = columns(dense);
    this.entry = columns(dense.times(basis.inverse().withFirst()));
    SquareMatrix last = basis.withFirst().times(dense);
    this.exit = columns(last);
    this.feedback = expanded(c, 0, 1, width - 1);
    this.output = expanded(last.words(), 0, width, width);
  }

  static PoseidonLayers of(PoseidonConstants constants) {
    return KNOWN.computeIfAbsent(constants, PoseidonLayers::new);
  }

  /** c of v · N^n = Σ c_i · v · N^(n − 1 − i). */
  private long[] characteristic(SquareMatrix rest, long[] dense) {
    int size = width - 1;
    SquareMatrix powers = new SquareMatrix(field, size);
    System.arraycopy(dense, V, powers.words(), 0, size * WORDS);
    for (int i = 1; i < size; i++) {
      rest.applyToRow(powers.words(), powers.offset(i, 0), powers.words(), powers.offset(i - 1, 0));
    }
    long[] last = new long[size * WORDS];
    rest.applyToRow(last, 0, powers.words(), powers.offset(size - 1, 0));
    long[] ascending = new long[size * WORDS];
    powers.inverse().applyToRow(ascending, 0, last, 0);
    long[] c = new long[size * WORDS];
    for (int i = 0; i < size; i++) {
      field.copy(c, i * WORDS, ascending, (size - 1 - i) * WORDS);
    }
    return c;
  }

  private SquareMatrix basis(SquareMatrix rest, long[] dense, long[] c) {
    int size = width - 1;
    SquareMatrix basis = new SquareMatrix(field, size);
    long[] words = basis.words();
    long[] product = new long[WORDS];
    System.arraycopy(dense, V, words, 0, size * WORDS);
    for (int i = 0; i + 1 < size; i++) {
      rest.applyToRow(words, basis.offset(i + 1, 0), words, basis.offset(i, 0));
      for (int j = 0; j < size; j++) {
        int at = basis.offset(i + 1, j);
        field.multiply(product, 0, c, i * WORDS, dense, V + j * WORDS);
        field.subtract(words, at, words, at, product, 0);
      }
    }
    return basis;
  }

  private long[] columns(SquareMatrix matrix) {
    long[] all = new long[width * width * ScalarDigits.EXPANDED];
    for (int column = 0; column < width; column++) {
      long[] one = expanded(matrix.words(), column, width, width);
      System.arraycopy(one, 0, all, column * one.length, one.length);
    }
    return all;
  }

  private long[] expanded(long[] x, int first, int stride, int count) {
    long[] result = new long[count * ScalarDigits.EXPANDED];
    long[] words = new long[WORDS];
    for (int i = 0; i < count; i++) {
      field.fromMontgomery(words, 0, x, (first + i * stride) * WORDS);
      ScalarDigits.load(result, i * ScalarDigits.EXPANDED, words, 0);
      ScalarDigits.expand(result, i * ScalarDigits.EXPANDED);
    }
    return result;
  }
}
