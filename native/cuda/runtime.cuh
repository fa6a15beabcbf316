// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace cuzk::gpu {

// A CUDA status that is not success; turned into a cuzk_error where the library is entered.
struct CudaFailure {
  cudaError_t status;
  const char *what;
};

// A request that the arena cannot serve.
struct ArenaExhausted {
  size_t requested, size;
};

inline void check(cudaError_t status, const char *what) {
  if (status != cudaSuccess) throw CudaFailure{status, what};
}
// After every launch: the launch's own error, not those of kernels still running.
inline void checkLaunch(const char *what) { check(cudaGetLastError(), what); }

// One block of device memory handed out from the bottom up and given back in reverse order: a steady-state proof makes
// no allocation, and what a plan needs is what it reserves.
class Arena {
 public:
  static constexpr size_t ALIGNMENT = 256;

  explicit Arena(size_t bytes) : size_(bytes) {
    check(cudaMalloc(reinterpret_cast<void **>(&base_), bytes), "cudaMalloc of the arena");
  }
  ~Arena() { cudaFree(base_); }
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  template <class T>
  T *take(size_t count) {
    const size_t bytes = (count * sizeof(T) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes > size_ - used_) throw ArenaExhausted{used_ + bytes, size_};
    T *memory = reinterpret_cast<T *>(base_ + used_);
    used_ += bytes;
    if (used_ > peak_) peak_ = used_;
    return memory;
  }
  size_t left() const { return size_ - used_; }
  size_t peak() const { return peak_; }
  void resetPeak() { peak_ = used_; }

  // Gives back on leaving a scope whatever was taken in it.
  class Scope {
   public:
    explicit Scope(Arena &arena) : arena_(arena), mark_(arena.used_) {}
    ~Scope() { arena_.used_ = mark_; }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

   private:
    Arena &arena_;
    size_t mark_;
  };

 private:
  char *base_ = nullptr;
  size_t size_, used_ = 0, peak_ = 0;
};

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

}  // namespace cuzk::gpu
