// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "cuda/arena.hpp"

namespace cuzk::gpu {

// What every device algorithm is handed: where to run and where to put things.
struct Context {
  cudaStream_t stream;
  Arena &arena;
  int multiprocessors;
};

constexpr unsigned BLOCK = 256;

inline unsigned blocks(size_t threads, unsigned block = BLOCK) {
  return static_cast<unsigned>((threads + block - 1) / block);
}

// Threads a block for a kernel whose threads are long: few enough that a small grid still reaches every multiprocessor.
inline unsigned spread(size_t threads, int multiprocessors) {
  unsigned block = BLOCK;
  while (block > 32 && threads < size_t(block) * static_cast<unsigned>(multiprocessors)) block /= 2;
  return block;
}

#ifdef __CUDACC__
// Values in device memory by words of 16 bytes: half the instructions of the 8-byte words that their type asks for.
// Arrays start at multiples of 256 bytes, and the size must be a multiple of 16.
template <class T>
__device__ __forceinline__ T loadWide(const T *from) {
  static_assert(sizeof(T) % sizeof(uint4) == 0, "whole words");
  union {
    uint4 words[sizeof(T) / sizeof(uint4)];
    T value;
  } result;
#pragma unroll
  for (unsigned i = 0; i < sizeof(T) / sizeof(uint4); i++) result.words[i] = reinterpret_cast<const uint4 *>(from)[i];
  return result.value;
}
template <class T>
__device__ __forceinline__ void storeWide(T *to, const T &value) {
  static_assert(sizeof(T) % sizeof(uint4) == 0, "whole words");
  union {
    T value;
    uint4 words[sizeof(T) / sizeof(uint4)];
  } source;
  source.value = value;
#pragma unroll
  for (unsigned i = 0; i < sizeof(T) / sizeof(uint4); i++) reinterpret_cast<uint4 *>(to)[i] = source.words[i];
}
#endif

template <class T>
void download(Context &context, T *to, const T *from, size_t count) {
  check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, context.stream), "download");
  check(cudaStreamSynchronize(context.stream), "download");
}

template <class T>
void upload(Context &context, T *to, const T *from, size_t count) {
  check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, context.stream), "upload");
}

// The lowest index that a kernel reported, in device memory.
class LowestIndex {
 public:
  static constexpr unsigned long long NONE = ~0ull;

  explicit LowestIndex(Context &context) : index_(context.arena.take<unsigned long long>(1)) { reset(context.stream); }
  explicit LowestIndex(unsigned long long *memory) : index_(memory) {}

  void reset(cudaStream_t stream) { check(cudaMemsetAsync(index_, 0xff, sizeof *index_, stream), "reset of an index"); }
  unsigned long long *device() const { return index_; }
  unsigned long long read(cudaStream_t stream) const {
    unsigned long long index;
    check(cudaMemcpyAsync(&index, index_, sizeof index, cudaMemcpyDeviceToHost, stream), "download of an index");
    check(cudaStreamSynchronize(stream), "download of an index");
    return index;
  }

 private:
  unsigned long long *index_;
};

}  // namespace cuzk::gpu
