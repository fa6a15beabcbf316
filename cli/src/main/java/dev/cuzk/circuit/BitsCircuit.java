package dev.cuzk.circuit;

import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;

/**
 * {@code bits-K}: a bit-heavy circuit with the proportions of a 32 GiB PoRep partition (FILECOIN
 * digests: 98.7 % of the values 0 or 1; 99.7 % of the variables occur in A and 25.4 % in B; 2.37
 * terms a row in A, 1.00 in B; here 98.7 %, 99.7 %, 25.0 %, 2.38, 1.00).
 *
 * <p>It has n = 2^K − max(2^(K−5), 2) rows (130,023,424 for K = 27), one new variable each. Rows
 * come in blocks of 76: 75 bits, then a packing; four blocks are a group. The last block may be
 * shorter: its first m − 1 bits, then their packing; a last block of a single row is left out (n is
 * one less then). The bit at position p of a block is told by letter p of {@link #PATTERN}; s is
 * the latest boolean before p − 1, t the one before that, x_q the bit at position q:
 *
 * <ul>
 *   <li>{@code b}, boolean: x_p is bit j of splitmix64(k), for boolean j of block k. Row (ONE −
 *       x_p) · x_p = 0.
 *   <li>{@code x}, exclusive or: x_p = x_{p−1} ⊕ s. Row (2 x_{p−1}) · s = x_{p−1} + s − x_p.
 *   <li>{@code c}, choice: x_p = s ? x_{p−1} : x_{p−2}. Row (x_{p−1} − x_{p−2}) · s = x_p −
 *       x_{p−2}.
 *   <li>{@code a}, and: x_p = x_{p−1} ∧ s. Row x_{p−1} · s = x_p.
 *   <li>{@code m}, majority, always after an {@code a}: x_p is the majority of x_{p−2}, s and t.
 *       Row (2 x_{p−1} − x_{p−2} − s) · t = x_{p−1} − x_p.
 * </ul>
 *
 * <p>Packing: v = Σ 2^⌊250 p / 74⌋ x_p over the block's bits, plus the packing of the block before
 * in the same group, if any: below 2^253, so never reduced modulo r. Row (that sum) · ONE = v.
 *
 * <p>The last packing is public. Variables: 0 is ONE, 1 the last row's, 2 + i row i's.
 */
final class BitsCircuit extends SizedCircuit {
  static final int MINIMUM_LOG2 = 3;

  /** The kinds of the bits of a block, by position: see the class comment. */
  static final String PATTERN =
      "bbbxxxx" + "bxxcbxxxbxambxxxbxxcbxxxbxambxxx" + "bxxcbxxxbxambxxcbxxxbxxxbxxcbxxx" + "xxxx";

  private static final int BITS_PER_BLOCK = 75;
  private static final int ROWS_PER_BLOCK = BITS_PER_BLOCK + 1;
  private static final int BLOCKS_PER_GROUP = 4;
  private static final int ROWS_PER_GROUP = ROWS_PER_BLOCK * BLOCKS_PER_GROUP;
  private static final int TOP_EXPONENT = 250;

  private final long rows = constraints();
  private final CoefficientTable table = new CoefficientTable();
  private final ConstraintTemplate group;
  private final ConstraintTemplate rest;

  /** For each position: the latest boolean before its predecessor, and the one before that. */
  private final int[] selector = new int[BITS_PER_BLOCK];

  private final int[] secondSelector = new int[BITS_PER_BLOCK];
  private final int[] booleanIndex = new int[BITS_PER_BLOCK];

  BitsCircuit(CurveId curve, int log2) {
    super("bits-" + log2, curve, rows(log2) + 1, rows(log2));
    findBooleans();
    this.group = define(ROWS_PER_GROUP);
    this.rest = define((int) (rows % ROWS_PER_GROUP));
  }

  private static long rows(int log2) {
    long wanted = (1L << log2) - Math.max(log2 < 5 ? 0 : 1L << (log2 - 5), 2);
    return wanted % ROWS_PER_BLOCK == 1 ? wanted - 1 : wanted;
  }

  private void findBooleans() {
    int latest = 0;
    int before = 0;
    int booleans = 0;
    for (int p = 0; p < BITS_PER_BLOCK; p++) {
      selector[p] = latest;
      secondSelector[p] = before;
      // A boolean at p - 1 becomes the selector only of what comes after p.
      if (p > 0 && PATTERN.charAt(p - 1) == 'b') {
        before = latest;
        latest = p - 1;
      }
      if (PATTERN.charAt(p) == 'b') {
        booleanIndex[p] = booleans++;
      }
    }
  }

  static int exponent(int position) {
    return TOP_EXPONENT * position / (BITS_PER_BLOCK - 1);
  }

  // ---- constraints

  private ConstraintTemplate define(int groupRows) {
    ConstraintTemplate.Recorder system = new ConstraintTemplate.Recorder(field, table);
    int previousPacking = ConstraintSystem.ONE;
    for (int first = 0; first < groupRows; first += ROWS_PER_BLOCK) {
      int bits = Math.min(ROWS_PER_BLOCK, groupRows - first) - 1;
      previousPacking = defineBlock(system, bits, previousPacking);
    }
    return system.template();
  }

  /** Gives the code of the packing. */
  private int defineBlock(ConstraintSystem system, int bits, int previousPacking) {
    LinearCombination a = new LinearCombination(field);
    LinearCombination b = new LinearCombination(field);
    LinearCombination c = new LinearCombination(field);
    int[] x = new int[bits];
    for (int p = 0; p < bits; p++) {
      x[p] = system.allocate();
      defineBit(p, x, a.clear(), b.clear(), c.clear());
      system.enforce(a, b, c);
    }
    a.clear();
    for (int p = 0; p < bits; p++) {
      a.plus(x[p], BigInteger.ONE.shiftLeft(exponent(p)));
    }
    if (previousPacking != ConstraintSystem.ONE) {
      a.plus(previousPacking);
    }
    int packing = system.allocate();
    system.enforce(a, b.clear().plus(ConstraintSystem.ONE), c.clear().plus(packing));
    return packing;
  }

  private void defineBit(
      int p, int[] x, LinearCombination a, LinearCombination b, LinearCombination c) {
    int s = x[selector[p]];
    switch (PATTERN.charAt(p)) {
      case 'b' -> {
        a.plus(ConstraintSystem.ONE).minus(x[p]);
        b.plus(x[p]);
      }
      case 'x' -> {
        a.plus(x[p - 1]).plus(x[p - 1]);
        b.plus(s);
        c.plus(x[p - 1]).plus(s).minus(x[p]);
      }
      case 'c' -> {
        a.plus(x[p - 1]).minus(x[p - 2]);
        b.plus(s);
        c.plus(x[p]).minus(x[p - 2]);
      }
      case 'a' -> {
        a.plus(x[p - 1]);
        b.plus(s);
        c.plus(x[p]);
      }
      default -> {
        a.plus(x[p - 1]).plus(x[p - 1]).minus(x[p - 2]).minus(s);
        b.plus(x[secondSelector[p]]);
        c.plus(x[p - 1]).minus(x[p]);
      }
    }
  }

  @Override
  public void forEach(long first, long count, Sink sink) {
    Objects.checkFromIndexSize(first, count, rows);
    long end = first + count;
    for (long row = first; row < end; ) {
      long groupFirst = row - row % ROWS_PER_GROUP;
      ConstraintTemplate template = groupFirst + ROWS_PER_GROUP <= rows ? group : rest;
      int from = (int) (row - groupFirst);
      int to = (int) Math.min(template.constraints(), end - groupFirst);
      template.replay(
          from,
          to,
          groupFirst,
          code -> wire(groupFirst + (code & ~ConstraintSystem.AUXILIARY)),
          sink);
      row = groupFirst + to;
    }
  }

  /** A group is a gadget; in the last one the last row's variable is the input. */
  @Override
  public Optional<CompactMatrices> compact() {
    CompactMatrices.Builder builder = new CompactMatrices.Builder();
    int[] none = {};
    int common = builder.template(group);
    long last = (rows - 1) / ROWS_PER_GROUP * ROWS_PER_GROUP;
    for (long first = 0; first < last; first += ROWS_PER_GROUP) {
      builder.place(common, first, (int) first, 0, none);
    }
    ConstraintTemplate end = rows - last == ROWS_PER_GROUP ? group : rest;
    int output = ConstraintSystem.AUXILIARY | end.constraints() - 1;
    int ending = builder.template(end.mapped(code -> code == output ? 1 : code));
    builder.place(ending, last, (int) last, 0, none);
    int auxiliaries = (int) rows - 1;
    return Optional.of(builder.build(name(), curve(), table, rows, 1, auxiliaries));
  }

  private long wire(long row) {
    return row == rows - 1 ? 1 : row + 2;
  }

  // ---- witness

  @Override
  public void writeWitness(Buffer target, ForkJoinPool pool) {
    requireSize(target);
    long groups = (rows + ROWS_PER_GROUP - 1) / ROWS_PER_GROUP;
    BuiltInCircuit.inParallel(
        pool,
        groups,
        1,
        (first, count) -> {
          byte[] x = new byte[BITS_PER_BLOCK];
          for (long index = first; index < first + count; index++) {
            writeGroup(target, index, x);
          }
        });
    ByteBuffer one = target.view(0, 32);
    one.putLong(0, 1).putLong(8, 0).putLong(16, 0).putLong(24, 0);
  }

  private void writeGroup(Buffer target, long index, byte[] x) {
    long firstRow = index * ROWS_PER_GROUP;
    int groupRows = (int) Math.min(ROWS_PER_GROUP, rows - firstRow);
    // The very last row's value goes to wire 1, apart from the others.
    boolean last = firstRow + groupRows == rows;
    int contiguous = last ? groupRows - 1 : groupRows;
    ByteBuffer values = target.view(32 * (firstRow + 2), 32 * contiguous);
    long[] packing = new long[4];
    for (int first = 0; first < groupRows; first += ROWS_PER_BLOCK) {
      int bits = Math.min(ROWS_PER_BLOCK, groupRows - first) - 1;
      makeBits(index * BLOCKS_PER_GROUP + first / ROWS_PER_BLOCK, bits, x);
      for (int p = 0; p < bits; p++) {
        int at = 32 * (first + p);
        values.putLong(at, x[p]).putLong(at + 8, 0).putLong(at + 16, 0).putLong(at + 24, 0);
        addBit(packing, exponent(p), x[p]);
      }
      boolean atWireOne = last && first + bits == groupRows - 1;
      ByteBuffer place = atWireOne ? target.view(32, 32) : values;
      int at = atWireOne ? 0 : 32 * (first + bits);
      for (int word = 0; word < 4; word++) {
        place.putLong(at + 8 * word, packing[word]);
      }
    }
  }

  private void makeBits(long block, int bits, byte[] x) {
    long random = SplitMix64.at(block);
    for (int p = 0; p < bits; p++) {
      byte s = x[selector[p]];
      x[p] =
          switch (PATTERN.charAt(p)) {
            case 'b' -> (byte) (random >>> booleanIndex[p] & 1);
            case 'x' -> (byte) (x[p - 1] ^ s);
            case 'c' -> s == 1 ? x[p - 1] : x[p - 2];
            case 'a' -> (byte) (x[p - 1] & s);
            default -> (byte) (x[p - 2] + s + x[secondSelector[p]] >> 1);
          };
    }
  }

  /** number += bit · 2^exponent; four packings of less than 2^251 stay below 2^253. */
  private static void addBit(long[] number, int exponent, long bit) {
    int word = exponent >> 6;
    long addend = bit << exponent;
    while (addend != 0) {
      long sum = number[word] + addend;
      addend = Long.compareUnsigned(sum, addend) < 0 ? 1 : 0;
      number[word++] = sum;
    }
  }

  @Override
  public String description() {
    return rows + " rows, 98.7 % of the values 0 or 1, densities of a PoRep partition";
  }
}
