package dev.cuzk.device;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** The contract on the first GPU, where there is one. */
class CudaBackendTest extends BackendContract {
  @Override
  Backend open() throws DeviceException {
    GpuInventory inventory = GpuInventory.find();
    assumeFalse(inventory.gpus().isEmpty(), inventory.problem());
    return CudaBackend.open(BackendOptions.gpu(0));
  }
}
