// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuzk {

// Eight blocks of a transform (ntt/ntt.hpp) side by side, a block a lane: value v of lane l is element
// v stride + l laneStride after `values`. Lanes are either the same block's neighbouring elements (of an outer pass) or
// neighbouring blocks.
struct LaneBlocks {
  uint64_t *values;
  size_t stride, laneStride;
  unsigned stages;  // of 2^stages values
  size_t first;     // the blocks' number among those of their size; the first of them, if the lanes' blocks differ
  bool sameBlock;
};

// Factors of the values of blocks: value v of block b times low[v] high[b].
struct LaneScale {
  const uint64_t *low, *high;
};

// The stages of transforms in vector lanes of the kind V over the scalar field P; instantiated where V's instructions
// may be used. Elements are four words, as memory has them; factors (twiddles, scales) carry a further 2^RATIO_BITS.
// Between passes values lie below 2p.
template <class V, class P>
struct LaneTransforms {
  static constexpr unsigned COUNT = 8;
  static constexpr unsigned LIMBS = (P::BITS + 2 + 51) / 52;
  static constexpr unsigned RATIO_BITS = 52 * LIMBS - 64 * P::LIMBS;
  // Words of the buffer a value of the blocks.
  static constexpr size_t VALUE_WORDS = LIMBS * COUNT;
  static constexpr unsigned MAXIMUM_STAGES = 10;

  // All stages down with `splitTable`, the scale, and all stages up with `mergeTable`, each if it is there. Ends fully
  // reduced if `canonical`.
  static void run(const LaneBlocks &blocks, const uint64_t *splitTable, const LaneScale *scale,
                  const uint64_t *mergeTable, bool canonical, uint64_t *buffer);

  // x[i] = (x[i] y[i] + u[i] v) w / R'^2 for i below `count`, a multiple of COUNT; reduced.
  static void multiplyAdd(uint64_t *x, const uint64_t *y, const uint64_t *u, const uint64_t *v, const uint64_t *w,
                          size_t count);
};

}  // namespace cuzk
