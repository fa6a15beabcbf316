// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/thread_pool.hpp"
#include "curve/point.hpp"
#include "lanes/doubling_kernels.hpp"
#include "lanes/vector_of.hpp"
#include "msm/windows.hpp"

namespace cuzk {

namespace point_table {

// Points of a piece: they share an inversion.
constexpr size_t PIECE = 256;

template <class F>
using LanesOf =
    LaneDoublings<typename VectorOf<typename F::Base::Arithmetic>::Type, typename F::Base::Parameters, F::DEGREE>;

// Jacobian coordinates: x = X/Z^2, y = Y/Z^3. dbl-2009-l of the Explicit-Formulas Database.
template <class F>
struct Jacobian {
  F x, y, z;

  void twice() {
    F a = x.square(), b = y.square(), c = b.square();
    F d = ((x + b).square() - a - c).twice();
    F e = a.twice() + a;
    z = (y * z).twice();
    x = e.square() - d.twice();
    y = e * (d - x) - c.twice().twice().twice();
  }
};

// results[i] = 2^doublings points[i] for at most PIECE points. No curve here has a point of order 2, so that Z = 0
// belongs to points at infinity alone.
template <class F>
void multiplyOneByOne(const Affine<F> *points, size_t count, unsigned doublings, Affine<F> *results) {
  Jacobian<F> made[PIECE];
  F products[PIECE], chain = F::one();
  for (size_t i = 0; i < count; i++) {
    made[i] = {points[i].x, points[i].y, F::one()};
    for (unsigned k = 0; k < doublings; k++) made[i].twice();
    if (points[i].isInfinity()) made[i].z = F::one();
    products[i] = chain;
    chain = chain * made[i].z;
  }
  F inverses = chain.inverse();
  for (size_t i = count; i-- > 0;) {
    F inverse = inverses * products[i], square = inverse.square();
    inverses = inverses * made[i].z;
    results[i] = {made[i].x * square, made[i].y * square * inverse};
  }
}

template <class F>
void multiplyInLanes(const Affine<F> *points, size_t count, unsigned doublings, Affine<F> *results) {
  using Lanes = LanesOf<F>;
  using Base = typename F::Base;
  Base entering = Base::one();
  for (unsigned i = 0; i < 2 * Lanes::RATIO_BITS; i++) entering = entering.twice();
  alignas(64) uint64_t work[PIECE / Lanes::COUNT * Lanes::GROUP_WORDS];
  typename Lanes::Ends ends;
  const auto *source = reinterpret_cast<const uint64_t *>(points);
  Lanes::run(source, count, doublings, entering.limb, work, ends);
  uint64_t words[Lanes::ELEMENT_WORDS];
  for (unsigned lane = 0; lane < Lanes::COUNT; lane++) {
    for (size_t i = 0; i < Lanes::ELEMENT_WORDS; i++) words[i] = ends[i][lane];
    F element;
    std::memcpy(static_cast<void *>(&element), words, sizeof words);
    element = element.inverse();
    std::memcpy(words, static_cast<const void *>(&element), sizeof words);
    for (size_t i = 0; i < Lanes::ELEMENT_WORDS; i++) ends[i][lane] = words[i];
  }
  Lanes::finish(source, count, entering.limb, work, ends, reinterpret_cast<uint64_t *>(results));
}

}  // namespace point_table

// Makes the levels of a table (see Windows) of its first one, which `count` points are; the others follow one another
// behind it.
template <class F>
void fillTable(const Context &context, Affine<F> *points, size_t count, const Windows &windows) {
  using namespace point_table;
  if (windows.levels == 1) return;
  context.forRange(count, PIECE, [&](size_t begin, size_t end) {
    for (unsigned level = 1; level < windows.levels; level++) {
      const Affine<F> *from = points + (level - 1) * count + begin;
      Affine<F> *to = points + level * count + begin;
      if constexpr (VectorOf<typename F::Base::Arithmetic>::PRESENT) {
        multiplyInLanes(from, end - begin, windows.doublings(), to);
      } else {
        multiplyOneByOne(from, end - begin, windows.doublings(), to);
      }
    }
  });
}

}  // namespace cuzk
