// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "curve/point.hpp"

namespace cuzk {

// Adds many independent pairs of affine points with one field inversion (Montgomery's trick): 5M + 1S a pair.
//
//   1. products[k] = product of the denominators of pairs k+2, k+4, ... that went before; two chains, one for even and
//      one for odd k, because a single chain would wait for each multiplication's latency.
//   2. One inversion for both chains.
//   3. Backwards: each pair's own inverse, slope and sum; the chain's inverse moves on by one pair.
//
// A denominator is x2 - x1, or 2y for a doubling. Pairs with infinity or of opposite points are settled in step 1 and
// marked by a zero product, which no product of non-zero denominators can be.
//
// Pairs: `left(k)` gives a reference to the first summand, which takes the sum; `right(k)` gives the second. All lefts
// are distinct, and no right is another pair's left. `products` has room for `count` elements.
template <class F, class Pairs>
void addAffinePairs(const Pairs &pairs, size_t count, F *products) {
  F chain[2] = {F::one(), F::one()};
  for (size_t k = 0; k < count; k++) {
    Affine<F> &left = pairs.left(k);
    const auto &right = pairs.right(k);
    F denominator = right.x - left.x;
    if (__builtin_expect(left.x.isZero() || right.x.isZero() || denominator.isZero(), 0)) {
      bool settled = true;
      if (left.isInfinity()) {
        left = right;
      } else if (right.isInfinity()) {
        // left is the sum already
      } else if (!denominator.isZero()) {
        settled = false;
      } else if (left.y == right.y && !left.y.isZero()) {
        denominator = left.y.twice();
        settled = false;
      } else {
        left = Affine<F>::infinity();
      }
      if (settled) {
        products[k] = F::zero();
        continue;
      }
    }
    products[k] = chain[k & 1];
    chain[k & 1] = chain[k & 1] * denominator;
  }

  F both = (chain[0] * chain[1]).inverse();
  F inverse[2] = {both * chain[1], both * chain[0]};
  for (size_t k = count; k-- > 0;) {
    if (__builtin_expect(products[k].isZero(), 0)) continue;
    Affine<F> &left = pairs.left(k);
    const auto &right = pairs.right(k);
    F denominator = right.x - left.x;
    F numerator = right.y - left.y;
    if (__builtin_expect(denominator.isZero(), 0)) {
      denominator = left.y.twice();
      F xx = left.x.square();
      numerator = xx.twice() + xx;
    }
    F slope = inverse[k & 1] * products[k] * numerator;
    inverse[k & 1] = inverse[k & 1] * denominator;
    F x = slope.square() - left.x - right.x;
    left.y = slope * (left.x - x) - left.y;
    left.x = x;
  }
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
