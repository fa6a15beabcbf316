package dev.cuzk.cli;

import dev.cuzk.device.CpuBackend;
import dev.cuzk.device.CudaBackend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.Gpu;
import dev.cuzk.device.GpuInventory;
import java.util.ArrayList;
import java.util.List;

/** What {@code doctor} says about libraries, driver and GPUs. */
final class DeviceHealth {
  private static final String DRIVER_REMEDY =
      "Install NVIDIA's driver (525 or later for CUDA 12, 580 or later for CUDA 13), or use --gpus"
          + " none.";

  private DeviceHealth() {}

  static List<HealthCheck> checks(DeviceOptions options) {
    List<HealthCheck> checks = new ArrayList<>();
    checks.add(cpuLibrary());
    GpuInventory inventory = GpuInventory.find();
    if (inventory.gpus().isEmpty()) {
      boolean wanted = options.gpus != null && !options.gpus.equalsIgnoreCase("none");
      boolean broken = inventory.hardware() && !inventory.hiddenOnPurpose();
      checks.add(
          wanted || broken
              ? HealthCheck.fail("gpu", inventory.problem(), DRIVER_REMEDY)
              : HealthCheck.ok("gpu", inventory.problem() + "; the CPU is used"));
      return checks;
    }
    checks.add(
        HealthCheck.ok("driver", "understands CUDA " + cudaVersion(inventory.driverVersion())));
    checks.add(cudaLibrary());
    for (Gpu gpu : inventory.gpus()) {
      String name = "gpu " + gpu.ordinal();
      String found = gpu.name() + ", " + gpu.uuid() + ", " + MemorySize.format(gpu.memoryTotal());
      checks.add(
          gpu.usable()
              ? HealthCheck.ok(name, found)
              : HealthCheck.warn(name, found + ": " + gpu.problem(), "Leave it out with --gpus."));
    }
    return checks;
  }

  private static HealthCheck cpuLibrary() {
    try {
      return HealthCheck.ok("CPU library", CpuBackend.buildId());
    } catch (DeviceException e) {
      return HealthCheck.fail("CPU library", e.getMessage(), "");
    }
  }

  private static HealthCheck cudaLibrary() {
    try {
      return HealthCheck.ok("CUDA library", CudaBackend.buildId());
    } catch (DeviceException e) {
      return HealthCheck.fail("CUDA library", e.getMessage(), "Or use --gpus none.");
    }
  }

  /** 13000 is 13.0, as cuDriverGetVersion counts. */
  private static String cudaVersion(int version) {
    return version / 1000 + "." + version % 1000 / 10;
  }
}
