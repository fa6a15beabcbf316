// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/runtime.cuh"
#include "curve/point.hpp"
#include "msm/batch_addition.cuh"

namespace cuzk::gpu {

constexpr unsigned PARTIAL_ADDERS = 64;

// Window sums out of buckets: sum over b of (b + 1) B_b, for every window.
//
//   1. where few points are left, each bucket's are added in extended coordinates,
//   2. a thread takes a run of buckets from the top down: `running` is the sum of the buckets so far, `weighted` the
//   sum
//      of all values of `running`, which counts the run's lowest bucket once; the run's offset times `running` is
//      added,
//   3. a block adds the threads' results of one window.

template <class F>
__device__ __forceinline__ Xyzz<F> fromLaneAbove(const Xyzz<F> &mine, unsigned distance) {
  constexpr unsigned WORDS = sizeof(Xyzz<F>) / sizeof(uint32_t);
  Xyzz<F> result;
  const uint32_t *from = reinterpret_cast<const uint32_t *>(&mine);
  uint32_t *to = reinterpret_cast<uint32_t *>(&result);
#pragma unroll
  for (unsigned i = 0; i < WORDS; i++) to[i] = __shfl_down_sync(0xffffffffu, from[i], distance);
  return result;
}

// sums[b] = the sum of positions starts[b] ... starts[b + 1] - 1 of the input; 2^log2Threads threads a bucket.
template <class F>
__global__ void __launch_bounds__(BLOCK)
    sumBuckets(RoundInput<F> input, const uint32_t *starts, uint32_t buckets, unsigned log2Threads, Xyzz<F> *sums) {
  const uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t bucket = t >> log2Threads, lane = t & ((1u << log2Threads) - 1);
  Xyzz<F> sum = Xyzz<F>::infinity();
  if (bucket < buckets) {
    const uint32_t end = starts[bucket + 1];
    for (uint32_t i = starts[bucket] + lane; i < end; i += 1u << log2Threads) sum.add(input.load(input.entry(i)));
  }
  for (unsigned distance = 1u << log2Threads >> 1; distance > 0; distance /= 2) {
    const Xyzz<F> other = fromLaneAbove(sum, distance);
    if (lane < distance) sum.add(other);
  }
  if (bucket < buckets && lane == 0) sums[bucket] = sum;
}

// Buckets of one affine point or none: bucket b is points[starts[b]], and empty where starts[b] == starts[b + 1].
template <class F>
struct AffineBuckets {
  const Affine<F> *points;
  const uint32_t *starts;

  __device__ __forceinline__ void addTo(Xyzz<F> &sum, size_t b) const {
    if (starts[b] != starts[b + 1]) sum.add(points[starts[b]]);
  }
};

template <class F>
struct ExtendedBuckets {
  const Xyzz<F> *sums;

  __device__ __forceinline__ void addTo(Xyzz<F> &sum, size_t b) const { sum.add(sums[b]); }
};

// The sum of bucket b.
template <class F, class Buckets>
__global__ void copySum(Buckets input, size_t b, Xyzz<F> *sum) {
  *sum = Xyzz<F>::infinity();
  input.addTo(*sum, b);
}

// partial[window partials + i] = sum over the run's buckets of their places in it, from `base` upwards, and with `sums`
// null, of the run's own offset; times 2^doublings. Else the run's plain sum goes to `sums` for the second step.
template <class F, class Buckets>
__global__ void __launch_bounds__(BLOCK)
    sumRuns(Buckets input, uint32_t buckets, uint32_t run, uint32_t runs, uint32_t windows, uint32_t base,
            unsigned doublings, Xyzz<F> *sums, Xyzz<F> *partial, uint32_t partials) {
  const uint32_t t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= runs * windows) return;
  const uint32_t window = t / runs, lowest = t % runs * run;
  const size_t first = size_t(window) * buckets;
  Xyzz<F> running = Xyzz<F>::infinity(), weighted = Xyzz<F>::infinity();
  for (uint32_t b = lowest + run; b-- > lowest;) {
    input.addTo(running, first + b);
    if (run > 1 && b + base > lowest) weighted.add(running);
  }
  if (sums != nullptr) {
    sums[t] = running;
  } else {
    const uint32_t factor = run > 1 ? lowest : lowest + base;
    Xyzz<F> shifted = Xyzz<F>::infinity();
    for (int bit = 31 - __clz(factor | 1); bit >= 0; bit--) {
      shifted.twice();
      if (factor >> bit & 1) shifted.add(running);
    }
    weighted.add(shifted);
  }
  for (unsigned i = 0; i < doublings; i++) weighted.twice();
  partial[size_t(window) * partials + t % runs] = weighted;
}

// sums[window groups + g] = the sum of the g-th of `groups` parts of the window's `partials` values; a block each,
// whose threads are a power of two.
template <class F>
__global__ void __launch_bounds__(PARTIAL_ADDERS)
    sumPartials(const Xyzz<F> *partial, uint32_t partials, uint32_t groups, Xyzz<F> *sums) {
  extern __shared__ uint64_t shared[];
  Xyzz<F> *sum = reinterpret_cast<Xyzz<F> *>(shared);
  const uint32_t part = (partials + groups - 1) / groups;
  const uint32_t first = blockIdx.x % groups * part;
  const uint32_t end = first + part < partials ? first + part : partials;
  const Xyzz<F> *values = partial + size_t(blockIdx.x / groups) * partials;
  Xyzz<F> mine = Xyzz<F>::infinity();
  for (uint32_t i = first + threadIdx.x; i < end; i += blockDim.x) mine.add(values[i]);
  sum[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned width = blockDim.x / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) {
      mine.add(sum[threadIdx.x + width]);
      sum[threadIdx.x] = mine;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = mine;
}

}  // namespace cuzk::gpu
