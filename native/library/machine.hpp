// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "library/engine.hpp"

namespace cuzk {

// How much of a device's memory limit is taken. The limit counts what is planned, not what is allocated.
class MemoryBudget {
 public:
  // `exceeded`: the status that tells the caller which memory is short. A limit of 0 is none.
  MemoryBudget(uint64_t limit, cuzk_status exceeded) : limit_(limit), exceeded_(exceeded) {}

  void take(uint64_t bytes) {
    uint64_t total = taken_.fetch_add(bytes) + bytes;
    if (limit_ == 0 || total <= limit_) return;
    taken_.fetch_sub(bytes);
    throw Failure(exceeded_,
                  "needs " + std::to_string(bytes) + " bytes; " + std::to_string(total - bytes) + " of the limit of " +
                      std::to_string(limit_) + " are taken",
                  bytes);
  }
  void giveBack(uint64_t bytes) { taken_.fetch_sub(bytes); }
  uint64_t limit() const { return limit_; }
  uint64_t taken() const { return taken_.load(); }

 private:
  const uint64_t limit_;
  const cuzk_status exceeded_;
  std::atomic<uint64_t> taken_{0};
};

// A share of a budget, taken before anything is allocated and given back at the end of its life.
class Reservation {
 public:
  Reservation() = default;
  Reservation(MemoryBudget &budget, uint64_t bytes) : bytes_(bytes) {
    budget.take(bytes);
    budget_ = &budget;
  }
  Reservation(Reservation &&other) noexcept { *this = std::move(other); }
  Reservation &operator=(Reservation &&other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Reservation() {
    if (budget_ != nullptr) budget_->giveBack(bytes_);
  }

 private:
  MemoryBudget *budget_ = nullptr;
  uint64_t bytes_ = 0;
};

// What a device is made of besides its threads. The CPU library and the CUDA library each bring one, and the functions
// in namespace `library`; everything else behind cuzk.h is common to both.
class Machine {
 public:
  virtual ~Machine() = default;
  virtual const Engine &engine(cuzk_curve curve) const = 0;
  // Fills in all but zeros.
  virtual void describe(const ThreadPool &pool, cuzk_device_properties &properties) const = 0;
  // Zeroed; throws Failure(CUZK_OUT_OF_PINNED_MEMORY). Both from any thread.
  virtual void *allocatePinned(ThreadPool &pool, uint64_t bytes) = 0;
  virtual void freePinned(void *memory, uint64_t bytes) = 0;
  virtual Reservation reserveKey(const cuzk_needs &needs) = 0;
  // For the length of a job or of a call.
  virtual Reservation reserveWork(uint64_t bytes) = 0;
  // Milliseconds of a copy to the device.
  virtual double upload(ThreadPool &pool, const void *memory, uint64_t bytes) = 0;
};

namespace library {

// -1 where there is no ordinal: the CPU, or options that are missing.
int32_t ordinalOf(const cuzk_device_options *options);
std::unique_ptr<Machine> open(const cuzk_device_options &options);
const char *buildId();
// CUZK_BACKEND_CPU or CUZK_BACKEND_CUDA.
cuzk_backend backend();

}  // namespace library
}  // namespace cuzk
