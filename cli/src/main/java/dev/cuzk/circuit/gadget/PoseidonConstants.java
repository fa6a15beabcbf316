package dev.cuzk.circuit.gadget;

import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The constants of Filecoin's Poseidon over the scalar field of BLS12-381, derived as neptune 11
 * does: round numbers by the inequalities of the Poseidon paper (Grassi et al. 2019, section 5.5)
 * with a margin, round constants from the Grain LFSR (appendix E), a Cauchy matrix, and the
 * equivalent form with compressed round constants and sparse matrices in the partial rounds.
 *
 * <p>All numbers are canonical. A state is a row vector: new[j] = Σ old[i] · matrix[i][j].
 */
public final class PoseidonConstants {
  /** Full rounds, half of them before the partial ones, half after. */
  public static final int FULL_ROUNDS = 8;

  /** First identifier of neptune's own hash types, times 2^40: SnapDeals' phi, rho, challenges. */
  private static final BigInteger GENERATED_RANDOMNESS = BigInteger.ONE.shiftLeft(40);

  private static final BigInteger P = Field.scalar(CurveId.BLS12_381).modulus();
  private static final Map<Integer, Derived> DERIVED = new ConcurrentHashMap<>();

  private final BigInteger tag;
  private final Derived derived;

  /** What depends on the width alone. */
  private record Derived(
      int width,
      int partialRounds,
      BigInteger[] roundConstants,
      BigInteger[][] matrix,
      BigInteger[][] preSparse,
      List<SparseMatrix> sparse) {}

  /**
   * The linear layer of a partial round: new[0] = Σ old[i] · column[i]; new[j] = old[j] + old[0] ·
   * row[j − 1].
   */
  public record SparseMatrix(BigInteger[] column, BigInteger[] row) {}

  private PoseidonConstants(int arity, BigInteger tag) {
    this.tag = tag;
    this.derived = DERIVED.computeIfAbsent(arity + 1, PoseidonConstants::derive);
  }

  /** For nodes of a Merkle tree and columns: domain tag 2^arity − 1. */
  public static PoseidonConstants tree(int arity) {
    return new PoseidonConstants(arity, BigInteger.ONE.shiftLeft(arity).subtract(BigInteger.ONE));
  }

  /** Of two numbers, for randomness: domain tag 2^40. */
  public static PoseidonConstants randomness() {
    return new PoseidonConstants(2, GENERATED_RANDOMNESS);
  }

  /** Element 0 of the first state. */
  public BigInteger tag() {
    return tag;
  }

  /** Elements of a state: one more than are hashed. */
  public int width() {
    return derived.width;
  }

  /** Rounds in which only element 0 passes the S-box. */
  public int partialRounds() {
    return derived.partialRounds;
  }

  /** Constant i in the order of use: width() before round 0, after which each S-box adds one. */
  public BigInteger roundConstant(int i) {
    return derived.roundConstants[i];
  }

  /** Number of round constants: FULL_ROUNDS · width() + partialRounds(). */
  public int roundConstants() {
    return derived.roundConstants.length;
  }

  /** Element of the matrix of full rounds. */
  public BigInteger matrix(int row, int column) {
    return derived.matrix[row][column];
  }

  /** Element of the matrix that follows the last full round before the partial ones. */
  public BigInteger preSparse(int row, int column) {
    return derived.preSparse[row][column];
  }

  /** The linear layer of a partial round. */
  public SparseMatrix sparse(int partialRound) {
    return derived.sparse.get(partialRound);
  }

  private static Derived derive(int width) {
    int partial = partialRounds(width);
    BigInteger[][] matrix = cauchy(width);
    BigInteger[][] inverse = inverse(matrix);
    BigInteger[][] plain = new Grain(width, partial).roundConstants();
    List<SparseMatrix> sparse = new ArrayList<>();
    BigInteger[][] current = matrix;
    for (int i = 0; i < partial; i++) {
      BigInteger[][] lower = lowerRight(current);
      BigInteger[] below = new BigInteger[width - 1];
      for (int j = 1; j < width; j++) {
        below[j - 1] = current[j][0];
      }
      BigInteger[] column = new BigInteger[width];
      column[0] = current[0][0];
      System.arraycopy(times(inverse(lower), below), 0, column, 1, width - 1);
      sparse.add(0, new SparseMatrix(column, Arrays.copyOfRange(current[0], 1, width)));
      current = times(matrix, bordered(lower));
    }
    return new Derived(
        width, partial, compress(plain, inverse, partial), matrix, current, List.copyOf(sparse));
  }

  // ---- round numbers

  /** Smallest number of S-boxes that the paper's inequalities allow, for 128 bits of security. */
  private static int partialRounds(int width) {
    int bestFull = 0;
    int bestPartial = 0;
    int fewest = Integer.MAX_VALUE;
    for (int partial = 1; partial < 400; partial++) {
      for (int full = 4; full < 100; full += 2) {
        int boxes = width * full + partial;
        boolean better = boxes < fewest || boxes == fewest && full < bestFull;
        if (better && isSecure(width, full, partial)) {
          fewest = boxes;
          bestFull = full;
          bestPartial = partial;
        }
      }
    }
    if (bestFull + 2 != FULL_ROUNDS) {
      throw new IllegalArgumentException("no round numbers for width " + width);
    }
    return (int) Math.ceil(bestPartial * 1.075f);
  }

  private static boolean isSecure(int width, int full, int partial) {
    float fieldBits = 256;
    float security = 128;
    float logWidth = (float) (Math.log(width) / Math.log(2));
    float statistical = security <= (fieldBits - 3) * (width + 1) ? 6 : 10;
    float interpolation = 0.43f * security + logWidth - partial;
    float groebner = 0.21f * fieldBits - partial;
    float groebnerWide = (0.14f * fieldBits - 1 - partial) / (width - 1);
    float needed = Math.max(Math.max(statistical, interpolation), Math.max(groebner, groebnerWide));
    return full >= Math.ceil(needed);
  }

  // ---- round constants

  /** The LFSR of 80 bits that round constants are drawn from. */
  private static final class Grain {
    private static final int STATE_BITS = 80;
    private static final int[] TAPS = {62, 51, 38, 23, 13, 0};

    private final boolean[] state = new boolean[STATE_BITS];
    private final int width;
    private final int rounds;
    private int filled;
    private int at;

    Grain(int width, int partial) {
      this.width = width;
      this.rounds = FULL_ROUNDS + partial;
      int sboxOfPower = 1;
      fill(1, 2);
      fill(sboxOfPower, 4);
      fill(Numbers.FIELD_BITS, 12);
      fill(width, 12);
      fill(FULL_ROUNDS, 10);
      fill(partial, 10);
      fill((1 << 30) - 1, 30);
      for (int i = 0; i < 2 * STATE_BITS; i++) {
        step();
      }
    }

    private void fill(int value, int bits) {
      for (int i = bits - 1; i >= 0; i--) {
        state[filled++] = (value >>> i & 1) == 1;
      }
    }

    private boolean step() {
      boolean next = false;
      for (int tap : TAPS) {
        next ^= state[(at + tap) % STATE_BITS];
      }
      state[at] = next;
      at = (at + 1) % STATE_BITS;
      return next;
    }

    /** Of each pair of bits, the second counts if the first is 1. */
    private boolean bit() {
      while (true) {
        boolean counts = step();
        boolean bit = step();
        if (counts) {
          return bit;
        }
      }
    }

    private BigInteger element() {
      while (true) {
        BigInteger value = BigInteger.ZERO;
        for (int i = Numbers.FIELD_BITS - 1; i >= 0; i--) {
          value = bit() ? value.setBit(i) : value;
        }
        if (value.compareTo(P) < 0) {
          return value;
        }
      }
    }

    BigInteger[][] roundConstants() {
      BigInteger[][] result = new BigInteger[rounds][width];
      for (BigInteger[] round : result) {
        for (int i = 0; i < width; i++) {
          round[i] = element();
        }
      }
      return result;
    }
  }

  /**
   * Moves constants through the linear layers: those of full rounds behind the S-boxes before them,
   * those of partial rounds down to one each.
   */
  private static BigInteger[] compress(BigInteger[][] plain, BigInteger[][] inverse, int partial) {
    int half = FULL_ROUNDS / 2;
    List<BigInteger> result = new ArrayList<>(Arrays.asList(plain[0]));
    for (int round = 1; round < half; round++) {
      result.addAll(Arrays.asList(times(inverse, plain[round])));
    }
    BigInteger[] partialConstants = new BigInteger[partial];
    BigInteger[] accumulated = plain[half + partial];
    for (int i = partial - 1; i >= 0; i--) {
      BigInteger[] moved = times(inverse, accumulated);
      partialConstants[i] = moved[0];
      moved[0] = BigInteger.ZERO;
      accumulated = plus(plain[half + i], moved);
    }
    result.addAll(Arrays.asList(times(inverse, accumulated)));
    result.addAll(Arrays.asList(partialConstants));
    for (int round = half + partial + 1; round < plain.length; round++) {
      result.addAll(Arrays.asList(times(inverse, plain[round])));
    }
    return result.toArray(new BigInteger[0]);
  }

  // ---- matrices

  private static BigInteger[][] cauchy(int width) {
    BigInteger[][] matrix = new BigInteger[width][width];
    for (int i = 0; i < width; i++) {
      for (int j = 0; j < width; j++) {
        matrix[i][j] = BigInteger.valueOf(i + width + j).modInverse(P);
      }
    }
    return matrix;
  }

  private static BigInteger[][] lowerRight(BigInteger[][] matrix) {
    BigInteger[][] result = new BigInteger[matrix.length - 1][];
    for (int i = 0; i < result.length; i++) {
      result[i] = Arrays.copyOfRange(matrix[i + 1], 1, matrix.length);
    }
    return result;
  }

  /** The matrix with a row and a column of the identity before it. */
  private static BigInteger[][] bordered(BigInteger[][] matrix) {
    BigInteger[][] result = new BigInteger[matrix.length + 1][matrix.length + 1];
    for (BigInteger[] row : result) {
      Arrays.fill(row, BigInteger.ZERO);
    }
    result[0][0] = BigInteger.ONE;
    for (int i = 0; i < matrix.length; i++) {
      System.arraycopy(matrix[i], 0, result[i + 1], 1, matrix.length);
    }
    return result;
  }

  private static BigInteger[] plus(BigInteger[] a, BigInteger[] b) {
    BigInteger[] sum = new BigInteger[a.length];
    for (int i = 0; i < a.length; i++) {
      sum[i] = a[i].add(b[i]).mod(P);
    }
    return sum;
  }

  private static BigInteger[] times(BigInteger[][] matrix, BigInteger[] vector) {
    BigInteger[] result = new BigInteger[matrix.length];
    for (int i = 0; i < result.length; i++) {
      BigInteger sum = BigInteger.ZERO;
      for (int j = 0; j < vector.length; j++) {
        sum = sum.add(matrix[i][j].multiply(vector[j]));
      }
      result[i] = sum.mod(P);
    }
    return result;
  }

  private static BigInteger[][] times(BigInteger[][] a, BigInteger[][] b) {
    int size = a.length;
    BigInteger[][] product = new BigInteger[size][size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        BigInteger sum = BigInteger.ZERO;
        for (int k = 0; k < size; k++) {
          sum = sum.add(a[i][k].multiply(b[k][j]));
        }
        product[i][j] = sum.mod(P);
      }
    }
    return product;
  }

  /** Gauss-Jordan elimination; a matrix without an inverse is refused. */
  private static BigInteger[][] inverse(BigInteger[][] matrix) {
    int size = matrix.length;
    BigInteger[][] rows = new BigInteger[size][];
    for (int i = 0; i < size; i++) {
      rows[i] = Arrays.copyOf(matrix[i], 2 * size);
      Arrays.fill(rows[i], size, 2 * size, BigInteger.ZERO);
      rows[i][size + i] = BigInteger.ONE;
    }
    for (int column = 0; column < size; column++) {
      int pivot = column;
      while (rows[pivot][column].signum() == 0) {
        pivot++;
      }
      BigInteger[] swapped = rows[pivot];
      rows[pivot] = rows[column];
      rows[column] = scale(swapped, swapped[column].modInverse(P));
      for (int i = 0; i < size; i++) {
        if (i != column && rows[i][column].signum() != 0) {
          rows[i] = plus(rows[i], scale(rows[column], P.subtract(rows[i][column])));
        }
      }
    }
    for (int i = 0; i < size; i++) {
      rows[i] = Arrays.copyOfRange(rows[i], size, 2 * size);
    }
    return rows;
  }

  private static BigInteger[] scale(BigInteger[] row, BigInteger factor) {
    return Arrays.stream(row)
        .map(value -> value.multiply(factor).mod(P))
        .toArray(BigInteger[]::new);
  }
}
