// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/runtime.cuh"
#include "curve/point.hpp"
#include "msm/device_plan.hpp"

namespace cuzk::gpu {

// Many independent additions of affine points with one inversion among them (Montgomery's trick): five products and a
// square each, against eight and two in extended Jacobian coordinates.
//
//   1. every thread walks over its additions and keeps the product of their denominators so far,
//   2. the threads' products are inverted, a block at a time by a product tree,
//   3. every thread walks back and takes each denominator's inverse out of the running one.
//
// What is added is described by `sources`: output j is point `sources[j] >> 1` of the input, plus its right neighbour
// if the low bit is set. The count is read from device memory, so rounds follow each other without the host.

constexpr unsigned TREE = plan::ADDER_BLOCK;  // products inverted together: those of one block of adders

// The points of a query, by the index of their scalar.
template <class F>
struct PointTable {
  static constexpr uint32_t ABSENT = 0xffffffffu;

  const Affine<F> *points;
  const uint32_t *positions = nullptr;  // where the point of an index lies, or ABSENT; nullptr: at the index
  uint32_t offset = 0;                  // indices below it have no point; the point of index i lies at i - offset

  // nullptr: no point.
  __device__ __forceinline__ const Affine<F> *find(uint32_t index) const {
    if (positions != nullptr) index = positions[index];
    return index == ABSENT || index < offset ? nullptr : points + (index - offset);
  }
};

// The input of a round: points themselves, or points picked from a table by index, negated where the top bit is set.
template <class F>
struct RoundInput {
  PointTable<F> table;
  const uint32_t *entries;  // nullptr: the points themselves

  __device__ __forceinline__ Affine<F> load(uint32_t position) const {
    if (entries == nullptr) return loadWide(table.points + position);
    const uint32_t entry = entries[position];
    const Affine<F> *place = table.find(entry & 0x7fffffffu);
    if (place == nullptr) return Affine<F>::infinity();
    Affine<F> point = loadWide(place);
    if (entry >> 31) point.y = -point.y;
    return point;
  }
  // The x coordinate alone; zero for infinity, and for nothing else but a point at x = 0.
  __device__ __forceinline__ F loadX(uint32_t position) const {
    const Affine<F> *place = entries == nullptr ? table.points + position : table.find(entries[position] & 0x7fffffffu);
    return place == nullptr ? F::zero() : loadWide(&place->x);
  }
};

// x2 - x1; 2 y for a doubling; one where nothing is to be divided: an infinite summand, or opposite points.
template <class F>
__device__ __forceinline__ F denominator(const Affine<F> &p, const Affine<F> &q) {
  if (p.isInfinity() || q.isInfinity()) return F::one();
  const F difference = q.x - p.x;
  if (!difference.isZero()) return difference;
  return p.y == q.y && !p.y.isZero() ? p.y.twice() : F::one();
}

// The same of the points at two neighbouring positions; y is read only where x does not decide.
template <class F>
__device__ __forceinline__ F denominator(const RoundInput<F> &input, uint32_t position) {
  const F left = input.loadX(position), right = input.loadX(position + 1);
  const F difference = right - left;
  if (left.isZero() || right.isZero() || difference.isZero()) {
    return denominator(input.load(position), input.load(position + 1));
  }
  return difference;
}

template <class F>
__device__ __forceinline__ Affine<F> addWithInverse(const Affine<F> &p, const Affine<F> &q, const F &inverse) {
  if (p.isInfinity()) return q;
  if (q.isInfinity()) return p;
  F slope;
  if (p.x != q.x) {
    slope = (q.y - p.y) * inverse;
  } else {
    if (p.y != q.y || p.y.isZero()) return Affine<F>::infinity();
    const F xx = p.x.square();
    slope = (xx.twice() + xx) * inverse;
  }
  Affine<F> sum;
  sum.x = slope.square() - p.x - q.x;
  sum.y = slope * (p.x - sum.x) - p.y;
  return sum;
}

template <class F>
__global__ void __launch_bounds__(plan::ADDER_BLOCK)
    multiplyDenominators(RoundInput<F> input, const uint32_t *sources, const uint32_t *count, F *prefixes, F *totals) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t stride = gridDim.x * blockDim.x;
  F running = F::one();
  for (uint32_t j = thread; j < *count; j += stride) {
    const uint32_t source = sources[j];
    if (source & 1) {
      storeWide(prefixes + j, running);
      running = running * denominator(input, source >> 1);
    }
  }
  totals[thread] = running;
}

// totals[i] = 1 / totals[i] for TREE values a block; the grid covers the totals exactly.
template <class F>
__global__ void __launch_bounds__(TREE) invertTotals(F *totals) {
  extern __shared__ uint64_t shared[];
  F *tree = reinterpret_cast<F *>(shared);  // node n has children 2n, 2n + 1; leaves are TREE ... 2 TREE - 1
  const unsigned t = threadIdx.x;
  F *mine = totals + size_t(blockIdx.x) * TREE + t;
  tree[TREE + t] = *mine;
  __syncthreads();
  for (unsigned width = TREE / 2; width > 0; width /= 2) {
    if (t < width) tree[width + t] = tree[2 * (width + t)] * tree[2 * (width + t) + 1];
    __syncthreads();
  }
  if (t == 0) tree[1] = tree[1].inverse();
  __syncthreads();
  for (unsigned width = 1; width < TREE; width *= 2) {
    if (t < width) {
      const F inverse = tree[width + t];
      const F left = tree[2 * (width + t)];
      tree[2 * (width + t)] = inverse * tree[2 * (width + t) + 1];
      tree[2 * (width + t) + 1] = inverse * left;
    }
    __syncthreads();
  }
  *mine = tree[TREE + t];
}

template <class F>
__global__ void __launch_bounds__(BLOCK) addPairs(RoundInput<F> input, const uint32_t *sources, const uint32_t *count,
                                                  const F *prefixes, const F *totals, Affine<F> *sums) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t stride = gridDim.x * blockDim.x;
  if (thread >= *count) return;
  F running = totals[thread];
  for (uint32_t j = thread + (*count - 1 - thread) / stride * stride;; j -= stride) {
    const uint32_t source = sources[j];
    const Affine<F> p = input.load(source >> 1);
    if (source & 1) {
      const Affine<F> q = input.load((source >> 1) + 1);
      const F inverse = running * loadWide(prefixes + j);
      running = running * denominator(p, q);
      storeWide(sums + j, addWithInverse(p, q, inverse));
    } else {
      storeWide(sums + j, p);
    }
    if (j == thread) break;
  }
}

// Scratch of one round: products in front of each addition, and one product a thread.
template <class F>
struct BatchScratch {
  F *prefixes;
  F *totals;
  size_t maximumBlocks;

  // `bound`: the most outputs that a round can have. Just as many blocks as run at once: all are equally long, and a
  // second wave would leave most of the GPU idle.
  BatchScratch(Context &context, size_t bound) {
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, addPairs<F>, plan::ADDER_BLOCK, 0), "occupancy");
    maximumBlocks = std::min<size_t>(static_cast<size_t>(std::max(resident, 1)) * context.multiprocessors,
                                     plan::ADDERS / plan::ADDER_BLOCK);
    prefixes = context.arena.take<F>(bound);
    totals = context.arena.take<F>(plan::adders(bound));
  }
};

// sums[j] for j < *count, where *count <= bound.
template <class F>
void addBatch(Context &context, const BatchScratch<F> &scratch, RoundInput<F> input, const uint32_t *sources,
              const uint32_t *count, size_t bound, Affine<F> *sums) {
  const unsigned grid = static_cast<unsigned>(std::min(plan::adders(bound) / plan::ADDER_BLOCK, scratch.maximumBlocks));
  multiplyDenominators<<<grid, plan::ADDER_BLOCK, 0, context.stream>>>(input, sources, count, scratch.prefixes,
                                                                       scratch.totals);
  checkLaunch("multiplyDenominators");
  invertTotals<<<grid, TREE, 2 * TREE * sizeof(F), context.stream>>>(scratch.totals);
  checkLaunch("invertTotals");
  addPairs<<<grid, plan::ADDER_BLOCK, 0, context.stream>>>(input, sources, count, scratch.prefixes, scratch.totals,
                                                           sums);
  checkLaunch("addPairs");
}

}  // namespace cuzk::gpu
