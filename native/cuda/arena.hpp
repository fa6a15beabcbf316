// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "cuda/failures.hpp"

namespace cuzk::gpu {

// One block of device memory handed out from the bottom up and given back in reverse order: a steady-state proof makes
// no allocation, and what a plan needs is what it reserves.
class Arena {
 public:
  static constexpr size_t ALIGNMENT = 256;

  Arena() = default;
  explicit Arena(size_t bytes) { resize(bytes); }
  // A part that was taken from another arena, which frees it.
  Arena(char *part, size_t bytes) : base_(part), size_(bytes), isPart_(true) {}
  ~Arena() {
    if (!isPart_) cudaFree(base_);
  }
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  // Where a part of it begins that is shared out otherwise than by `take`.
  char *part(size_t offset, size_t bytes) const {
    if (offset > size_ || bytes > size_ - offset) {
      throw Failure(
          CUZK_OUT_OF_DEVICE_MEMORY,
          "the workspace has " + std::to_string(size_) + " bytes and would need " + std::to_string(offset + bytes),
          offset + bytes);
    }
    return base_ + offset;
  }

  // Only while nothing is taken. On failure the arena is empty.
  void resize(size_t bytes) {
    if (base_ != nullptr) check(cudaFree(base_), "freeing the workspace");
    base_ = nullptr;
    size_ = used_ = peak_ = 0;
    check(cudaMalloc(reinterpret_cast<void **>(&base_), bytes), "the workspace", bytes);
    size_ = bytes;
  }

  template <class T>
  T *take(size_t count) {
    const size_t bytes = rounded(count * sizeof(T));
    if (bytes > size_ - used_) {
      throw Failure(
          CUZK_OUT_OF_DEVICE_MEMORY,
          "the workspace has " + std::to_string(size_) + " bytes and would need " + std::to_string(used_ + bytes),
          used_ + bytes);
    }
    T *memory = reinterpret_cast<T *>(base_ + used_);
    used_ += bytes;
    peak_ = std::max(peak_, used_);
    return memory;
  }
  // Gives back what was taken last beyond its first `count` elements.
  template <class T>
  void shorten(T *memory, size_t count) {
    used_ = static_cast<size_t>(reinterpret_cast<char *>(memory) - base_) + rounded(count * sizeof(T));
  }
  static size_t rounded(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

  size_t size() const { return size_; }
  size_t left() const { return size_ - used_; }
  size_t peak() const { return peak_; }
  void resetPeak() { peak_ = used_; }
  // Overwrites all that was in use since the last resetPeak.
  void wipe(cudaStream_t stream) {
    if (peak_ > 0) check(cudaMemsetAsync(base_, 0, peak_, stream), "wiping the workspace");
  }

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
  size_t size_ = 0, used_ = 0, peak_ = 0;
  bool isPart_ = false;
};

}  // namespace cuzk::gpu
