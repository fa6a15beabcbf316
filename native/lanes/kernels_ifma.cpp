// SPDX-License-Identifier: Apache-2.0
//
// The kernels for AVX-512 with IFMA. This file alone is compiled for these instructions, and it makes nothing but the
// instances below, so that no function of another translation unit can come to contain them.
#include "field/constants.hpp"
#include "lanes/addition_kernels_of.hpp"
#include "lanes/doubling_kernels_of.hpp"
#include "lanes/transform_kernels_of.hpp"

namespace cuzk {

#if defined(CUZK_EMULATED_IFMA)
using Vector = EmulatedLanes;
#else
using Vector = Avx512Lanes;
#endif

template struct LaneAdditions<Vector, Bn254FpParameters, 1>;
template struct LaneAdditions<Vector, Bn254FpParameters, 2>;
template struct LaneAdditions<Vector, Bls12381FpParameters, 1>;
template struct LaneAdditions<Vector, Bls12381FpParameters, 2>;
template struct LaneDoublings<Vector, Bn254FpParameters, 1>;
template struct LaneDoublings<Vector, Bn254FpParameters, 2>;
template struct LaneDoublings<Vector, Bls12381FpParameters, 1>;
template struct LaneDoublings<Vector, Bls12381FpParameters, 2>;
template struct LaneTransforms<Vector, Bn254FrParameters>;
template struct LaneTransforms<Vector, Bls12381FrParameters>;

}  // namespace cuzk
