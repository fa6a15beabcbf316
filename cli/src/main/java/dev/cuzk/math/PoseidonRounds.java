package dev.cuzk.math;

/**
 * How many rounds Poseidon makes: the fewest S-boxes that its inequalities against statistical,
 * interpolation and Gröbner basis attacks allow for 128 bits of security over a field of 256 bits,
 * then a margin of 2 full rounds and 7.5 % of partial rounds (ePrint 2019/458, section 5.5; with
 * the arithmetic of single precision in which neptune evaluates them).
 */
record PoseidonRounds(int full, int partial) {
  private static final float FIELD_BITS = 256;
  private static final float SECURITY_BITS = 128;
  private static final int MOST_FULL = 100;
  private static final int FEWEST_PARTIAL = 4;
  private static final int MOST_PARTIAL = 200;

  static PoseidonRounds ofWidth(int width) {
    PoseidonRounds best = null;
    for (int full = 2; full <= MOST_FULL; full += 2) {
      for (int partial = FEWEST_PARTIAL; partial < MOST_PARTIAL; partial++) {
        if (isSecure(width, full, partial)) {
          PoseidonRounds found =
              new PoseidonRounds(full + 2, (int) Math.ceil(1.075f * (float) partial));
          if (best == null || found.cost(width) < best.cost(width)) {
            best = found;
          }
        }
      }
    }
    return best;
  }

  private int cost(int width) {
    return width * full + partial;
  }

  private static boolean isSecure(int width, int full, float partial) {
    float statistical = SECURITY_BITS <= (FIELD_BITS - 3) * (width + 1) ? 6 : 10;
    float log2 = (float) (Math.log(width) / Math.log(2));
    float interpolation = 0.43f * SECURITY_BITS + log2 - partial;
    float groebner1 = 0.21f * FIELD_BITS - partial;
    float groebner2 = (0.14f * FIELD_BITS - 1 - partial) / (width - 1);
    float needed = Math.max(Math.max(statistical, interpolation), Math.max(groebner1, groebner2));
    return full >= Math.ceil(needed);
  }
}
