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
