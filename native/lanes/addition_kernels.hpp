// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuzk {

// One addition of affine points of a batch.
struct PointPair {
  uintptr_t left, right;  // addresses of the summands, plus 1 where a summand is to be negated
  void *sum;

  static constexpr uintptr_t NEGATED = 1;
};

// The batched additions of curve/batch_affine.hpp in vector lanes of the kind V, over the field of P or (DEGREE 2) its
// quadratic extension. Instantiated where V's instructions may be used, so this header names no vector.
//
// Pairs are taken in groups of COUNT, a pair a lane; every lane of every chain is a chain of products of its own. Pairs
// that the formula for distinct finite points does not fit are left alone and marked in their group's byte of
// `special`.
template <class V, class P, unsigned DEGREE>
struct LaneAdditions {
  static constexpr unsigned COUNT = 8, CHAINS = 2;
  static constexpr unsigned LIMBS = (P::BITS + 2 + 51) / 52;
  // Logarithm of the ratio between the lanes' Montgomery factor and that of the field.
  static constexpr unsigned RATIO_BITS = 52 * LIMBS - 64 * P::LIMBS;
  static constexpr size_t ELEMENT_WORDS = DEGREE * P::LIMBS;
  // Words of `products` a group.
  static constexpr size_t GROUP_WORDS = size_t{DEGREE} * LIMBS * COUNT;

  // The chains' ends, word by word: ends[chain][word][lane], below p, as plain integers c.
  using Ends = uint64_t[CHAINS][ELEMENT_WORDS][COUNT];

  static void multiplyDenominators(const PointPair *pairs, size_t count, uint64_t *products, uint8_t *special,
                                   Ends &ends);
  // `inverses` are 2^(64 P::LIMBS * 2 + RATIO_BITS * 3/2) / c mod p.
  static void finish(const PointPair *pairs, size_t count, const uint64_t *products, const uint8_t *special,
                     const Ends &inverses);
};

}  // namespace cuzk
