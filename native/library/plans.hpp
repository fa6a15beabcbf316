// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/needs.hpp"
#include "groth16/needs.hpp"

namespace cuzk {

// Plans of either library, as both of them know them: arithmetic on shapes, without a device.
namespace plans {

constexpr cuzk_plan RESIDENT = {CUZK_BACKEND_OWN, 1, 1, 0, 0, 0};

inline void check(const cuzk_plan &plan) {
  require(plan.backend >= CUZK_BACKEND_OWN && plan.backend <= CUZK_BACKEND_CUDA, "plan: unknown backend");
  require(plan.batch >= 0 && plan.table_levels >= 0 && plan.window_bits >= 0, "plan: negative number");
  require(plan.chunk_log2 == 0 || (plan.chunk_log2 >= gpu::plan::LEAST_CHUNK && plan.chunk_log2 <= 31),
          "plan: chunks must have 2^4 to 2^31 points");
  require(plan.resident_key == 1 || plan.chunk_log2 > 0, "plan: a streamed key comes in chunks");
}

// `backend`: CUZK_BACKEND_CPU or CUZK_BACKEND_CUDA. The shape and the plan were checked.
inline cuzk_needs needsOf(const cuzk_shape &shape, const cuzk_plan &plan, cuzk_backend backend) {
  const bool bn254 = shape.curve == CUZK_BN254;
  if (backend == CUZK_BACKEND_CPU) {
    const auto tables = static_cast<unsigned>(plan.table_levels);
    return bn254 ? needs::of<Bn254<Portable>>(shape, tables) : needs::of<Bls12381<Portable>>(shape, tables);
  }
  return bn254 ? gpu::needs::of<Bn254<Portable>>(shape, plan) : gpu::needs::of<Bls12381<Portable>>(shape, plan);
}

// Walks from the fastest plan to the smallest, and ends at the first that fits.
class Chooser {
 public:
  Chooser(const cuzk_shape &shape, cuzk_backend backend, uint64_t memory)
      : shape_(shape), backend_(backend), memory_(memory) {}

  // Whether a plan fits; it is then, or if it is the smallest of all, found in plan() and needs().
  bool choose(const cuzk_plan &wish) {
    cuzk_plan plan = RESIDENT;
    plan.backend = wish.backend;
    if (backend_ == CUZK_BACKEND_CPU) {
      for (plan.table_levels = std::min(wish.table_levels, MOST_TABLES); plan.table_levels >= 0; plan.table_levels--) {
        plan.table_levels = tablesKept(plan.table_levels);
        if (fits(plan)) return true;
      }
      return false;
    }
    plan.table_levels = std::min<int>(wish.table_levels, gpu::Levels::MOST - 1);
    for (; plan.table_levels >= 0; plan.table_levels--) {
      for (plan.batch = sideBySide(wish.batch, plan.table_levels); plan.batch >= 1; plan.batch /= 2) {
        if (tablesFit(plan) && fits(plan)) return true;
      }
    }
    plan.table_levels = 0;
    plan.batch = 1;
    // Resident keys in chunks that are still large enough to keep a GPU busy.
    for (plan.chunk_log2 = LARGEST_CHUNK; plan.chunk_log2 >= SMALL_CHUNK; plan.chunk_log2--) {
      if (worthwhile(plan.chunk_log2) && fits(plan)) return true;
    }
    plan.resident_key = 0;
    for (plan.batch = std::max(wish.batch, 1); plan.batch >= 1;
         plan.batch = plan.batch == 1 ? 0 : (plan.batch + 1) / 2) {
      const int smallest = plan.batch > 1 ? SMALL_CHUNK : SMALLEST_CHUNK;
      for (plan.chunk_log2 = LARGEST_CHUNK; plan.chunk_log2 >= smallest; plan.chunk_log2--) {
        if (fits(plan)) return true;
      }
    }
    return false;
  }
  const cuzk_plan &plan() const { return plan_; }
  const cuzk_needs &needs() const { return needs_; }
  uint64_t bytes() const { return needs_.key_bytes + needs_.proof_bytes; }

 private:
  // A scalar has no more windows than that.
  static constexpr int MOST_TABLES = 128;
  static constexpr int LARGEST_CHUNK = 26, SMALL_CHUNK = 20, SMALLEST_CHUNK = 16;

  // Proofs that a resident key's plan may make at once: as many small ones as fill the device, and two of any size
  // where they leave half of the memory to other keys, so that one computes while the host is at work for the other.
  int sideBySide(int most, int tables) const {
    cuzk_plan plan = RESIDENT;
    plan.backend = backend_;
    plan.table_levels = tables;
    plan.batch = 2;
    const cuzk_needs two = needsOf(shape_, plan, backend_);
    const uint64_t fill = std::min<uint64_t>(2 * gpu::needs::LANE_BYTES / two.proof_bytes, gpu::needs::MOST_LANES);
    const int room = two.key_bytes + two.proof_bytes <= memory_ / 2 ? 2 : 1;
    return std::clamp(std::min(most, std::max(static_cast<int>(fill), room)), 1, gpu::needs::MOST_LANES);
  }
  int tablesKept(int tables) const {
    const auto most = static_cast<unsigned>(tables);
    return static_cast<int>(shape_.curve == CUZK_BN254 ? cuzk::needs::tablesKept<Bn254<Portable>>(shape_, most)
                                                       : cuzk::needs::tablesKept<Bls12381<Portable>>(shape_, most));
  }
  // Tables take at most half of what the key leaves without them, and as few levels as do the same.
  bool tablesFit(const cuzk_plan &plan) const {
    if (plan.table_levels == 0) return true;
    cuzk_plan without = plan, less = plan;
    without.table_levels = 0;
    less.table_levels--;
    const cuzk_needs with = needsOf(shape_, plan, backend_), bare = needsOf(shape_, without, backend_);
    if (with.key_bytes == needsOf(shape_, less, backend_).key_bytes) return false;
    const uint64_t taken = bare.key_bytes + bare.proof_bytes;
    return taken <= memory_ && with.key_bytes - bare.key_bytes <= (memory_ - taken) / 2;
  }
  bool worthwhile(int chunk) const {
    return uint64_t{1} << chunk < std::max(shape_.variables, shape_.counts[CUZK_QUERY_H]);
  }
  bool fits(const cuzk_plan &plan) {
    const cuzk_needs needs = needsOf(shape_, plan, backend_);
    if (known_ && needs.key_bytes + needs.proof_bytes >= bytes()) return false;
    known_ = true;
    plan_ = plan;
    needs_ = needs;
    return bytes() <= memory_;
  }

  const cuzk_shape &shape_;
  const cuzk_backend backend_;
  const uint64_t memory_;
  cuzk_plan plan_ = {};
  cuzk_needs needs_ = {};
  bool known_ = false;
};

}  // namespace plans
}  // namespace cuzk
