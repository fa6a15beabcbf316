package dev.cuzk.math;

/**
 * Poseidon's permutation on canonical numbers of four words, step by step: a hash and the trace of
 * its circuit walk through it alike. The steps are S-box of one element, full layer, partial layer.
 *
 * <p>Not safe for use by several threads.
 */
public final class PoseidonState {
  private static final int DIGITS = ScalarDigits.DIGITS;
  private static final int EXPANDED = ScalarDigits.EXPANDED;

  private final PoseidonLayers layers;
  private final ScalarDigits arithmetic = new ScalarDigits();
  private final int width;
  private final int half;
  private final int partialRounds;
  private final long[] firstElement = new long[EXPANDED];

  /** The state as a full layer leaves it, and room for the next. */
  private long[] state;

  private long[] next;

  /**
   * In partial rounds: the state from {@link #start} on. An element enters in front in each round,
   * and the oldest is left behind.
   */
  private final long[] window;

  /** Where the state is: {@link #state} from 0, or the window from somewhere. */
  private long[] current;

  private int start;

  /** The square and the fourth power that the last S-box went through. */
  private final long[] powers = new long[2 * DIGITS];

  private int nextConstant;
  private int round;

  public PoseidonState(PoseidonConstants constants) {
    this.layers = PoseidonLayers.of(constants);
    this.width = constants.width();
    this.half = constants.fullRounds() / 2;
    this.partialRounds = constants.partialRounds();
    this.state = new long[width * EXPANDED];
    this.next = new long[width * EXPANDED];
    this.window = new long[(partialRounds + width) * EXPANDED];
    this.current = state;
    this.start = 0;
    Field field = constants.field();
    long[] words = new long[4];
    field.set(words, 0, constants.domainTag());
    field.add(words, 0, words, 0, constants.compressedConstants(), 0);
    field.power(words, 0, words, 0, 5);
    field.add(words, 0, words, 0, constants.compressedConstants(), width * 4);
    field.fromMontgomery(words, 0, words, 0);
    ScalarDigits.load(firstElement, 0, words, 0);
    ScalarDigits.expand(firstElement, 0);
  }

  /** Begins a hash: the domain's tag is through its first S-box already. */
  public void begin() {
    current = state;
    start = 0;
    System.arraycopy(firstElement, 0, state, 0, EXPANDED);
    nextConstant = 2 * width * DIGITS;
    round = 0;
  }

  /** Takes element i ≥ 1 of the state, canonical, with its constant through the first S-box. */
  public void absorb(int i, long[] words, int at) {
    int to = i * EXPANDED;
    ScalarDigits.load(state, to, words, at);
    ScalarDigits.addDigits(state, to, state, to, layers.constants, i * DIGITS);
    power5(to, (width + i) * DIGITS);
  }

  /** Puts an element through the S-box and adds the next constant, if there is one left. */
  public void substitute(int i) {
    boolean last = nextConstant == layers.constants.length;
    power5(start + i * EXPANDED, last ? -1 : nextConstant);
    if (!last) {
      nextConstant += DIGITS;
    }
  }

  private void power5(int at, int constant) {
    arithmetic.square(powers, 0, current, at);
    arithmetic.square(powers, DIGITS, powers, 0);
    long[] plus = constant < 0 ? null : layers.constants;
    arithmetic.multiply(current, at, current, at, powers, DIGITS, plus, constant);
  }

  /** The linear layer of a full round but the last. */
  public void mixFull() {
    boolean enter = ++round == half;
    long[] to = enter ? window : next;
    int at = enter ? partialRounds * EXPANDED : 0;
    multiply(to, at, enter ? layers.entry : layers.full);
    if (!enter) {
      next = state;
      state = to;
    }
    current = to;
    start = at;
  }

  private void multiply(long[] to, int at, long[] matrix) {
    int column = width * EXPANDED;
    for (int j = 0; j < width; j++) {
      arithmetic.dot(to, at + j * EXPANDED, current, start, matrix, j * column, width, null, 0);
    }
  }

  /** The linear layer of a partial round. */
  public void mixPartial() {
    if (++round == half + partialRounds) {
      multiply(state, 0, layers.exit);
      current = state;
      start = 0;
      return;
    }
    long[] w = window;
    int to = start - EXPANDED;
    arithmetic.dot(w, to, w, start, layers.output, 0, width, null, 0);
    arithmetic.dot(w, start, w, start + EXPANDED, layers.feedback, 0, width - 1, w, start);
    start = to;
  }

  /** The second element of the last layer, which is the hash. */
  public void finish(long[] words, int at) {
    int column = width * EXPANDED;
    arithmetic.dot(next, 0, current, start, layers.full, column, width, null, 0);
    ScalarDigits.store(words, at, next, 0);
  }

  /** An element of the state. */
  public void element(long[] words, int at, int i) {
    ScalarDigits.store(words, at, current, start + i * EXPANDED);
  }

  /** The square (0) or the fourth power (1) that the last S-box went through. */
  public void power(long[] words, int at, int which) {
    ScalarDigits.store(words, at, powers, which * DIGITS);
  }
}
