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

constexpr unsigned SCALAR_WORDS = 4;

struct IsOne {
  const uint64_t *scalars;
  __device__ bool operator()(uint32_t i) const {
    const uint64_t *s = scalars + size_t(SCALAR_WORDS) * i;
    return s[0] == 1 && (s[1] | s[2] | s[3]) == 0;
  }
};
struct IsOther {
  const uint64_t *scalars;
  __device__ bool operator()(uint32_t i) const {
    const uint64_t *s = scalars + size_t(SCALAR_WORDS) * i;
    return s[0] > 1 || (s[1] | s[2] | s[3]) != 0;
  }
};

// Entry w * n + k of keys and values for the k-th listed scalar and window first + w; zero digits get the key `none`.
static __global__ void __launch_bounds__(BLOCK)
    decompose(const uint64_t *scalars, const uint32_t *list, uint32_t n, Windows windows, unsigned first,
              unsigned count, uint32_t none, uint32_t *keys, uint32_t *values) {
  const uint32_t k = blockIdx.x * BLOCK + threadIdx.x;
  if (k >= n) return;
  const uint32_t index = list[k];
  uint64_t s[SCALAR_WORDS];
#pragma unroll
  for (unsigned i = 0; i < SCALAR_WORDS; i++) s[i] = scalars[size_t(SCALAR_WORDS) * index + i];
  const uint32_t half = windows.buckets();
  uint32_t carry = 0;
  for (unsigned w = 0; w < first + count; w++) {
    const unsigned bit = w * windows.bits, word = bit / 64, shift = bit % 64;
    uint64_t raw = word < SCALAR_WORDS ? s[word] >> shift : 0;
    if (shift + windows.bits > 64 && word + 1 < SCALAR_WORDS) raw |= s[word + 1] << (64 - shift);
    const uint32_t value = (uint32_t(raw) & (2 * half - 1)) + carry;
    carry = value > half;
    if (w < first) continue;
    const uint32_t magnitude = carry ? 2 * half - value : value;
    const size_t entry = size_t(w - first) * n + k;
    keys[entry] = magnitude == 0 ? none : (w - first) * half + magnitude - 1;
    values[entry] = index | carry << 31;
  }
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
