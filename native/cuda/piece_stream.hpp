// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "cuda/gpu.hpp"

namespace cuzk::gpu {

// Pieces of something larger than device memory, brought there one ahead of the piece that is worked on: a thread of
// its own fills one half of a double buffer while kernels read the other.
class PieceStream {
 public:
  // Enqueues the copies of a piece into a slot on a stream.
  using Load = std::function<void(size_t piece, char *slot, cudaStream_t stream)>;

  PieceStream(Gpu &gpu, char *first, char *second, size_t pieces, Load load)
      : gpu_(gpu), slots_{first, second}, pieces_(pieces), load_(std::move(load)) {
    for (Events &events : events_) {
      check(cudaEventCreateWithFlags(&events.filled, cudaEventDisableTiming), "making an event");
      check(cudaEventCreateWithFlags(&events.consumed, cudaEventDisableTiming), "making an event");
      // What lay in the slots before is given up in the order of the job's stream.
      check(cudaEventRecord(events.consumed, gpu_.stream), "recording an event");
    }
    worker_ = std::thread([this] { fill(); });
  }
  ~PieceStream() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      stopped_ = true;
    }
    moved_.notify_all();
    worker_.join();
    // The slots may be given to others at once.
    (void)cudaStreamSynchronize(gpu_.pieceStream);
    for (Events &events : events_) {
      (void)cudaEventDestroy(events.filled);
      (void)cudaEventDestroy(events.consumed);
    }
  }
  PieceStream(const PieceStream &) = delete;
  PieceStream &operator=(const PieceStream &) = delete;

  // The next piece, for kernels on the job's stream from here on; the one before is overwritten when those launched so
  // far are done.
  const char *next() {
    if (taken_ > 0) {
      check(cudaEventRecord(events_[(taken_ - 1) % 2].consumed, gpu_.stream), "recording an event");
    }
    std::unique_lock<std::mutex> lock(mutex_);
    released_ = taken_;
    moved_.notify_all();
    moved_.wait(lock, [&] { return filled_ > taken_ || error_ != nullptr; });
    if (error_ != nullptr) std::rethrow_exception(error_);
    const size_t slot = taken_++ % 2;
    check(cudaStreamWaitEvent(gpu_.stream, events_[slot].filled, 0), "waiting for a piece");
    return slots_[slot];
  }

 private:
  struct Events {
    cudaEvent_t filled = nullptr, consumed = nullptr;
  };

  void fill() {
    try {
      gpu_.use();
      for (size_t piece = 0; piece < pieces_; piece++) {
        {
          std::unique_lock<std::mutex> lock(mutex_);
          moved_.wait(lock, [&] { return stopped_ || released_ + 2 > piece; });
          if (stopped_) return;
        }
        const Events &events = events_[piece % 2];
        check(cudaStreamWaitEvent(gpu_.pieceStream, events.consumed, 0), "waiting for a slot");
        load_(piece, slots_[piece % 2], gpu_.pieceStream);
        check(cudaEventRecord(events.filled, gpu_.pieceStream), "recording an event");
        std::lock_guard<std::mutex> lock(mutex_);
        filled_ = piece + 1;
        moved_.notify_all();
      }
    } catch (...) {
      std::lock_guard<std::mutex> lock(mutex_);
      error_ = std::current_exception();
      moved_.notify_all();
    }
  }

  Gpu &gpu_;
  char *const slots_[2];
  const size_t pieces_;
  const Load load_;
  Events events_[2];
  std::mutex mutex_;
  std::condition_variable moved_;
  // Pieces that are in a slot; that the caller has taken; that the caller has done with.
  size_t filled_ = 0, taken_ = 0, released_ = 0;
  bool stopped_ = false;
  std::exception_ptr error_;
  std::thread worker_;
};

}  // namespace cuzk::gpu
