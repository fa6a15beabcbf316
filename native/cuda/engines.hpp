// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/gpu.hpp"

namespace cuzk::gpu {

// One translation unit a curve. They throw Failure(CUZK_UNSUPPORTED_DEVICE) where the build has no code for the GPU.
std::unique_ptr<Engine> bn254Engine(Gpu &gpu);
std::unique_ptr<Engine> bls12381Engine(Gpu &gpu);

}  // namespace cuzk::gpu
