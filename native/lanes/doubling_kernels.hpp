// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuzk {

// Repeated doublings of affine points (msm/point_table.hpp) in vector lanes of the kind V, over the field of P or
// (DEGREE 2) its quadratic extension. Instantiated where V's instructions may be used.
//
// Points are taken in groups of COUNT, a point a lane, doubled in Jacobian coordinates, and made affine again with one
// inversion a lane of all groups together. A point at infinity stays one; the curves have no points of order 2.
template <class V, class P, unsigned DEGREE>
struct LaneDoublings {
  static constexpr unsigned COUNT = 8;
  static constexpr unsigned LIMBS = (P::BITS + 2 + 51) / 52;
  static constexpr unsigned RATIO_BITS = 52 * LIMBS - 64 * P::LIMBS;
  static constexpr size_t ELEMENT_WORDS = DEGREE * P::LIMBS;
  // Words of `work` a group: X, Y, Z and the product of the Z before.
  static constexpr size_t GROUP_WORDS = size_t{4} * DEGREE * LIMBS * COUNT;

  // The products of all Z of a lane, word by word: ends[word][lane], as memory has elements.
  using Ends = uint64_t[ELEMENT_WORDS][COUNT];

  // `points`: x and y of each, as memory has them. `entering`: 2^(64 P::LIMBS + 2 RATIO_BITS) mod p.
  static void run(const uint64_t *points, size_t count, unsigned doublings, const uint64_t *entering, uint64_t *work,
                  Ends &ends);
  // `inverses`: the inverses of the ends.
  static void finish(const uint64_t *points, size_t count, const uint64_t *entering, const uint64_t *work,
                     const Ends &inverses, uint64_t *results);
};

}  // namespace cuzk
