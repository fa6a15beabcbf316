package dev.cuzk.math;

import java.math.BigInteger;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The constants of Poseidon over BLS12-381's scalar field as Filecoin uses it (the neptune library,
 * standard strength): S-box x^5, width t = arity + 1, 8 full rounds around {@link #partialRounds}
 * partial ones. Nothing is a table: everything is derived from the width, as the Poseidon paper
 * (ePrint 2019/458) and neptune do it.
 *
 * <p>Elements are in Montgomery form, four words each, one behind the other. Row vectors: a layer
 * maps state s to new[j] = Σ s[i] · matrix[i][j]. The arrays are shared and must not be changed.
 */
public final class PoseidonConstants {
  private static final int WORDS = 4;
  private static final int FIELD_BITS = 255;

  /** What a hash is for, which decides the first element of its state. */
  public enum Domain {
    /** Nodes of trees, columns and comm_r: the tag is 2^arity − 1. */
    MERKLE_TREE,
    /** SnapDeals' phi, rho and challenge digests: a custom domain of id 1, the tag is 2^40. */
    RANDOMNESS
  }

  private record Instance(int arity, Domain domain) {}

  private static final ConcurrentMap<Instance, PoseidonConstants> KNOWN = new ConcurrentHashMap<>();

  private final Field field = Field.scalar(CurveId.BLS12_381);
  private final int arity;
  private final int width;
  private final int fullRounds;
  private final int partialRounds;
  private final BigInteger domainTag;
  private final long[] roundConstants;
  private final long[] compressedConstants;
  private final long[] mds;
  private final long[] preSparse;
  private final long[] sparseColumns;
  private final long[] sparseRows;

  private PoseidonConstants(int arity, Domain domain) {
    this.arity = arity;
    this.width = arity + 1;
    PoseidonRounds rounds = PoseidonRounds.ofWidth(width);
    this.fullRounds = rounds.full();
    this.partialRounds = rounds.partial();
    this.domainTag =
        domain == Domain.MERKLE_TREE
            ? BigInteger.ONE.shiftLeft(arity).subtract(BigInteger.ONE)
            : BigInteger.ONE.shiftLeft(40);
    GrainGenerator generator =
        new GrainGenerator(FIELD_BITS, width, fullRounds, partialRounds, field.modulus());
    int count = (fullRounds + partialRounds) * width;
    this.roundConstants = new long[count * WORDS];
    for (int i = 0; i < count; i++) {
      field.set(roundConstants, i * WORDS, generator.next());
    }
    SquareMatrix dense = cauchy();
    this.mds = dense.words();
    this.compressedConstants = compress(dense.inverse());
    this.sparseColumns = new long[partialRounds * width * WORDS];
    this.sparseRows = new long[partialRounds * arity * WORDS];
    this.preSparse = factor(dense).words();
  }

  /**
   * The constants of one instance, derived when first asked for.
   *
   * @param arity number of elements that are hashed: 2, 4, 8 or 11 in Filecoin
   */
  public static PoseidonConstants of(int arity, Domain domain) {
    return KNOWN.computeIfAbsent(
        new Instance(arity, domain), key -> new PoseidonConstants(key.arity(), key.domain()));
  }

  /** The scalar field of BLS12-381. */
  public Field field() {
    return field;
  }

  /** Number of elements that are hashed. */
  public int arity() {
    return arity;
  }

  /** t = arity + 1, the elements of a state. */
  public int width() {
    return width;
  }

  /** RF, half of them before and half after the partial rounds. */
  public int fullRounds() {
    return fullRounds;
  }

  /** RP. */
  public int partialRounds() {
    return partialRounds;
  }

  /** The first element of the state, canonical. */
  public BigInteger domainTag() {
    return domainTag;
  }

  /** The (RF + RP) · t constants of the unoptimized permutation, round by round. */
  public long[] roundConstants() {
    return roundConstants;
  }

  /**
   * The RF · t + RP constants of the optimized permutation: t that are added before the first
   * round; then in order of use those that a round adds after its S-boxes, t of a full round and 1
   * of a partial one. The last round has none.
   */
  public long[] compressedConstants() {
    return compressedConstants;
  }

  /** The t × t matrix of all full rounds but the last before the partial ones. */
  public long[] mds() {
    return mds;
  }

  /** The t × t matrix of the last full round before the partial ones. */
  public long[] preSparse() {
    return preSparse;
  }

  /** First columns w_hat of the sparse matrices, t elements a partial round, in order of use. */
  public long[] sparseColumns() {
    return sparseColumns;
  }

  /**
   * First rows without their first elements, v_rest, t − 1 elements a partial round, in order of
   * use. The rest of a sparse matrix is the identity: new[0] = Σ s[i] · w_hat[i], new[j] = s[j] +
   * s[0] · v_rest[j − 1].
   */
  public long[] sparseRows() {
    return sparseRows;
  }

  /** M[i][j] = 1 / (i + t + j), symmetric. */
  private SquareMatrix cauchy() {
    SquareMatrix matrix = new SquareMatrix(field, width);
    for (int i = 0; i < width; i++) {
      for (int j = 0; j < width; j++) {
        long[] words = matrix.words();
        int at = matrix.offset(i, j);
        field.set(words, at, i + width + j);
        field.inverse(words, at, words, at);
      }
    }
    return matrix;
  }

  /** Moves the round constants behind the linear layers (compress_round_constants in neptune). */
  private long[] compress(SquareMatrix inverse) {
    int half = fullRounds / 2;
    int lastPartial = half + partialRounds;
    long[] result = new long[(fullRounds * width + partialRounds) * WORDS];
    System.arraycopy(roundConstants, 0, result, 0, width * WORDS);
    for (int round = 1; round < half; round++) {
      inverse.applyToRow(result, round * width * WORDS, roundConstants, round * width * WORDS);
    }
    long[] running = new long[width * WORDS];
    System.arraycopy(roundConstants, lastPartial * width * WORDS, running, 0, running.length);
    long[] moved = new long[width * WORDS];
    for (int round = lastPartial - 1; round >= half; round--) {
      inverse.applyToRow(moved, 0, running, 0);
      field.copy(result, ((half + 1) * width + round - half) * WORDS, moved, 0);
      field.setZero(moved, 0);
      for (int i = 0; i < width; i++) {
        int at = i * WORDS;
        field.add(running, at, roundConstants, round * width * WORDS + at, moved, at);
      }
    }
    inverse.applyToRow(result, half * width * WORDS, running, 0);
    for (int round = lastPartial + 1; round < fullRounds + partialRounds; round++) {
      int at = (half + 1) * width + partialRounds + (round - lastPartial - 1) * width;
      inverse.applyToRow(result, at * WORDS, roundConstants, round * width * WORDS);
    }
    return result;
  }

  /**
   * Factors the dense matrices of the partial rounds into sparse ones and what is left over
   * (factor_to_sparse_matrixes in neptune): a matrix splits into [1, 0; 0, m^] and a sparse one,
   * and the first goes into the matrix of the round before.
   *
   * @return what is left for the last full round before the partial ones
   */
  private SquareMatrix factor(SquareMatrix dense) {
    SquareMatrix current = dense;
    for (int round = partialRounds - 1; round >= 0; round--) {
      SquareMatrix minor = current.withoutFirst();
      long[] column = new long[arity * WORDS];
      for (int i = 0; i < arity; i++) {
        field.copy(column, i * WORDS, current.words(), current.offset(i + 1, 0));
        field.copy(
            sparseRows, (round * arity + i) * WORDS, current.words(), current.offset(0, i + 1));
      }
      field.copy(sparseColumns, round * width * WORDS, current.words(), 0);
      minor.inverse().applyToColumn(sparseColumns, (round * width + 1) * WORDS, column, 0);
      current = dense.times(minor.withFirst());
    }
    return current;
  }
}
