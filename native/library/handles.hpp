// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "library/machine.hpp"

// The handles of cuzk.h.

struct cuzk_device {
  cuzk_device(std::unique_ptr<cuzk::Machine> machine, unsigned threads, int32_t ordinal)
      : ordinal(ordinal), machine(std::move(machine)), pool(threads) {}

  cuzk::Context context() { return {pool, memory}; }

  const int32_t ordinal;
  std::atomic<bool> lost{false};
  cuzk::MemoryAccount memory;
  const std::unique_ptr<cuzk::Machine> machine;
  cuzk::ThreadPool pool;
};

struct cuzk_key {
  cuzk_key(cuzk_device &device, const cuzk_needs &needs)
      : device(device), needs(needs), reservation(device.machine->reserveKey(needs)) {}

  cuzk_device &device;
  const cuzk_needs needs;
  cuzk::Reservation reservation;
  std::unique_ptr<cuzk::EngineKey> key;
};

struct cuzk_job {
  cuzk_job(cuzk_key &key, std::vector<cuzk_proof_request> requests)
      : key(key),
        requests(std::move(requests)),
        reservation(key.device.machine->reserveWork(key.needs.proof_bytes)),
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
