package dev.cuzk.cli;

import dev.cuzk.device.DeviceSelection;
import dev.cuzk.device.DeviceSelectionException;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which devices, and how much of the machine: shared by {@code prove} and {@code bench}. */
final class DeviceOptions {
  private static final Set<String> ARITHMETICS = Set.of("auto", "portable", "adx", "ifma");

  @Option(
      names = "--gpus",
      paramLabel = "LIST",
      description =
          "Ordinals among the visible devices, UUID prefixes (GPU-..., MIG-...), all, or none for"
              + " the CPU (all; the CPU if there is no GPU).")
  String gpus;

  @Option(
      names = "--no-cpu-repeat",
      fallbackValue = "true",
      description = "Do not repeat on the CPU what a GPU proved wrongly.")
  boolean noCpuRepeat;

  @Option(
      names = "--host-memory",
      paramLabel = "SIZE",
      description = "Host memory to stay below (the cgroup's limit less a margin).")
  MemorySize hostMemory;

  @Option(
      names = "--gpu-memory",
      paramLabel = "SIZE",
      description = "Memory to use of each GPU (what is free, less max(1 GiB, 5 %%)).")
  MemorySize gpuMemory;

  @Option(
      names = "--pinned-memory",
      paramLabel = "SIZE",
      description = "Page-locked memory (a quarter of the host budget, at most 16 GiB).")
  MemorySize pinnedMemory;

  @Mixin ThreadOption threads = new ThreadOption();

  @Option(
      names = "--cpu-arithmetic",
      paramLabel = "NAME",
      description = "auto, portable, adx or ifma (auto).")
  String arithmetic = "auto";

  /** Refuses what no machine could give. */
  void check(BaseCommand command) {
    threads.check(command);
    arithmetic = arithmetic.toLowerCase(Locale.ROOT);
    if (!ARITHMETICS.contains(arithmetic)) {
      throw command.usage(
          "--cpu-arithmetic must be auto, portable, adx or ifma, found '" + arithmetic + "'");
    }
    positive(command, "--host-memory", hostMemory);
    positive(command, "--gpu-memory", gpuMemory);
    positive(command, "--pinned-memory", pinnedMemory);
    if (gpus != null && gpus.isBlank()) {
      throw command.usage("--gpus must not be empty; 'none' means the CPU");
    }
    try {
      if (gpus != null) {
        DeviceSelection.requireWellFormed(gpus);
      }
    } catch (DeviceSelectionException e) {
      throw command.usage(e.getMessage());
    }
  }

  private static void positive(BaseCommand command, String option, MemorySize size) {
    if (size != null && size.bytes() == 0) {
      throw command.usage(option + " must be more than 0");
    }
  }

  int threadsOr(HostLimits limits) {
    return threads.or(limits);
  }

  long hostBudget(HostLimits limits) {
    return hostMemory == null ? limits.hostBudget() : hostMemory.bytes();
  }

  long pinnedBudget(HostLimits limits) {
    long host = hostBudget(limits);
    return pinnedMemory == null
        ? Math.max(1, Math.min(host / 4, 16L << 30))
        : Math.min(host, pinnedMemory.bytes());
  }
}
