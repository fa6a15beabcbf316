// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "curve/batch_affine.hpp"
#include "field/arithmetic_cuda.cuh"
#include "msm/batch_addition.cuh"

namespace cuzk::gpu {

// Many multiples of one point: a table of d 2^(8 w) base for every byte position w and every byte d, from which each
// scalar picks its 32 summands; five rounds of batched additions halve them to the multiple.
namespace fixed_base {

constexpr unsigned POSITIONS = 32, DIGITS = 256, ROUNDS = 5;
// Scalars at a time.
constexpr size_t CHUNK = size_t(1) << 18;

static __global__ void __launch_bounds__(BLOCK) pick(const uint8_t *scalars, uint32_t summands, uint32_t *entries) {
  const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < summands) entries[i] = i % POSITIONS * DIGITS + scalars[i];
}

// sources[j]: the points 2j and 2j + 1.
static __global__ void __launch_bounds__(BLOCK) pairNeighbours(uint32_t count, uint32_t *sources) {
  const uint32_t j = blockIdx.x * BLOCK + threadIdx.x;
  if (j < count) sources[j] = j << 2 | 1;
}

// Entry w DIGITS + d is d 2^(8 w) base; on the host.
template <class F>
std::vector<Affine<F>> table(const Affine<F> &base) {
  std::vector<Xyzz<F>> multiples(POSITIONS * DIGITS);
  Affine<F> unit = base;
  for (unsigned w = 0; w < POSITIONS; w++) {
    Xyzz<F> multiple = Xyzz<F>::infinity();
    for (unsigned d = 0; d < DIGITS; d++) {
      multiples[w * DIGITS + d] = multiple;
      multiple.add(unit);
    }
    unit = multiple.toAffine();
  }
  std::vector<Affine<F>> points(multiples.size());
  std::vector<F> products(multiples.size());
  toAffineBatch(multiples.data(), multiples.size(), points.data(), products.data());
  return points;
}

// `most`: scalars at a time.
template <class F>
size_t bytes(size_t count, size_t most = CHUNK) {
  const size_t chunk = count < most ? count : most, half = chunk * POSITIONS / 2;
  return POSITIONS * DIGITS * sizeof(Affine<F>) + chunk * 32 + chunk * POSITIONS * sizeof(uint32_t) +
         half * sizeof(uint32_t) + (half + half / 2) * sizeof(Affine<F>) + (half + plan::adders(half)) * sizeof(F) +
         plan::SLACK;
}

}  // namespace fixed_base

// scalars[i] * base for `count` canonical scalars in host memory; `multiples` is the base's table. Scalars are checked
// by `require`, which gets each chunk in device memory and the index of its first; points go to `take`, which gets each
// chunk of them in device memory and the index of its first, and is done with it when it returns.
template <class F, class Require, class Take>
void multiplyFixedBase(Context &context, const std::vector<Affine<F>> &multiples, const uint8_t *scalars, size_t count,
                       size_t atATime, const Require &require, const Take &take) {
  using namespace fixed_base;
  Arena::Scope scope(context.arena);
  const size_t most = std::min(count, atATime), half = most * POSITIONS / 2;
  Affine<F> *table = context.arena.take<Affine<F>>(multiples.size());
  uint8_t *digits = context.arena.take<uint8_t>(most * POSITIONS);
  uint32_t *entries = context.arena.take<uint32_t>(most * POSITIONS);
  uint32_t *sources = context.arena.take<uint32_t>(half);
  uint32_t *length = context.arena.take<uint32_t>(ROUNDS);
  Affine<F> *sums[2] = {context.arena.take<Affine<F>>(half), context.arena.take<Affine<F>>(half / 2)};
  BatchScratch<F> scratch(context, half);
  upload(context, table, multiples.data(), multiples.size());
  for (size_t first = 0; first < count; first += most) {
    const size_t chunk = std::min(most, count - first);
    upload(context, digits, scalars + 32 * first, 32 * chunk);
    require(digits, chunk, first);
    uint32_t lengths[ROUNDS];
    for (unsigned r = 0; r < ROUNDS; r++) lengths[r] = static_cast<uint32_t>(chunk * POSITIONS >> (r + 1));
    upload(context, length, lengths, ROUNDS);
    pick<<<blocks(chunk * POSITIONS), BLOCK, 0, context.stream>>>(digits, static_cast<uint32_t>(chunk * POSITIONS),
                                                                  entries);
    pairNeighbours<<<blocks(lengths[0]), BLOCK, 0, context.stream>>>(lengths[0], sources);
    checkLaunch("picking multiples");
    RoundInput<F> input{{table}, entries};
    for (unsigned r = 0; r < ROUNDS; r++) {
      addBatch(context, scratch, input, sources, length + r, lengths[r], sums[r % 2]);
      input = {{sums[r % 2]}, nullptr};
    }
    take(sums[(ROUNDS - 1) % 2], chunk, first);
  }
}

}  // namespace cuzk::gpu
