package dev.cuzk.device;

/**
 * How a device is opened.
 *
 * @param ordinal CUDA ordinal; ignored by the CPU
 * @param threads CPU threads, 0 = as many as the affinity mask allows
 * @param memoryLimit bytes of device memory (CPU: host memory) to stay below; 0 = no limit
 * @param arithmetic CPU: {@code auto}, {@code portable}, {@code adx}, {@code ifma}
 */
public record BackendOptions(int ordinal, int threads, long memoryLimit, String arithmetic) {
  public BackendOptions {
    if (ordinal < 0 || threads < 0 || memoryLimit < 0) {
      throw new IllegalArgumentException("ordinal, threads and memory limit are not negative");
    }
  }

  /** The CPU with so many threads; 0 = all. */
  public static BackendOptions cpu(int threads) {
    return new BackendOptions(0, threads, 0, "auto");
  }

  /** One GPU without a limit. */
  public static BackendOptions gpu(int ordinal) {
    return new BackendOptions(ordinal, 0, 0, "auto");
  }
}
