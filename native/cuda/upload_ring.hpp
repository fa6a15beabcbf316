// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "cpu/input_file.hpp"
#include "cpu/thread_pool.hpp"
#include "cuda/failures.hpp"

namespace cuzk::gpu {

// Where bytes for the GPU lie on the host: in memory, or in a file.
class HostSource {
 public:
  HostSource() = default;
  explicit HostSource(const void *memory) : memory_(static_cast<const char *>(memory)) {}
  HostSource(std::shared_ptr<const InputFile> file, uint64_t offset) : file_(std::move(file)), offset_(offset) {}

  HostSource operator+(uint64_t bytes) const {
    HostSource further = *this;
    if (file_ == nullptr) {
      further.memory_ += bytes;
    } else {
      further.offset_ += bytes;
    }
    return further;
  }
  void read(void *to, size_t bytes) const {
    if (file_ == nullptr) {
      std::memcpy(to, memory_, bytes);
    } else {
      file_->read(to, offset_, bytes);
    }
  }
  const InputFile *file() const { return file_.get(); }

 private:
  const char *memory_ = nullptr;
  std::shared_ptr<const InputFile> file_;
  uint64_t offset_ = 0;
};

// Brings bytes of ordinary memory or of a file to a GPU at the rate of page-locked memory: all threads of a pool fill
// small page-locked buffers and hand each to the GPU when it is full. Safe for several callers at a time, who share
// the buffers. Where memory cannot be page-locked the ring shrinks, at last to ordinary memory.
class UploadRing {
 public:
  explicit UploadRing(int ordinal) : ordinal_(ordinal) {}
  ~UploadRing() {
    for (Slot *slot : free_) (void)cudaEventDestroy(slot->copied);
    release();
  }
  UploadRing(const UploadRing &) = delete;
  UploadRing &operator=(const UploadRing &) = delete;

  // Returns when the last byte is on its way in `stream`; the source is not needed any more. SECRET bytes are
  // overwritten in the ring, which waits for them to arrive.
  void copy(ThreadPool &pool, const HostSource &source, void *device, uint64_t bytes, cudaStream_t stream,
            Content content = Content::PUBLIC, const std::atomic<bool> *cancelled = nullptr) {
    if (bytes == 0) return;
    prepare(2 * std::min(pool.threads(), MOST_THREADS) + 2);
    const uint64_t pieces = (bytes + slotBytes_ - 1) / slotBytes_;
    pool.run(
        pieces,
        [&](size_t piece, size_t) {
          const uint64_t begin = piece * slotBytes_;
          const size_t length = static_cast<size_t>(std::min<uint64_t>(slotBytes_, bytes - begin));
          upload(source + begin, static_cast<char *>(device) + begin, length, stream, content);
        },
        cancelled);
    if (source.file() != nullptr) source.file()->requireUnchanged();
  }

  // Bytes of page-locked memory; 0: none could be had, or nothing was uploaded yet.
  uint64_t pinnedBytes() const { return pinned_ ? memoryBytes_ : 0; }

 private:
  static constexpr unsigned MOST_THREADS = 16;
  static constexpr size_t SLOT = size_t{2} << 20, LEAST_SLOT = size_t{64} << 10;

  struct Slot {
    char *memory = nullptr;
    cudaEvent_t copied = nullptr;
  };

  void prepare(size_t slots) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (memory_ != nullptr) return;
    check(cudaSetDevice(ordinal_), "choosing the GPU");
    for (slotBytes_ = SLOT; !pinned_; slotBytes_ /= 2) {
      allocate(slotBytes_ * slots);
      pinned_ = cudaHostRegister(memory_, memoryBytes_, cudaHostRegisterPortable) == cudaSuccess;
      if (pinned_) break;
      (void)cudaGetLastError();
      if (slotBytes_ == LEAST_SLOT) break;
      release();
    }
    slots_.resize(slots);
    for (size_t i = 0; i < slots_.size(); i++) {
      slots_[i].memory = memory_ + i * slotBytes_;
      check(cudaEventCreateWithFlags(&slots_[i].copied, cudaEventDisableTiming), "making an event");
      free_.push_back(&slots_[i]);
    }
  }
  void allocate(size_t bytes) {
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) throw Failure(CUZK_OUT_OF_HOST_MEMORY, "out of memory", bytes, errno);
    memory_ = static_cast<char *>(memory);
    memoryBytes_ = bytes;
  }
  void release() {
    if (memory_ == nullptr) return;
    if (pinned_) (void)cudaHostUnregister(memory_);
    munmap(memory_, memoryBytes_);
    memory_ = nullptr;
  }

  void upload(const HostSource &source, char *device, size_t length, cudaStream_t stream, Content content) {
    check(cudaSetDevice(ordinal_), "choosing the GPU");
    Slot *slot = take();
    try {
      check(cudaEventSynchronize(slot->copied), "waiting for an upload");
      source.read(slot->memory, length);
      check(cudaMemcpyAsync(device, slot->memory, length, cudaMemcpyHostToDevice, stream), "upload");
      check(cudaEventRecord(slot->copied, stream), "recording an event");
      if (content == Content::SECRET) {
        check(cudaEventSynchronize(slot->copied), "waiting for an upload");
        wipe(slot->memory, length);
      }
    } catch (...) {
      giveBack(slot);
      throw;
    }
    giveBack(slot);
  }

  // The buffer that was handed to the GPU longest ago.
  Slot *take() {
    std::unique_lock<std::mutex> lock(mutex_);
    returned_.wait(lock, [&] { return !free_.empty(); });
    Slot *slot = free_.front();
    free_.pop_front();
    return slot;
  }
  void giveBack(Slot *slot) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      free_.push_back(slot);
    }
    returned_.notify_one();
  }

  const int ordinal_;
  std::mutex mutex_;
  std::condition_variable returned_;
  char *memory_ = nullptr;
  size_t memoryBytes_ = 0, slotBytes_ = SLOT;
  bool pinned_ = false;
  std::vector<Slot> slots_;
  std::deque<Slot *> free_;
};

}  // namespace cuzk::gpu
