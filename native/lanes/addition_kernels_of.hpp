// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "lanes/addition_kernels.hpp"
#include "lanes/lane_field.hpp"

namespace cuzk {

// What LaneAdditions' functions share; a point's coordinates are read together, four words at a time.
template <class V, class P, unsigned DEGREE>
struct LanePoints {
  using Prime = LaneField<V, P>;
  using Element = std::conditional_t<DEGREE == 1, Prime, LaneExtension<Prime>>;
  using Mask = typename V::Mask;
  static constexpr unsigned WORDS = DEGREE * P::LIMBS;
  static constexpr unsigned ROWS_OF_X = (WORDS + 3) / 4, ROWS_OF_POINT = WORDS / 2;

  // The addresses and signs of a group; lanes beyond the last pair repeat it.
  struct Group {
    const uint64_t *left[8], *right[8];
    Mask negatedLeft, negatedRight;

    CUZK_LANE_INLINE Group(const PointPair *pairs, size_t count) {
      unsigned leftSigns = 0, rightSigns = 0;
      for (unsigned i = 0; i < 8; i++) {
        const PointPair &pair = pairs[i < count ? i : count - 1];
        leftSigns |= static_cast<unsigned>(pair.left & PointPair::NEGATED) << i;
        rightSigns |= static_cast<unsigned>(pair.right & PointPair::NEGATED) << i;
        left[i] = reinterpret_cast<const uint64_t *>(pair.left & ~PointPair::NEGATED);
        right[i] = reinterpret_cast<const uint64_t *>(pair.right & ~PointPair::NEGATED);
      }
      negatedLeft = static_cast<Mask>(leftSigns);
      negatedRight = static_cast<Mask>(rightSigns);
    }
  };

  static CUZK_LANE_INLINE Element elementOf(const V *words) {
    if constexpr (DEGREE == 1) {
      return Prime::fromWords(words);
    } else {
      return {Prime::fromWords(words), Prime::fromWords(words + P::LIMBS)};
    }
  }
  static CUZK_LANE_INLINE void wordsOf(const Element &element, V *words) {
    if constexpr (DEGREE == 1) {
      element.toWords(words);
    } else {
      element.c0.toWords(words);
      element.c1.toWords(words + P::LIMBS);
    }
  }
  template <unsigned ROWS>
  static CUZK_LANE_INLINE void load(const uint64_t *const (&rows)[8], V *words) {
    unrolled<ROWS>(CUZK_UNROLLED { loadRows<V>(rows, 4 * i, words + 4 * i); });
  }
  static CUZK_LANE_INLINE Mask areZero(const V *words) {
    V any = words[0];
    unrolled<WORDS - 1>(CUZK_UNROLLED { any = any | words[i + 1]; });
    return any.isZero();
  }
  static CUZK_LANE_INLINE Mask areEqual(const V *x, const V *y) {
    V any = x[0] ^ y[0];
    unrolled<WORDS - 1>(CUZK_UNROLLED { any = any | (x[i + 1] ^ y[i + 1]); });
    return any.isZero();
  }
  // right - left in (0, 2p), 1 in special lanes.
  static CUZK_LANE_INLINE Element denominator(const Element &left, const Element &right, Mask special) {
    Element difference = (right - left).template plusModulus<1>().normal();
    if (__builtin_expect(special != 0, 0)) return Element::select(special, difference, Element::one());
    return difference;
  }
  static CUZK_LANE_INLINE void prefetch(const PointPair *pairs, size_t count) {
    for (unsigned i = 0; i < 8 && i < count; i++) {
      for (size_t offset = 0; offset < 16 * size_t{WORDS}; offset += 64) {
        __builtin_prefetch(reinterpret_cast<const char *>(pairs[i].left) + offset);
        __builtin_prefetch(reinterpret_cast<const char *>(pairs[i].right) + offset);
      }
    }
  }
};

template <class V, class P, unsigned DEGREE>
void LaneAdditions<V, P, DEGREE>::multiplyDenominators(const PointPair *pairs, size_t count, uint64_t *products,
                                                       uint8_t *special, Ends &ends) {
  using L = LanePoints<V, P, DEGREE>;
  constexpr size_t AHEAD = 6 * COUNT;
  typename L::Element chains[CHAINS] = {L::Element::one(), L::Element::one()};
  for (size_t first = 0, group = 0; first < count; first += COUNT, group++) {
    if (first + AHEAD < count) L::prefetch(pairs + first + AHEAD, count - first - AHEAD);
    typename L::Group places(pairs + first, count - first);
    V left[4 * L::ROWS_OF_X], right[4 * L::ROWS_OF_X];
    L::template load<L::ROWS_OF_X>(places.left, left);
    L::template load<L::ROWS_OF_X>(places.right, right);
    auto mask = static_cast<typename V::Mask>(L::areZero(left) | L::areZero(right) | L::areEqual(left, right));
    special[group] = static_cast<uint8_t>(mask);
    auto denominator = L::denominator(L::elementOf(left), L::elementOf(right), mask);
    chains[group % CHAINS].store(products + group * GROUP_WORDS);
    chains[group % CHAINS] = chains[group % CHAINS] * denominator;
  }
  for (unsigned chain = 0; chain < CHAINS; chain++) {
    V words[L::WORDS];
    L::wordsOf(chains[chain].template reduced<1>(), words);
    for (unsigned i = 0; i < L::WORDS; i++) words[i].store(ends[chain][i]);
  }
}

// With D = x2 - x1 and N = y2 - y1 as memory has them (times R): u, the inverse of a chain up to here, times the
// chain's product before gives R' sqrt(R R') / D; times N the slope times sqrt(R R'), whose square is in the form of
// memory again. Its product with a coordinate lacks the factor sqrt(R' / R), a power of two.
template <class V, class P, unsigned DEGREE>
void LaneAdditions<V, P, DEGREE>::finish(const PointPair *pairs, size_t count, const uint64_t *products,
                                         const uint8_t *special, const Ends &inverses) {
  using L = LanePoints<V, P, DEGREE>;
  static_assert(RATIO_BITS % 2 == 0, "the ratio's square root is a power of two");
  typename L::Element chains[CHAINS];
  for (unsigned chain = 0; chain < CHAINS; chain++) {
    V words[L::WORDS];
    for (unsigned i = 0; i < L::WORDS; i++) words[i] = V::load(inverses[chain][i]);
    chains[chain] = L::elementOf(words);
  }
  alignas(64) uint64_t ignored[2 * L::WORDS];
  for (size_t group = (count + COUNT - 1) / COUNT; group-- > 0;) {
    const PointPair *members = pairs + group * COUNT;
    const size_t size = count - group * COUNT;
    typename L::Group places(members, size);
    V left[4 * L::ROWS_OF_POINT], right[4 * L::ROWS_OF_POINT];
    L::template load<L::ROWS_OF_POINT>(places.left, left);
    L::template load<L::ROWS_OF_POINT>(places.right, right);
    auto x1 = L::elementOf(left), x2 = L::elementOf(right);
    auto y1 = L::elementOf(left + L::WORDS).negatedIf(places.negatedLeft);
    auto y2 = L::elementOf(right + L::WORDS).negatedIf(places.negatedRight);
    const auto mask = static_cast<typename V::Mask>(special[group]);
    auto &chain = chains[group % CHAINS];
    auto inverse = chain * L::Element::load(products + group * GROUP_WORDS);
    chain = chain * L::denominator(x1, x2, mask);
    auto slope = inverse * (y2 - y1).template plusModulus<1>().normal();
    auto x = (slope.square() - x1 - x2).template plusModulus<2>().normal().template reduced<2>().template reduced<1>();
    auto fall = (x1 - x).template plusModulus<1>().normal();
    auto y = slope.template timesPowerOfTwo<RATIO_BITS / 2>() * fall - y1;
    y = y.template plusModulus<1>().normal().template reduced<2>().template reduced<1>();
    V sums[4 * L::ROWS_OF_POINT];
    L::wordsOf(x, sums);
    L::wordsOf(y, sums + L::WORDS);
    uint64_t *rows[8];
    for (unsigned i = 0; i < 8; i++) {
      bool used = i < size && (special[group] >> i & 1) == 0;
      rows[i] = used ? static_cast<uint64_t *>(members[i].sum) : ignored;
    }
    unrolled<L::ROWS_OF_POINT>(CUZK_UNROLLED { storeRows<V>(sums + 4 * i, rows, 4 * i); });
  }
}

}  // namespace cuzk
