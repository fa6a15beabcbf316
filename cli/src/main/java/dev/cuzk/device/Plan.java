package dev.cuzk.device;

/**
 * How a key is kept on a device and how proofs are made with it; {@code cuzk_plan}.
 *
 * @param residentKey the key stays in device memory; else it is streamed for each submission
 * @param batch proofs that one pass over a streamed key serves, at least 1
 * @param tableLevels precomputed multiples a point, 0 = none
 * @param windowBits of the multi-scalar multiplications; 0 = the library's choice
 */
public record Plan(boolean residentKey, int batch, int tableLevels, int windowBits) {
  /** The key resident, no tables, windows as the library likes. */
  public static final Plan RESIDENT = new Plan(true, 1, 0, 0);

  public Plan {
    if (batch < 1 || tableLevels < 0 || windowBits < 0) {
      throw new IllegalArgumentException("a plan's numbers are not negative, its batch at least 1");
    }
  }

  /** For messages and reports: {@code resident key}, {@code key streamed for 4 proofs} … */
  @Override
  public String toString() {
    String text = residentKey ? "resident key" : "key streamed for " + proofs();
    text += tableLevels > 0 ? ", " + tableLevels + " table levels" : "";
    return text + (windowBits > 0 ? ", windows of " + windowBits + " bits" : "");
  }

  private String proofs() {
    return batch == 1 ? "each proof" : batch + " proofs";
  }
}
