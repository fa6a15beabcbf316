package dev.cuzk.device;

/** The contract on the processor. */
class CpuBackendTest extends BackendContract {
  @Override
  Backend open() throws DeviceException {
    return CpuBackend.open(BackendOptions.cpu(2));
  }
}
