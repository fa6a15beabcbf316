// SPDX-License-Identifier: Apache-2.0
#include "cuda/engine_of.cuh"

namespace cuzk::gpu {

std::unique_ptr<Engine> bls12381Engine(Gpu &gpu) {
  return std::make_unique<DeviceEngine<CurveSet<Bls12381>>>(gpu);
}

}  // namespace cuzk::gpu
