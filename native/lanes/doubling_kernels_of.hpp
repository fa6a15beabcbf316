// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lanes/addition_kernels_of.hpp"
#include "lanes/doubling_kernels.hpp"

namespace cuzk {

// What LaneDoublings' functions share.
template <class V, class P, unsigned DEGREE>
struct LaneJacobian {
  using L = LanePoints<V, P, DEGREE>;
  using Prime = typename L::Prime;
  using Element = typename L::Element;
  using Mask = typename V::Mask;
  static constexpr unsigned COUNT = 8;
  static constexpr size_t POINT_WORDS = 2 * L::WORDS;

  // All below 2p.
  Element x, y, z;

  static CUZK_LANE_INLINE Element scaled(const Element &element, const Prime &factor) {
    if constexpr (DEGREE == 1) {
      return element * factor;
    } else {
      return {element.c0 * factor, element.c1 * factor};
    }
  }
  static CUZK_LANE_INLINE Prime constant(const uint64_t *words) {
    V all[P::LIMBS];
    unrolled<P::LIMBS>(CUZK_UNROLLED { all[i] = V::all(words[i]); });
    return Prime::fromWords(all);
  }
  static CUZK_LANE_INLINE Element fromPrime(const Prime &value) {
    if constexpr (DEGREE == 1) {
      return value;
    } else {
      return {value, Prime::zero()};
    }
  }
  // Lanes beyond the last point repeat it.
  static CUZK_LANE_INLINE void loadPoints(const uint64_t *points, size_t count, V *words) {
    const uint64_t *rows[COUNT];
    for (unsigned i = 0; i < COUNT; i++) rows[i] = points + (i < count ? i : count - 1) * POINT_WORDS;
    L::template load<L::ROWS_OF_POINT>(rows, words);
  }
  static CUZK_LANE_INLINE Mask areInfinite(const V *words) {
    return static_cast<Mask>(L::areZero(words) & L::areZero(words + L::WORDS));
  }

  // From below 2p to below p, twice as large and below p again.
  static CUZK_LANE_INLINE Element twice(const Element &element) {
    return (element + element).normal().template reduced<1>();
  }

  // dbl-2009-l of the Explicit-Formulas Database, with D = 4 X Y^2 as a product.
  CUZK_LANE_INLINE void doubleOnce() {
    Element xx = x.square().template reduced<1>(), yy = y.square();
    Element d = (x * yy).template reduced<1>();
    d = twice(twice(d));
    Element c = yy.square().template reduced<1>();
    c = twice(twice(c));
    Element e = (xx + xx + xx).normal().template reduced<2>();
    Element product = y * z;
    z = (product + product).normal().template reduced<2>();
    x = (e.square() - d - d).template plusModulus<2>().normal().template reduced<2>();
    y = ((d - x).template plusModulus<2>().normal() * e - c - c).template plusModulus<2>().normal();
    y = y.template reduced<2>();
  }
};

template <class V, class P, unsigned DEGREE>
void LaneDoublings<V, P, DEGREE>::run(const uint64_t *points, size_t count, unsigned doublings,
                                      const uint64_t *entering, uint64_t *work, Ends &ends) {
  using J = LaneJacobian<V, P, DEGREE>;
  using Element = typename J::Element;
  const auto enter = J::constant(entering), leave = J::constant(P::R);
  const Element one = J::fromPrime(leave * enter);
  Element chain = one;
  for (size_t first = 0; first < count; first += COUNT, work += GROUP_WORDS) {
    V words[2 * J::L::WORDS];
    J::loadPoints(points + first * J::POINT_WORDS, count - first, words);
    J point = {J::scaled(J::L::elementOf(words), enter), J::scaled(J::L::elementOf(words + J::L::WORDS), enter), one};
    for (unsigned i = 0; i < doublings; i++) point.doubleOnce();
    const auto infinite = J::areInfinite(words);
    if (infinite != 0) point.z = Element::select(infinite, point.z, one);
    point.x.store(work);
    point.y.store(work + Element::WORDS);
    point.z.store(work + 2 * Element::WORDS);
    chain.store(work + 3 * Element::WORDS);
    chain = chain * point.z;
  }
  V words[J::L::WORDS];
  J::L::wordsOf(J::scaled(chain, leave).template reduced<1>(), words);
  for (unsigned i = 0; i < J::L::WORDS; i++) words[i].store(ends[i]);
}

template <class V, class P, unsigned DEGREE>
void LaneDoublings<V, P, DEGREE>::finish(const uint64_t *points, size_t count, const uint64_t *entering,
                                         const uint64_t *work, const Ends &inverses, uint64_t *results) {
  using J = LaneJacobian<V, P, DEGREE>;
  using Element = typename J::Element;
  const auto leave = J::constant(P::R);
  V words[2 * J::L::WORDS];
  for (unsigned i = 0; i < J::L::WORDS; i++) words[i] = V::load(inverses[i]);
  Element chain = J::scaled(J::L::elementOf(words), J::constant(entering));
  alignas(64) uint64_t ignored[J::POINT_WORDS];
  for (size_t group = (count + COUNT - 1) / COUNT; group-- > 0;) {
    const uint64_t *here = work + group * GROUP_WORDS;
    const size_t first = group * COUNT, size = count - first;
    const Element inverse = chain * Element::load(here + 3 * Element::WORDS);
    chain = chain * Element::load(here + 2 * Element::WORDS);
    const Element square = inverse.square();
    Element x = J::scaled(Element::load(here) * square, leave).template reduced<1>();
    Element y = J::scaled(Element::load(here + Element::WORDS) * (square * inverse), leave).template reduced<1>();
    J::loadPoints(points + first * J::POINT_WORDS, size, words);
    const auto infinite = J::areInfinite(words);
    if (infinite != 0) {
      const Element zero = J::fromPrime(J::Prime::zero());
      x = Element::select(infinite, x, zero);
      y = Element::select(infinite, y, zero);
    }
    J::L::wordsOf(x, words);
    J::L::wordsOf(y, words + J::L::WORDS);
    uint64_t *rows[COUNT];
    for (unsigned i = 0; i < COUNT; i++) rows[i] = i < size ? results + (first + i) * J::POINT_WORDS : ignored;
    unrolled<J::L::ROWS_OF_POINT>(CUZK_UNROLLED { storeRows<V>(words + 4 * i, rows, 4 * i); });
  }
}

}  // namespace cuzk
