package dev.cuzk.device;

import com.sun.jna.Memory;
import dev.cuzk.device.Backend.MemoryNeeds;
import dev.cuzk.key.ProvingKey;

/**
 * What keys and proofs take on a device, by the native libraries' own formulas. Either library
 * knows those of both, so that planning for a GPU takes neither a GPU nor libcuzk-cuda.
 *
 * <p>Safe for use by several threads.
 */
public final class Planner {
  /**
   * A plan and what it takes.
   *
   * @param fits false if it is the smallest plan and still too large
   */
  public record Choice(Plan plan, MemoryNeeds needs, boolean fits) {}

  private final NativeLibrary library;
  private final NativeLibrary.Kind backend;

  Planner(NativeLibrary library, NativeLibrary.Kind backend) {
    this.library = library;
    this.backend = backend;
  }

  /** For GPUs, through the CPU library. */
  public static Planner forGpus() throws DeviceException {
    return new Planner(NativeLibrary.get(NativeLibrary.Kind.CPU), NativeLibrary.Kind.CUDA);
  }

  /** For the processor. */
  public static Planner forCpu() throws DeviceException {
    return new Planner(NativeLibrary.get(NativeLibrary.Kind.CPU), NativeLibrary.Kind.CPU);
  }

  /** What a key and {@code plan.batch()} proofs under it need. */
  public MemoryNeeds needs(ProvingKey key, Plan plan) throws DeviceException {
    Memory needs = new Memory(NativeLayout.NEEDS_SIZE);
    library.call(
        "plan",
        "cuzk_plan_needs",
        NativeLayout.shape(key),
        NativeLayout.plan(backend, plan),
        needs);
    return NativeLayout.needs(needs);
  }

  /** See {@link Backend#choosePlan}. */
  public Choice choose(ProvingKey key, long memory, Plan wish) throws DeviceException {
    Memory needs = new Memory(NativeLayout.NEEDS_SIZE);
    Memory plan = NativeLayout.plan(backend, wish);
    boolean fits = true;
    try {
      library.call("plan", "cuzk_plan_choose", NativeLayout.shape(key), memory, plan, needs);
    } catch (DeviceException failure) {
      if (failure.status() != DeviceStatus.OUT_OF_DEVICE_MEMORY
          && failure.status() != DeviceStatus.OUT_OF_HOST_MEMORY) {
        throw failure;
      }
      fits = false;
    }
    return new Choice(NativeLayout.plan(plan), NativeLayout.needs(needs), fits);
  }
}
