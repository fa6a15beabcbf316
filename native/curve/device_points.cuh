// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/runtime.cuh"
#include "curve/encoding.hpp"
#include "field/arithmetic_cuda.cuh"

namespace cuzk::gpu {

// Values as they come over the C interface, checked and converted where they lie in device memory.

// Each point is replaced by its internal form; the lowest index of a bad one, counted from `first`, goes to `bad`.
template <class F>
__global__ void __launch_bounds__(BLOCK)
    readPoints(PointEncoding encoding, Affine<F> *points, size_t count, F b, uint64_t first, unsigned long long *bad) {
  const size_t i = size_t(blockIdx.x) * BLOCK + threadIdx.x;
  if (i >= count) return;
  Affine<F> point;
  if (readPoint(encoding, reinterpret_cast<const uint8_t *>(points + i), b, point)) {
    points[i] = point;
  } else {
    atomicMin(bad, static_cast<unsigned long long>(first + i));
  }
}

template <class Fr>
__global__ void __launch_bounds__(BLOCK) checkScalars(const Fr *scalars, size_t count, unsigned long long *bad) {
  const size_t i = size_t(blockIdx.x) * BLOCK + threadIdx.x;
  if (i < count && !Fr::isBelowModulus(scalars[i].limb)) atomicMin(bad, static_cast<unsigned long long>(i));
}

template <class Fr>
__global__ void __launch_bounds__(BLOCK) toMontgomery(Fr *values, size_t count) {
  const size_t i = size_t(blockIdx.x) * BLOCK + threadIdx.x;
  if (i < count) values[i] = Fr::fromCanonical(values[i].limb);
}

template <class Fr>
__global__ void __launch_bounds__(BLOCK) toCanonical(Fr *values, size_t count) {
  const size_t i = size_t(blockIdx.x) * BLOCK + threadIdx.x;
  if (i >= count) return;
  Fr result;
  values[i].toCanonical(result.limb);
  values[i] = result;
}

// Throws Failure(CUZK_INVALID_SCALAR) with the index of the first scalar that is not below the modulus, counted from
// `first`.
template <class Fr>
void requireScalars(Context &context, const Fr *scalars, size_t count, uint64_t first = 0) {
  if (count == 0) return;
  LowestIndex bad(context);
  checkScalars<<<blocks(count), BLOCK, 0, context.stream>>>(scalars, count, bad.device());
  checkLaunch("checkScalars");
  const unsigned long long index = bad.read(context.stream);
  if (index != LowestIndex::NONE) {
    throw Failure(CUZK_INVALID_SCALAR, "a scalar is not below the group order", first + index);
  }
}

// Launches the check and conversion of points; `first` is the index of the first of them. `requireGood` follows.
template <class F>
void checkPoints(cudaStream_t stream, LowestIndex bad, PointEncoding encoding, Affine<F> *points, size_t count,
                 const F &b, uint64_t first) {
  if (count == 0) return;
  readPoints<<<blocks(count), BLOCK, 0, stream>>>(encoding, points, count, b, first, bad.device());
  checkLaunch("readPoints");
}

// Waits for the checks launched since `bad` was reset; throws Failure(CUZK_INVALID_POINT) with the lowest index.
inline void requireGood(cudaStream_t stream, LowestIndex bad) {
  const unsigned long long index = bad.read(stream);
  if (index != LowestIndex::NONE) {
    throw Failure(CUZK_INVALID_POINT, "the point is not on the curve or a coordinate is not below the modulus", index);
  }
}

template <class F>
void requirePoints(cudaStream_t stream, LowestIndex bad, PointEncoding encoding, Affine<F> *points, size_t count,
                   const F &b) {
  bad.reset(stream);
  checkPoints(stream, bad, encoding, points, count, b, 0);
  requireGood(stream, bad);
}

}  // namespace cuzk::gpu
