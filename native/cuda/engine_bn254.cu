// SPDX-License-Identifier: Apache-2.0
#include "cuda/engine_of.cuh"

namespace cuzk::gpu {

std::unique_ptr<Engine> bn254Engine(Gpu &gpu) {
  return std::make_unique<DeviceEngine<CurveSet<Bn254>>>(gpu);
}

}  // namespace cuzk::gpu
