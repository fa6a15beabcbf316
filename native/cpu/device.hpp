// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "cpu/engine.hpp"

// The handles of cuzk.h.

struct cuzk_device {
  cuzk_device(unsigned threads, uint64_t memoryLimit, const cuzk::Engines &engines)
      : engines(engines), memoryLimit(memoryLimit), pool(threads) {}

  cuzk::Context context() { return {pool, memory}; }

  const cuzk::Engines &engines;
  const uint64_t memoryLimit;
  std::atomic<uint64_t> reserved{0};
  cuzk::MemoryAccount memory;
  cuzk::ThreadPool pool;
};

namespace cuzk {

// A share of a device's memory limit, taken before anything is allocated.
class Reservation {
 public:
  Reservation(cuzk_device &device, uint64_t bytes) : device_(device), bytes_(bytes) {
    uint64_t total = device.reserved.fetch_add(bytes) + bytes;
    if (device.memoryLimit == 0 || total <= device.memoryLimit) return;
    device.reserved.fetch_sub(bytes);
    throw Failure(CUZK_OUT_OF_HOST_MEMORY,
                  "needs " + std::to_string(bytes) + " bytes; " + std::to_string(total - bytes) + " of the limit of " +
                      std::to_string(device.memoryLimit) + " are taken",
                  bytes);
  }
  Reservation(const Reservation &) = delete;
  Reservation &operator=(const Reservation &) = delete;
  ~Reservation() { device_.reserved.fetch_sub(bytes_); }

 private:
  cuzk_device &device_;
  const uint64_t bytes_;
};

}  // namespace cuzk

struct cuzk_key {
  cuzk_key(cuzk_device &device, const cuzk_needs &needs)
      : device(device), needs(needs), reservation(device, needs.key_bytes) {}

  cuzk_device &device;
  const cuzk_needs needs;
  cuzk::Reservation reservation;
  std::unique_ptr<cuzk::EngineKey> key;
};

struct cuzk_job {
  cuzk_job(cuzk_key &key, std::vector<cuzk_proof_request> requests)
      : key(key),
        requests(std::move(requests)),
        reservation(key.device, key.needs.proof_bytes),
        memory(&key.device.memory) {}
  ~cuzk_job() { cuzk::wipe(requests.data(), requests.size() * sizeof(cuzk_proof_request)); }

  cuzk_key &key;
  std::vector<cuzk_proof_request> requests;
  cuzk::Reservation reservation;
  cuzk::MemoryAccount memory;
  std::atomic<bool> cancelled{false};
  std::vector<cuzk_proof> proofs;
  cuzk_timings timings = {};
  cuzk_error error = {};
  std::thread coordinator;
};
