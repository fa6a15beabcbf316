// SPDX-License-Identifier: Apache-2.0
//
// A GPU as a device of cuzk.h.
#include "library/machine.hpp"

#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>

#include "cuda/engines.hpp"
#include "cuda/needs.hpp"

namespace cuzk {
namespace {

using gpu::check;

std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

// The driver must be there and know this runtime's major version; its minor version does not matter.
void checkDriver() {
  int driver = 0;
  cudaError_t status = cudaDriverGetVersion(&driver);
  if (status != cudaSuccess || driver == 0) {
    throw Failure(CUZK_NO_DEVICE, "no NVIDIA driver was found (libcuda.so.1)", 0, static_cast<int32_t>(status));
  }
  if (driver / 1000 < CUDART_VERSION / 1000) {
    throw Failure(CUZK_UNSUPPORTED_DEVICE,
                  "the NVIDIA driver is too old: it supports CUDA " + version(driver) + ", this build needs CUDA " +
                      std::to_string(CUDART_VERSION / 1000) + ".0",
                  static_cast<uint64_t>(driver));
  }
}

int checkedOrdinal(int32_t ordinal) {
  checkDriver();
  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess && status != cudaErrorNoDevice) check(status, "looking for GPUs");
  (void)cudaGetLastError();
  if (ordinal < 0 || ordinal >= count) {
    throw Failure(CUZK_NO_DEVICE, "there is no GPU with the ordinal " + std::to_string(ordinal) + "; " +
                                      std::to_string(count) + " are visible");
  }
  return ordinal;
}

class Card : public Machine {
 public:
  explicit Card(const cuzk_device_options &options)
      : gpu_(checkedOrdinal(options.ordinal), options.memory_limit),
        bn254_(gpu::bn254Engine(gpu_)),
        bls12381_(gpu::bls12381Engine(gpu_)) {
    check(cudaGetDeviceProperties(&properties_, gpu_.ordinal), "describing the GPU");
  }

  const Engine &engine(cuzk_curve curve) const override { return curve == CUZK_BN254 ? *bn254_ : *bls12381_; }

  void describe(const ThreadPool &, cuzk_device_properties &properties) const override {
    gpu_.use();
    std::snprintf(properties.name, sizeof properties.name, "%.127s", properties_.name);
    const auto byte = [this](int i) { return static_cast<unsigned>(static_cast<uint8_t>(properties_.uuid.bytes[i])); };
    std::string uuid = "GPU-";
    for (int i = 0; i < 16; i++) {
      char digits[4];
      std::snprintf(digits, sizeof digits, "%02x", byte(i));
      if (i == 4 || i == 6 || i == 8 || i == 10) uuid += '-';
      uuid += digits;
    }
    std::snprintf(properties.uuid, sizeof properties.uuid, "%s", uuid.c_str());
    std::snprintf(properties.pci, sizeof properties.pci, "%08x:%02x:%02x.0",
                  static_cast<unsigned>(properties_.pciDomainID), static_cast<unsigned>(properties_.pciBusID),
                  static_cast<unsigned>(properties_.pciDeviceID));
    std::snprintf(properties.arithmetic, sizeof properties.arithmetic, "cuda");
    properties.compute_major = properties_.major;
    properties.compute_minor = properties_.minor;
    properties.multiprocessors = properties_.multiProcessorCount;
    size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for free memory");
    properties.memory_total = total;
    properties.memory_free = free;
    const MemoryBudget &budget = gpu_.budget;
    if (budget.limit() != 0) {
      properties.memory_total = std::min(properties.memory_total, budget.limit());
      properties.memory_free =
          std::min(properties.memory_free, budget.limit() - std::min(budget.limit(), budget.taken()));
    }
  }

  // Mapping, touching with all threads and registering takes a fifth of the time that cudaHostAlloc takes.
  void *allocatePinned(ThreadPool &pool, uint64_t bytes) override {
    gpu_.use();
    const size_t size = rounded(bytes);
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw Failure(CUZK_OUT_OF_PINNED_MEMORY, "out of memory", bytes, errno);
    if (size >= 2 * PIECE) (void)madvise(memory, size, MADV_HUGEPAGE);
    pool.run((size + PIECE - 1) / PIECE,
             [&](size_t index, size_t) {
               const size_t begin = index * PIECE;
               std::memset(static_cast<char *>(memory) + begin, 0, std::min(PIECE, size - begin));
             },
             nullptr);
    const cudaError_t status = cudaHostRegister(memory, size, cudaHostRegisterPortable);
    if (status == cudaSuccess) return memory;
    (void)cudaGetLastError();
    munmap(memory, size);
    if (gpu::statusOf(status) == CUZK_DEVICE_LOST) check(status, "page-locking memory");
    throw Failure(CUZK_OUT_OF_PINNED_MEMORY, std::string("page-locking memory: ") + cudaGetErrorString(status), bytes,
                  static_cast<int32_t>(status));
  }

  void freePinned(void *memory, uint64_t bytes) override {
    wipe(memory, static_cast<size_t>(bytes));
    (void)cudaSetDevice(gpu_.ordinal);
    (void)cudaHostUnregister(memory);
    (void)cudaGetLastError();
    munmap(memory, rounded(bytes));
  }

  // The workspace of its proofs comes with the key, so that no proof has to allocate.
  Reservation reserveKey(const cuzk_needs &needs) override {
    Reservation reservation(gpu_.budget, needs.key_bytes);
    gpu_.reserveWorkspace(needs.proof_bytes);
    return reservation;
  }
  // Jobs take turns in one workspace.
  Reservation reserveWork(uint64_t bytes) override {
    gpu_.reserveWorkspace(bytes);
    return Reservation();
  }

  double upload(ThreadPool &pool, const void *memory, uint64_t bytes) override {
    gpu_.use();
    const uint64_t window = std::min(bytes, WINDOW);
    gpu_.reserveWorkspace(window);
    gpu::Turn turn(gpu_);
    gpu::Arena::Scope scope(gpu_.workspace);
    char *target = gpu_.workspace.take<char>(window);
    check(cudaStreamSynchronize(gpu_.stream), "waiting for the GPU");
    const auto start = std::chrono::steady_clock::now();
    for (uint64_t done = 0; done < bytes; done += window) {
      const uint64_t here = std::min(window, bytes - done);
      gpu_.upload(pool, target, static_cast<const char *>(memory) + done, here, gpu_.stream, Content::PUBLIC, nullptr);
    }
    check(cudaStreamSynchronize(gpu_.stream), "upload");
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  static constexpr uint64_t WINDOW = uint64_t{256} << 20;
  static constexpr size_t PAGE = 4096, PIECE = size_t{4} << 20;
  static size_t rounded(uint64_t bytes) { return (static_cast<size_t>(bytes) + PAGE - 1) / PAGE * PAGE; }

  mutable gpu::Gpu gpu_;
  std::unique_ptr<Engine> bn254_, bls12381_;
  cudaDeviceProp properties_ = {};
};

}  // namespace

namespace library {

int32_t ordinalOf(const cuzk_device_options *options) {
  return options == nullptr ? -1 : options->ordinal;
}

std::unique_ptr<Machine> open(const cuzk_device_options &options) {
  return std::make_unique<Card>(options);
}

const char *buildId() {
  return "libcuzk-cuda " CUZK_VERSION " (" CUZK_COMMIT ", " CUZK_COMPILER ", architectures: " CUZK_ARCHITECTURES ")";
}

cuzk_backend backend() {
  return CUZK_BACKEND_CUDA;
}

}  // namespace library
}  // namespace cuzk
