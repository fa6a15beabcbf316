package dev.cuzk.synthesis.filecoin;

import dev.cuzk.math.Sha256Constants;
import java.util.Arrays;

/**
 * SHA-256 with the bits that its circuit allocates ({@link dev.cuzk.circuit.gadget.Sha256Gadget},
 * whose order this is), a word of 32 bits at a time.
 *
 * <p>A word is three: its value, which of its bits are constants of the circuit, and which of the
 * others are negations of the variables behind them. An operation allocates a bit only where its
 * operands are no constants; the bit is that of the value, negated where the result is a negation.
 * Words of the state are constant as a whole or not at all, and never negated.
 *
 * <p>Holds room for a block: one instance serves one thread at a time.
 */
final class Sha256Trace {
  /** Words of a block. */
  static final int BLOCK_WORDS = 16;

  /** Words of a digest. */
  static final int STATE_WORDS = Sha256Constants.STATE_WORDS;

  private static final int ROUNDS = Sha256Constants.ROUNDS;
  private static final long LOW_WORD = 0xffffffffL;

  private final int[] schedule = new int[ROUNDS];
  private final int[] scheduleConstant = new int[ROUNDS];
  private final int[] incoming = new int[STATE_WORDS];
  private boolean incomingConstant;
  private final int[] words = new int[STATE_WORDS];
  private final boolean[] wordConstant = new boolean[STATE_WORDS];
  private ValueWriter out;

  // The result of the last operation that gives a word.
  private int value;
  private int constant;

  /** Sums of a and e that the next round makes. */
  private long pendingA;

  private long pendingE;
  private boolean pendingConstant;

  /**
   * Hashes whole blocks, padding among them.
   *
   * @param message big-endian words
   * @param constants of each word the bits that are constants
   * @param digest takes eight words
   */
  void hash(ValueWriter writer, int[] message, int[] constants, int[] digest) {
    out = writer;
    Arrays.setAll(incoming, Sha256Constants::initial);
    incomingConstant = true;
    for (int first = 0; first < message.length; first += BLOCK_WORDS) {
      System.arraycopy(message, first, schedule, 0, BLOCK_WORDS);
      System.arraycopy(constants, first, scheduleConstant, 0, BLOCK_WORDS);
      compress();
    }
    System.arraycopy(incoming, 0, digest, 0, STATE_WORDS);
  }

  private void compress() {
    for (int i = BLOCK_WORDS; i < ROUNDS; i++) {
      extend(i);
    }
    System.arraycopy(incoming, 0, words, 0, STATE_WORDS);
    Arrays.fill(wordConstant, incomingConstant);
    for (int i = 0; i < ROUNDS; i++) {
      round(i);
    }
    finish();
  }

  private void extend(int i) {
    sigma(schedule[i - 15], scheduleConstant[i - 15], 7, 18, 3, true);
    long sum = (schedule[i - 16] & LOW_WORD) + (value & LOW_WORD);
    int fixed = scheduleConstant[i - 16] & constant;
    sigma(schedule[i - 2], scheduleConstant[i - 2], 17, 19, 10, true);
    sum += (schedule[i - 7] & LOW_WORD) + (value & LOW_WORD);
    fixed &= scheduleConstant[i - 7] & constant;
    schedule[i] = (int) sum;
    scheduleConstant[i] = fixed == -1 ? -1 : 0;
    sum(sum, 4, fixed == -1);
  }

  /** The bits of a sum of so many words, carries too. */
  private void sum(long sum, int operands, boolean isConstant) {
    if (!isConstant) {
      out.bits(sum, Long.SIZE - Long.numberOfLeadingZeros(operands * LOW_WORD));
    }
  }

  /** Two exclusive ors of three rotations, or two and a shift, of a word that is not negated. */
  private void sigma(int word, int fixed, int first, int second, int third, boolean shift) {
    int a = Integer.rotateRight(word, first);
    int b = Integer.rotateRight(word, second);
    int aFixed = Integer.rotateRight(fixed, first);
    int bFixed = Integer.rotateRight(fixed, second);
    int c = shift ? word >>> third : Integer.rotateRight(word, third);
    int cFixed = shift ? fixed >>> third | ~(-1 >>> third) : Integer.rotateRight(fixed, third);
    // Exclusive or with a constant 1 is a negation.
    int both = a ^ b;
    int bothFixed = aFixed & bFixed;
    int bothNegated = (aFixed & a ^ bFixed & b) & ~bothFixed;
    out.bitsWhere(both ^ bothNegated, ~(aFixed | bFixed));
    value = both ^ c;
    constant = bothFixed & cFixed;
    int negated = (bothNegated ^ bothFixed & both ^ cFixed & c) & ~constant;
    out.bitsWhere(value ^ negated, ~(bothFixed | cFixed));
  }

  private void round(int i) {
    if (i > 0) {
      words[4] = (int) pendingE;
      wordConstant[4] = pendingConstant;
      sum(pendingE, 6, pendingConstant);
    }
    int e = words[4];
    sigma(e, wordConstant[4] ? -1 : 0, 6, 11, 25, false);
    long common = (words[7] & LOW_WORD) + (value & LOW_WORD);
    int f = words[5];
    int g = words[6];
    int choice = e & f | ~e & g;
    choose(4, choice);
    common += choice & LOW_WORD;
    if (i > 0) {
      words[0] = (int) pendingA;
      wordConstant[0] = pendingConstant;
      sum(pendingA, 7, pendingConstant);
    }
    int a = words[0];
    sigma(a, wordConstant[0] ? -1 : 0, 2, 13, 22, false);
    int s0 = value;
    int b = words[1];
    int c = words[2];
    int majority = a & b | c & (a | b);
    if (wordConstant[2]) {
      choose(0, majority);
    } else {
      out.bitPairs(majority, b & c);
    }
    common += (Sha256Constants.round(i) & LOW_WORD) + (schedule[i] & LOW_WORD);
    pendingE = common + (words[3] & LOW_WORD);
    pendingA = common + (s0 & LOW_WORD) + (majority & LOW_WORD);
    // The newest words are the last to become variables, the oldest stay constants longest.
    pendingConstant = wordConstant[0] && scheduleConstant[i] == -1;
    System.arraycopy(words, 0, words, 1, STATE_WORDS - 1);
    System.arraycopy(wordConstant, 0, wordConstant, 1, STATE_WORDS - 1);
  }

  /**
   * The bits of Ch or Maj of three words from {@code first} on. While the second is a constant the
   * result is the first, its negation or a constant; while the third alone is one, 1 makes it the
   * negation of an AND.
   */
  private void choose(int first, int result) {
    if (!wordConstant[first + 1]) {
      out.bits(wordConstant[first + 2] ? result ^ words[first + 2] : result, Integer.SIZE);
    }
  }

  private void finish() {
    boolean wasConstant = incomingConstant;
    incomingConstant = false;
    for (int i = 0; i < STATE_WORDS; i++) {
      boolean deferred = i % (STATE_WORDS / 2) == 0;
      long summed = deferred ? i == 0 ? pendingA : pendingE : words[i] & LOW_WORD;
      long sum = summed + (incoming[i] & LOW_WORD);
      incoming[i] = (int) sum;
      boolean isConstant = wasConstant && (deferred ? pendingConstant : wordConstant[i]);
      sum(sum, deferred ? i == 0 ? 8 : 7 : 2, isConstant);
    }
  }
}
