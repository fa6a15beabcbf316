// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "msm/batch_addition.cuh"

namespace cuzk::gpu {

// Multiples 2^span P of many points, for tables of a key: a thread doubles a point in Jacobian coordinates, a block
// inverts the denominators, and the points become affine again.

// (X : Y : Z) = 2^doublings P, Z = 1 for infinity, whose X and Y are zero; X, Y to `doubled`, Z to `denominators`,
// which are filled with ones up to the end of the grid. Formulas: Explicit-Formulas Database, Jacobian, a = 0,
// dbl-2009-l.
template <class F>
__global__ void __launch_bounds__(TREE)
    doublePoints(const Affine<F> *points, uint32_t count, unsigned doublings, Affine<F> *doubled, F *denominators) {
  const uint32_t i = blockIdx.x * TREE + threadIdx.x;
  F x = F::zero(), y = F::zero(), z = F::one();
  if (i < count) {
    const Affine<F> point = loadWide(points + i);
    if (!point.isInfinity()) {
      x = point.x, y = point.y;
      for (unsigned k = 0; k < doublings; k++) {
        const F a = x.square(), b = y.square(), c = b.square();
        const F d = ((x + b).square() - a - c).twice(), e = a.twice() + a;
        z = (y * z).twice();
        x = e.square() - d.twice();
        y = e * (d - x) - c.twice().twice().twice();
      }
      // No point of these curves has an even order; were there one, infinity would be right.
      if (z.isZero()) x = y = F::zero(), z = F::one();
    }
    storeWide(doubled + i, Affine<F>{x, y});
  }
  denominators[i] = z;
}

template <class F>
__global__ void __launch_bounds__(TREE) divideCoordinates(const F *inverses, uint32_t count, Affine<F> *points) {
  const uint32_t i = blockIdx.x * TREE + threadIdx.x;
  if (i >= count) return;
  const Affine<F> point = loadWide(points + i);
  const F inverse = inverses[i], square = inverse.square();
  storeWide(points + i, Affine<F>{point.x * square, point.y * (square * inverse)});
}

// doubled[i] = 2^doublings points[i].
template <class F>
void makeMultiples(Context &context, const Affine<F> *points, size_t count, unsigned doublings, Affine<F> *doubled) {
  constexpr size_t MOST = size_t(1) << 20, LEAST = TREE;
  size_t chunk = MOST;
  while (chunk > LEAST && (chunk * sizeof(F) > context.arena.left() || chunk / 2 >= count)) chunk /= 2;
  Arena::Scope scope(context.arena);
  F *denominators = context.arena.template take<F>(chunk);
  for (size_t first = 0; first < count; first += chunk) {
    const auto here = static_cast<uint32_t>(std::min(chunk, count - first));
    const unsigned grid = blocks(here, TREE);
    doublePoints<<<grid, TREE, 0, context.stream>>>(points + first, here, doublings, doubled + first, denominators);
    checkLaunch("doublePoints");
    invertTotals<<<grid, TREE, 2 * TREE * sizeof(F), context.stream>>>(denominators);
    checkLaunch("invertTotals");
    divideCoordinates<<<grid, TREE, 0, context.stream>>>(denominators, here, doubled + first);
    checkLaunch("divideCoordinates");
  }
}

}  // namespace cuzk::gpu
