package dev.cuzk.device;

/**
 * How a device keeps a key and proves under it; {@code cuzk_plan} of cuzk.h. The CPU's plans are
 * {@link #RESIDENT} and differ in their tables.
 *
 * @param residentKey whether the key stays on the device, or is streamed there for every job
 * @param batch proofs that share one pass over a streamed key, or run side by side under a resident
 *     one
 * @param tableLevels precomputed multiples of a point, 0 = none
 * @param windowBits of the multi-scalar multiplications, 0 = as the library likes
 * @param chunkLog2 sums go over at most 2^chunkLog2 points at a time; 0 = all, which a streamed key
 *     cannot have
 */
public record Plan(boolean residentKey, int batch, int tableLevels, int windowBits, int chunkLog2) {
  /** The key on the device, proofs singly, no tables, everything at once. */
  public static final Plan RESIDENT = new Plan(true, 1, 0, 0, 0);

  /** A sum has fewer windows than that, so the library may choose freely. */
  public static final int MOST_TABLE_LEVELS = 127;

  public Plan {
    if (batch < 1 || tableLevels < 0 || windowBits < 0 || chunkLog2 < 0) {
      throw new IllegalArgumentException("a plan has no negative numbers, and at least one proof");
    }
  }

  /** The same with as many proofs together. */
  public Plan withBatch(int proofs) {
    return new Plan(residentKey, proofs, tableLevels, windowBits, chunkLog2);
  }

  /** The same with so many multiples of a point at most. */
  public Plan withTables(int levels) {
    return new Plan(residentKey, batch, levels, windowBits, chunkLog2);
  }

  /** For messages and reports: {@code resident key}, {@code key streamed for 4 proofs} … */
  @Override
  public String toString() {
    String text = residentKey ? "resident key" : "key streamed for " + proofs();
    text += tableLevels > 0 ? ", " + tableLevels + " table levels" : "";
    text += windowBits > 0 ? ", windows of " + windowBits + " bits" : "";
    return text + (chunkLog2 > 0 ? ", 2^" + chunkLog2 + " points at a time" : "");
  }

  private String proofs() {
    return batch == 1 ? "each proof" : batch + " proofs";
  }
}
