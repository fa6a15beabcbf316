// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/arena.hpp"
#include "cuda/upload_ring.hpp"
#include "library/machine.hpp"

namespace cuzk::gpu {

// Lets threads in in the order in which they came: jobs of one GPU share its workspace, and none waits behind all
// proofs of another. One at a time, or up to `places` members of one party, each with a place of its own.
class Turnstile {
 public:
  size_t enter(const void *party = nullptr, size_t places = 1) {
    std::unique_lock<std::mutex> lock(mutex_);
    const uint64_t mine = next_++;
    moved_.wait(lock, [&] {
      return serving_ == mine && (inside_ == 0 || (party != nullptr && party == party_ && inside_ < places));
    });
    party_ = party;
    size_t place = 0;
    while (taken_[place]) place++;
    taken_[place] = true;
    inside_++;
    serving_++;
    moved_.notify_all();
    return place;
  }
  void leave(size_t place) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      taken_[place] = false;
      inside_--;
    }
    moved_.notify_all();
  }

  static constexpr size_t MOST_PLACES = 8;

 private:
  std::mutex mutex_;
  std::condition_variable moved_;
  uint64_t next_ = 0, serving_ = 0;
  const void *party_ = nullptr;
  bool taken_[MOST_PLACES] = {};
  size_t inside_ = 0;
};

// Where one proof after the other runs: a stream, and events that are made when they are first asked for.
class Lane {
 public:
  Lane() { check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream"); }
  ~Lane() {
    for (cudaEvent_t event : events_) cudaEventDestroy(event);
    if (joint_ != nullptr) cudaEventDestroy(joint_);
    if (stream != nullptr) cudaStreamDestroy(stream);
  }
  Lane(const Lane &) = delete;
  Lane &operator=(const Lane &) = delete;

  cudaEvent_t event(size_t n) {
    while (events_.size() <= n) {
      cudaEvent_t made;
      check(cudaEventCreate(&made), "making an event");
      events_.push_back(made);
    }
    return events_[n];
  }

  // For streams that wait for each other.
  cudaEvent_t joint() {
    if (joint_ == nullptr) check(cudaEventCreateWithFlags(&joint_, cudaEventDisableTiming), "making an event");
    return joint_;
  }

  cudaStream_t stream = nullptr;

 private:
  std::vector<cudaEvent_t> events_;
  cudaEvent_t joint_ = nullptr;
};

// One GPU as everything behind the C interface sees it: its ordinal, streams, workspace and memory limit. Every thread
// that works for it calls `use` first; nothing depends on which device a thread had before.
class Gpu {
 public:
  Gpu(int ordinal, uint64_t memoryLimit)
      : ordinal(ordinal), budget(memoryLimit, CUZK_OUT_OF_DEVICE_MEMORY), ring(ordinal) {
    use();
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, ordinal), "describing the GPU");
    for (std::unique_ptr<Lane> &lane : lanes_) lane = std::make_unique<Lane>();
    stream = lane(0).stream;
    for (cudaStream_t *made : {&loadStream, &checkStream, &pieceStream}) {
      check(cudaStreamCreateWithFlags(made, cudaStreamNonBlocking), "making a stream");
    }
    check(cudaEventCreateWithFlags(&loaded, cudaEventDisableTiming), "making an event");
  }
  ~Gpu() {
    if (cudaSetDevice(ordinal) != cudaSuccess) return;
    for (std::unique_ptr<Lane> &lane : lanes_) lane.reset();
    if (loaded != nullptr) cudaEventDestroy(loaded);
    for (cudaStream_t made : {loadStream, checkStream, pieceStream}) {
      if (made != nullptr) cudaStreamDestroy(made);
    }
  }
  Gpu(const Gpu &) = delete;
  Gpu &operator=(const Gpu &) = delete;

  void use() const { check(cudaSetDevice(ordinal), "choosing the GPU"); }

  // Of whoever has that place: 0 for most jobs, more for proofs that run side by side.
  Lane &lane(size_t place) { return *lanes_[place]; }

  // Bytes on the host to bytes on the device: straight from page-locked memory, through the ring from any other.
  void upload(ThreadPool &pool, void *device, const void *host, uint64_t bytes, cudaStream_t to, Content content,
              const std::atomic<bool> *cancelled) {
    cudaPointerAttributes attributes;
    const cudaError_t known = cudaPointerGetAttributes(&attributes, host);
    if (known != cudaSuccess) (void)cudaGetLastError();
    if (known == cudaSuccess && attributes.type == cudaMemoryTypeHost) {
      check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, to), "upload");
    } else {
      ring.copy(pool, HostSource(host), device, bytes, to, content, cancelled);
    }
  }

  // Makes the workspace at least this large. It stays: what was needed once will be needed again.
  void reserveWorkspace(uint64_t bytes);

  const int ordinal;
  int multiprocessors = 0;
  cudaStream_t stream = nullptr;       // lane 0's
  cudaStream_t loadStream = nullptr;   // of keys being loaded meanwhile
  cudaStream_t checkStream = nullptr;  // of their points' checks
  cudaStream_t pieceStream = nullptr;  // of streamed keys' pieces, for the job that has its turn
  cudaEvent_t loaded = nullptr;        // a piece has arrived and waits for its check
  MemoryBudget budget;
  UploadRing ring;
  Arena workspace;
  Turnstile turnstile;
  // Ordinary memory while keys are loaded; not counted as the device's.
  MemoryAccount hostMemory;

 private:
  std::unique_ptr<Lane> lanes_[Turnstile::MOST_PLACES];
  std::atomic<uint64_t> workspaceBytes_{0};
  Reservation workspaceReserved_;
};

// One thread's turn at a GPU's whole workspace. What was in use is overwritten with zeros at its end: it derives from
// witnesses.
class Turn {
 public:
  explicit Turn(Gpu &gpu) : gpu_(gpu) {
    gpu.use();
    place_ = gpu.turnstile.enter();
    gpu.workspace.resetPeak();
  }
  ~Turn() {
    if (wiped_) wipe(gpu_.workspace, gpu_.stream);
    gpu_.turnstile.leave(place_);
  }
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;
  // For public values: leaves the workspace as it is.
  void keep() { wiped_ = false; }

  static void wipe(Arena &arena, cudaStream_t stream) {
    try {
      arena.wipe(stream);
      (void)cudaStreamSynchronize(stream);
    } catch (const Failure &) {
      // The device is lost, and its memory with it.
    }
  }

 private:
  Gpu &gpu_;
  size_t place_ = 0;
  bool wiped_ = true;
};

// The turn of one proof of several that run side by side: a lane, and as much of the workspace as every one of them
// takes.
class SharedTurn {
 public:
  SharedTurn(Gpu &gpu, const void *party, size_t places, uint64_t bytes)
      : gpu_(gpu), place_(enter(gpu, party, places)), arena(gpu.workspace.part(place_ * bytes, bytes), bytes) {}
  ~SharedTurn() {
    Turn::wipe(arena, lane().stream);
    gpu_.turnstile.leave(place_);
  }
  SharedTurn(const SharedTurn &) = delete;
  SharedTurn &operator=(const SharedTurn &) = delete;
  Lane &lane() const { return gpu_.lane(place_); }

 private:
  static size_t enter(Gpu &gpu, const void *party, size_t places) {
    gpu.use();
    return gpu.turnstile.enter(party, places);
  }

  Gpu &gpu_;
  const size_t place_;

 public:
  Arena arena;
};

inline void Gpu::reserveWorkspace(uint64_t bytes) {
  // Without a turn where it is large enough: whoever asks need not wait for a proof under way.
  if (bytes <= workspaceBytes_) return;
  Turn turn(*this);
  turn.keep();
  if (bytes <= workspace.size()) return;
  workspaceBytes_ = 0;
  workspaceReserved_ = Reservation();
  Reservation reservation(budget, bytes);
  workspace.resize(bytes);
  workspaceReserved_ = std::move(reservation);
  workspaceBytes_ = bytes;
}

// Device memory that a key keeps, counted in an account.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(MemoryAccount &account, size_t count) : account_(&account), count_(count) {
    if (count == 0) return;
    check(cudaMalloc(reinterpret_cast<void **>(&data_), bytes()), "device memory of a key", bytes());
    account.add(bytes());
  }
  DeviceArray(DeviceArray &&other) noexcept { *this = std::move(other); }
  DeviceArray &operator=(DeviceArray &&other) noexcept {
    std::swap(account_, other.account_);
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~DeviceArray() {
    if (data_ == nullptr) return;
    cudaFree(data_);
    account_->remove(bytes());
  }

  T *data() const { return data_; }
  size_t size() const { return count_; }
  size_t bytes() const { return count_ * sizeof(T); }

 private:
  MemoryAccount *account_ = nullptr;
  T *data_ = nullptr;
  size_t count_ = 0;
};

template <class T>
DeviceArray<T> uploaded(MemoryAccount &account, cudaStream_t stream, const T *source, size_t count) {
  DeviceArray<T> result(account, count);
  if (count == 0) return result;
  check(cudaMemcpyAsync(static_cast<void *>(result.data()), source, result.bytes(), cudaMemcpyHostToDevice, stream),
        "upload of a key");
  check(cudaStreamSynchronize(stream), "upload of a key");
  return result;
}

}  // namespace cuzk::gpu
