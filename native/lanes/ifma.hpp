// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/arithmetic_adx.hpp"

namespace cuzk {

struct Avx512Lanes;
struct EmulatedLanes;

#if defined(__x86_64__)

// Batched additions and transforms in the lanes of AVX-512 with IFMA; single elements as Adx has them.
struct Ifma : Adx {
  static constexpr const char *NAME = "ifma";
#if defined(CUZK_EMULATED_IFMA)
  using Vector = EmulatedLanes;
  static bool supported() { return Adx::supported(); }
#else
  using Vector = Avx512Lanes;
  static bool supported() {
    return Adx::supported() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512ifma");
  }
#endif
};

#endif

// The same with emulated lanes, for tests on any processor.
struct EmulatedIfma : Portable {
  static constexpr const char *NAME = "emulated ifma";
  using Vector = EmulatedLanes;
};

}  // namespace cuzk
