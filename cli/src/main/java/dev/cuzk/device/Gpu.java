package dev.cuzk.device;

/**
 * A GPU that the driver shows to this process.
 *
 * @param ordinal among the visible devices, as CUDA counts them
 * @param uuid {@code GPU-…} or {@code MIG-…}, lower-case hex
 * @param pciId {@code 00000000:01:00.0}
 * @param memoryTotal bytes
 * @param problem why it cannot be used; empty if it can
 */
public record Gpu(
    int ordinal,
    String uuid,
    String pciId,
    String name,
    int computeMajor,
    int computeMinor,
    long memoryTotal,
    String problem) {
  /** Whether proofs can be made on it. */
  public boolean usable() {
    return problem.isEmpty();
  }
}
