// SPDX-License-Identifier: Apache-2.0
//
// The kernels in emulated lanes, for tests on processors without AVX-512.
#include "field/constants.hpp"
#include "lanes/addition_kernels_of.hpp"
#include "lanes/doubling_kernels_of.hpp"
#include "lanes/transform_kernels_of.hpp"

namespace cuzk {

template struct LaneAdditions<EmulatedLanes, Bn254FpParameters, 1>;
template struct LaneAdditions<EmulatedLanes, Bn254FpParameters, 2>;
template struct LaneAdditions<EmulatedLanes, Bls12381FpParameters, 1>;
template struct LaneAdditions<EmulatedLanes, Bls12381FpParameters, 2>;
template struct LaneDoublings<EmulatedLanes, Bn254FpParameters, 1>;
template struct LaneDoublings<EmulatedLanes, Bn254FpParameters, 2>;
template struct LaneDoublings<EmulatedLanes, Bls12381FpParameters, 1>;
template struct LaneDoublings<EmulatedLanes, Bls12381FpParameters, 2>;
template struct LaneTransforms<EmulatedLanes, Bn254FrParameters>;
template struct LaneTransforms<EmulatedLanes, Bls12381FrParameters>;

}  // namespace cuzk
