// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "curve/point.hpp"
#include "lanes/addition_kernels.hpp"
#include "lanes/vector_of.hpp"

namespace cuzk {

// Where a summand of a PointPair lies.
template <class F>
CUZK_INLINE uintptr_t summand(const Affine<F> *point, bool negated = false) {
  return reinterpret_cast<uintptr_t>(point) | (negated ? PointPair::NEGATED : 0);
}

namespace batch_affine {

template <class F>
CUZK_INLINE const Affine<F> &pointOf(uintptr_t address) {
  return *reinterpret_cast<const Affine<F> *>(address & ~PointPair::NEGATED);
}
template <class F>
CUZK_INLINE F ordinateOf(uintptr_t address) {
  return pointOf<F>(address).y.negatedIf((address & PointPair::NEGATED) != 0);
}

template <class F>
using LanesOf =
    LaneAdditions<typename VectorOf<typename F::Base::Arithmetic>::Type, typename F::Base::Parameters, F::DEGREE>;

// Settles a pair that needs no inverse; else gives its denominator.
template <class F>
CUZK_NOINLINE bool settle(const PointPair &pair, F &denominator) {
  const Affine<F> left = {pointOf<F>(pair.left).x, ordinateOf<F>(pair.left)};
  const Affine<F> right = {pointOf<F>(pair.right).x, ordinateOf<F>(pair.right)};
  Affine<F> &sum = *static_cast<Affine<F> *>(pair.sum);
  if (left.isInfinity()) {
    sum = right;
  } else if (right.isInfinity()) {
    sum = left;
  } else if (left.x != right.x) {
    return false;
  } else if (left.y == right.y && !left.y.isZero()) {
    denominator = left.y.twice();
    return false;
  } else {
    sum = Affine<F>::infinity();
  }
  return true;
}

//   1. products[k] = product of the denominators of pairs k+2, k+4, ... that went before; two chains, one for even and
//      one for odd k, because a single chain would wait for each multiplication's latency.
//   2. One inversion for both chains.
//   3. Backwards: each pair's own inverse, slope and sum; the chain's inverse moves on by one pair.
//
// A denominator is x2 - x1, or 2y for a doubling. Pairs with infinity or of opposite points are settled in step 1 and
// marked by a zero product, which no product of non-zero denominators can be.
template <class F>
void addOneByOne(const PointPair *pairs, size_t count, F *products) {
  constexpr size_t AHEAD = 16;
  F chain[2] = {F::one(), F::one()};
  bool inverted = false;
  for (size_t k = 0; k < count; k++) {
    if (k + AHEAD < count) {
      for (uintptr_t address : {pairs[k + AHEAD].left, pairs[k + AHEAD].right}) {
        const char *line = reinterpret_cast<const char *>(address);
        for (size_t offset = 0; offset < sizeof(Affine<F>); offset += 64) __builtin_prefetch(line + offset);
      }
    }
    const F &left = pointOf<F>(pairs[k].left).x, &right = pointOf<F>(pairs[k].right).x;
    F denominator = right - left;
    bool special = left.isZero() || right.isZero() || denominator.isZero();
    if (__builtin_expect(special, 0) && settle(pairs[k], denominator)) {
      products[k] = F::zero();
      continue;
    }
    inverted = true;
    products[k] = chain[k & 1];
    chain[k & 1] = chain[k & 1] * denominator;
  }
  if (!inverted) return;

  F both = (chain[0] * chain[1]).inverse();
  F inverse[2] = {both * chain[1], both * chain[0]};
  for (size_t k = count; k-- > 0;) {
    if (__builtin_expect(products[k].isZero(), 0)) continue;
    const Affine<F> &left = pointOf<F>(pairs[k].left), &right = pointOf<F>(pairs[k].right);
    const F leftY = ordinateOf<F>(pairs[k].left);
    F denominator = right.x - left.x;
    F numerator = ordinateOf<F>(pairs[k].right) - leftY;
    if (__builtin_expect(denominator.isZero(), 0)) {
      denominator = leftY.twice();
      F xx = left.x.square();
      numerator = xx.twice() + xx;
    }
    F slope = inverse[k & 1] * products[k] * numerator;
    inverse[k & 1] = inverse[k & 1] * denominator;
    Affine<F> &sum = *static_cast<Affine<F> *>(pairs[k].sum);
    F x = slope.square() - left.x - right.x;
    sum.y = slope * (left.x - x) - leftY;
    sum.x = x;
  }
}

// The inverses of the chains' ends in the form that LaneAdditions::finish takes. A plain integer c, taken for the limbs
// of an element, is c / R; the limbs of its inverse are R^2 / c.
template <class F>
void invertEnds(typename LanesOf<F>::Ends &ends) {
  using Lanes = LanesOf<F>;
  constexpr size_t TOTAL = Lanes::CHAINS * Lanes::COUNT, WORDS = Lanes::ELEMENT_WORDS;
  F elements[TOTAL], products[TOTAL], chain = F::one();
  uint64_t words[WORDS];
  for (size_t k = 0; k < TOTAL; k++) {
    for (size_t i = 0; i < WORDS; i++) words[i] = ends[k / Lanes::COUNT][i][k % Lanes::COUNT];
    std::memcpy(static_cast<void *>(&elements[k]), words, sizeof words);
    products[k] = chain;
    chain = chain * elements[k];
  }
  F inverse = chain.inverse();
  F factor = F::one();
  for (unsigned i = 0; i < Lanes::RATIO_BITS * 3 / 2; i++) factor = factor.twice();
  inverse = inverse * factor;
  for (size_t k = TOTAL; k-- > 0;) {
    F result = inverse * products[k];
    inverse = inverse * elements[k];
    std::memcpy(words, static_cast<const void *>(&result), sizeof words);
    for (size_t i = 0; i < WORDS; i++) ends[k / Lanes::COUNT][i][k % Lanes::COUNT] = words[i];
  }
}

template <class F>
void addInLanes(const PointPair *pairs, size_t count, uint64_t *scratch) {
  using Lanes = LanesOf<F>;
  const size_t groups = (count + Lanes::COUNT - 1) / Lanes::COUNT;
  uint8_t *special = reinterpret_cast<uint8_t *>(scratch + groups * Lanes::GROUP_WORDS);
  typename Lanes::Ends ends;
  Lanes::multiplyDenominators(pairs, count, scratch, special, ends);
  invertEnds<F>(ends);
  Lanes::finish(pairs, count, scratch, special, ends);

  constexpr size_t MAXIMUM = 128;
  PointPair left[MAXIMUM];
  F products[MAXIMUM];
  size_t found = 0;
  for (size_t k = 0; k < count; k++) {
    if (special[k / Lanes::COUNT] == 0) {
      k |= Lanes::COUNT - 1;
      continue;
    }
    if (special[k / Lanes::COUNT] >> k % Lanes::COUNT & 1) left[found++] = pairs[k];
    if (found == MAXIMUM) {
      addOneByOne<F>(left, found, products);
      found = 0;
    }
  }
  addOneByOne<F>(left, found, products);
}

}  // namespace batch_affine

// Words of scratch memory that addPointPairs needs for `count` pairs, whatever the arithmetic.
template <class F>
constexpr size_t additionWords(size_t count) {
  using Lanes = LaneAdditions<void, typename F::Base::Parameters, F::DEGREE>;
  return (count + Lanes::COUNT - 1) / Lanes::COUNT * (Lanes::GROUP_WORDS + 1);
}

// Adds many independent pairs of affine points with one field inversion (Montgomery's trick): 5M + 1S a pair. Equal,
// opposite and infinite points are summed as they should. A pair's sum may be stored in place of one of its own
// summands, but not in place of another pair's.
template <class F>
void addPointPairs(const PointPair *pairs, size_t count, uint64_t *scratch) {
  using namespace batch_affine;
  static_assert(additionWords<F>(8) * 8 >= 8 * sizeof(F), "room for one element a pair");
  if constexpr (VectorOf<typename F::Base::Arithmetic>::PRESENT) {
    constexpr size_t FEWEST = 48;  // below, the ends of all lanes cost more than the lanes save
    if (count >= FEWEST) return addInLanes<F>(pairs, count, scratch);
  }
  addOneByOne<F>(pairs, count, reinterpret_cast<F *>(scratch));
}

// Turns `count` points into affine ones with one inversion; `products` has room for `count` elements.
template <class F>
void toAffineBatch(const Xyzz<F> *points, size_t count, Affine<F> *result, F *products) {
  F chain = F::one();
  for (size_t k = 0; k < count; k++) {
    products[k] = chain;
    if (!points[k].isInfinity()) chain = chain * points[k].zzz;
  }
  F inverse = chain.inverse();
  for (size_t k = count; k-- > 0;) {
    if (points[k].isInfinity()) {
      result[k] = Affine<F>::infinity();
      continue;
    }
    result[k] = points[k].toAffine(inverse * products[k]);
    inverse = inverse * points[k].zzz;
  }
}

}  // namespace cuzk
