package dev.cuzk.cli;

import dev.cuzk.device.Backend;
import dev.cuzk.device.BackendOptions;
import dev.cuzk.device.CpuBackend;
import dev.cuzk.device.CudaBackend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.DeviceSelection;
import dev.cuzk.device.DeviceSelectionException;
import dev.cuzk.device.Gpu;
import dev.cuzk.device.GpuInventory;
import java.util.ArrayList;
import java.util.List;

/** Opens the devices that the options ask for. */
final class Backends {
  private Backends() {}

  /**
   * What {@code --gpus} means on this machine.
   *
   * @param largestDomainLog2 of the keys to be used; −1 = not known yet
   */
  static DeviceSelection select(DeviceOptions options, int largestDomainLog2)
      throws DeviceException, CommandFailure {
    if (DeviceSelection.namesCpu(options.gpus)) {
      return DeviceSelection.cpu();
    }
    try {
      return DeviceSelection.choose(options.gpus, GpuInventory.find(), largestDomainLog2);
    } catch (DeviceSelectionException e) {
      throw new CommandFailure(ExitCode.USAGE, e.getMessage(), e);
    }
  }

  /** Opens every device of a selection; on failure those opened before are closed. */
  static List<Backend> open(DeviceSelection selection, DeviceOptions options, HostLimits limits)
      throws DeviceException {
    if (selection.isCpu()) {
      return List.of(openCpu(options, limits));
    }
    long limit = options.gpuMemory == null ? 0 : options.gpuMemory.bytes();
    // Each may copy keys at the same time as the others.
    int threads = Math.max(1, options.threadsOr(limits) / selection.gpus().size());
    List<Backend> opened = new ArrayList<>();
    try {
      for (Gpu gpu : selection.gpus()) {
        opened.add(CudaBackend.open(new BackendOptions(gpu.ordinal(), threads, limit, "auto")));
      }
      return opened;
    } catch (DeviceException | RuntimeException e) {
      opened.forEach(Backend::close);
      throw e;
    }
  }

  static Backend openCpu(DeviceOptions options, HostLimits limits) throws DeviceException {
    long limit = options.hostMemory == null ? 0 : options.hostMemory.bytes();
    return CpuBackend.open(
        new BackendOptions(0, options.threadsOr(limits), limit, options.arithmetic));
  }

  /** The one device of commands that use one: the first of the selection. */
  static Backend one(DeviceOptions options, HostLimits limits, Console console)
      throws DeviceException, CommandFailure {
    DeviceSelection selection = select(options, -1).first();
    if (!selection.notice().isEmpty()) {
      console.note("cuzk: " + selection.notice());
    }
    return open(selection, options, limits).get(0);
  }
}
