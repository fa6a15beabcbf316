// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cub/cub.cuh>

#include "cuda/runtime.cuh"
#include "msm/device_plan.hpp"

namespace cuzk::gpu {

// What the scalars of one MSM are: which are one, and which are neither zero nor one.
struct ScalarLists {
  uint32_t *ones, *others;
  uint32_t oneCount, otherCount;
};

namespace digits {

struct IsOne {
  const uint64_t *scalars;
  __device__ bool operator()(uint32_t i) const {
    const uint64_t *s = scalars + size_t(Windows::WORDS) * i;
    return s[0] == 1 && (s[1] | s[2] | s[3]) == 0;
  }
};
struct IsOther {
  const uint64_t *scalars;
  __device__ bool operator()(uint32_t i) const {
    const uint64_t *s = scalars + size_t(Windows::WORDS) * i;
    return s[0] > 1 || (s[1] | s[2] | s[3]) != 0;
  }
};

// Of the k-th listed scalar and window first + w: entry w * n + k of keys and values. Rows are counted from `firstRow`;
// zero digits get the key `none`. A value is the index of the point, above it from bit `shift` on its level, and on top
// the sign.
static __global__ void __launch_bounds__(BLOCK)
    decompose(const uint64_t *scalars, const uint32_t *list, uint32_t n, Windows windows, unsigned first,
              unsigned count, unsigned shift, uint32_t none, uint32_t *keys, uint32_t *values) {
  const uint32_t k = blockIdx.x * BLOCK + threadIdx.x;
  if (k >= n) return;
  const uint32_t index = list[k];
  const unsigned firstRow = windows.rowOf(first);
  uint64_t s[Windows::WORDS];
#pragma unroll
  for (unsigned i = 0; i < Windows::WORDS; i++) s[i] = scalars[size_t(Windows::WORDS) * index + i];
  windows.forEachDigit(s, [&](unsigned row, unsigned level, uint32_t magnitude, bool negative) {
    const unsigned window = windows.begin(row) + level;
    if (window < first || window - first >= count) return;
    const size_t entry = size_t(window - first) * n + k;
    keys[entry] = magnitude == 0 ? none : (row - firstRow) * windows.buckets() + magnitude - 1;
    values[entry] = index | level << shift | uint32_t(negative) << 31;
  });
}

static __global__ void __launch_bounds__(BLOCK)
    appendOnes(const uint32_t *ones, uint32_t n, uint32_t key, uint32_t *keys, uint32_t *values) {
  const uint32_t k = blockIdx.x * BLOCK + threadIdx.x;
  if (k >= n) return;
  keys[k] = key;
  values[k] = ones[k];
}

// starts[b] = position of the first entry whose key is at least b, for b = 0 ... buckets.
static __global__ void __launch_bounds__(BLOCK)
    findStarts(const uint32_t *keys, uint32_t entries, uint32_t buckets, uint32_t *starts) {
  const uint32_t b = blockIdx.x * BLOCK + threadIdx.x;
  if (b > buckets) return;
  uint32_t low = 0, high = entries;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (keys[middle] < b) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  starts[b] = low;
}

}  // namespace digits
}  // namespace cuzk::gpu
