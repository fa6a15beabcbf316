// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/runtime.cuh"
#include "curve/point.hpp"

namespace cuzk::gpu {

// Window sums out of bucket sums: sum over b of (b + 1) B_b, for every window.
//
//   1. a thread takes a run of buckets from the top down: `running` is the sum of the buckets so far, `weighted` the
//   sum
//      of all values of `running`, which counts the run's lowest bucket once; the run's offset times `running` is
//      added,
//   2. a block adds the threads' results of one window.

// Buckets lie compacted: bucket b is points[starts[b]], and empty where starts[b] == starts[b + 1].
template <class F>
__global__ void __launch_bounds__(BLOCK) sumRuns(const Affine<F> *points, const uint32_t *starts, uint32_t buckets,
                                                 uint32_t run, uint32_t runs, uint32_t windows, Xyzz<F> *partial) {
  const uint32_t t = blockIdx.x * BLOCK + threadIdx.x;
  if (t >= runs * windows) return;
  const uint32_t window = t / runs, lowest = t % runs * run;
  uint32_t b = lowest + run < buckets ? lowest + run : buckets;
  const uint32_t *start = starts + size_t(window) * buckets;
  Xyzz<F> running = Xyzz<F>::infinity(), weighted = Xyzz<F>::infinity();
  while (b-- > lowest) {
    if (start[b] != start[b + 1]) running.add(points[start[b]]);
    weighted.add(running);
  }
  Xyzz<F> shifted = Xyzz<F>::infinity();
  for (int bit = 31 - __clz(lowest | 1); bit >= 0; bit--) {
    shifted.twice();
    if (lowest >> bit & 1) shifted.add(running);
  }
  weighted.add(shifted);
  partial[t] = weighted;
}

// sums[block] = sum of partial[block * runs] ... partial[block * runs + runs - 1].
template <class F>
__global__ void __launch_bounds__(64) sumPartials(const Xyzz<F> *partial, uint32_t runs, Xyzz<F> *sums) {
  extern __shared__ uint64_t shared[];
  Xyzz<F> *sum = reinterpret_cast<Xyzz<F> *>(shared);
  Xyzz<F> mine = Xyzz<F>::infinity();
  for (uint32_t i = threadIdx.x; i < runs; i += blockDim.x) mine.add(partial[size_t(blockIdx.x) * runs + i]);
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
