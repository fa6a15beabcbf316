// SPDX-License-Identifier: Apache-2.0
//
// The processor as a device of cuzk.h.
#include "library/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "cpu/engines.hpp"
#include "groth16/needs.hpp"

namespace cuzk {
namespace {

// The fastest that the processor has, or the one named.
const Engines &chooseEngines(const char *arithmetic) {
  std::string name = arithmetic == nullptr ? "auto" : arithmetic;
  bool automatic = name == "auto";
  require(automatic || name == "portable" || name == "adx" || name == "ifma",
          "arithmetic must be auto, portable, adx or ifma");
#if defined(__x86_64__)
  for (const Engines *engines : {&IFMA_ENGINES, &ADX_ENGINES}) {
    if ((automatic || name == engines->arithmetic) && engines->supported()) return *engines;
  }
#endif
  if (name == "ifma") throw Failure(CUZK_UNSUPPORTED_DEVICE, "this processor lacks AVX-512 with IFMA");
  if (name == "adx") throw Failure(CUZK_UNSUPPORTED_DEVICE, "this processor lacks BMI2 or ADX");
  return PORTABLE_ENGINES;
}

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "CPU";
}

uint64_t memoryAvailable() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("MemAvailable:", 0) == 0) return std::strtoull(line.c_str() + 13, nullptr, 10) * 1024;
  }
  return static_cast<uint64_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

class Processor : public Machine {
 public:
  explicit Processor(const cuzk_device_options &options)
      : engines_(chooseEngines(options.arithmetic)), budget_(options.memory_limit, CUZK_OUT_OF_HOST_MEMORY) {}

  const Engine &engine(cuzk_curve curve) const override { return engines_.engine(curve); }

  void describe(const ThreadPool &pool, cuzk_device_properties &properties) const override {
    std::snprintf(properties.name, sizeof properties.name, "%s", processorName().c_str());
    std::snprintf(properties.arithmetic, sizeof properties.arithmetic, "%s", engines_.arithmetic);
    properties.multiprocessors = static_cast<int32_t>(pool.threads());
    properties.memory_total =
        static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    properties.memory_free = memoryAvailable();
    if (budget_.limit() != 0) {
      properties.memory_total = std::min(properties.memory_total, budget_.limit());
      uint64_t left = budget_.limit() - std::min(budget_.limit(), budget_.taken());
      properties.memory_free = std::min(properties.memory_free, left);
    }
  }

  void *allocatePinned(ThreadPool &, uint64_t bytes) override {
    size_t rounded = (static_cast<size_t>(bytes) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *memory = std::aligned_alloc(ALIGNMENT, rounded);
    if (memory == nullptr) throw Failure(CUZK_OUT_OF_PINNED_MEMORY, "out of memory", bytes);
    std::memset(memory, 0, rounded);
    return memory;
  }
  void freePinned(void *memory, uint64_t bytes) override {
    wipe(memory, static_cast<size_t>(bytes));
    std::free(memory);
  }

  Reservation reserveKey(const cuzk_needs &needs) override { return Reservation(budget_, needs.key_bytes); }
  Reservation reserveWork(uint64_t bytes) override { return Reservation(budget_, bytes); }
  double upload(ThreadPool &, const void *, uint64_t) override {
    throw Failure(CUZK_INVALID_ARGUMENT, "the processor has no memory of its own to copy to");
  }

 private:
  static constexpr size_t ALIGNMENT = 64;

  const Engines &engines_;
  MemoryBudget budget_;
};

}  // namespace

namespace library {

int32_t ordinalOf(const cuzk_device_options *) {
  return -1;
}

std::unique_ptr<Machine> open(const cuzk_device_options &options) {
  return std::make_unique<Processor>(options);
}

const char *buildId() {
  return "libcuzk-cpu " CUZK_VERSION " (" CUZK_COMMIT ", " CUZK_COMPILER
         ", arithmetic: portable"
#if defined(__x86_64__)
         " adx ifma"
#endif
         ")";
}

cuzk_backend backend() {
  return CUZK_BACKEND_CPU;
}

}  // namespace library
}  // namespace cuzk
