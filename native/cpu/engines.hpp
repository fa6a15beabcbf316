// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "library/engine.hpp"

namespace cuzk {

// The engines of the processor, one set an arithmetic.
struct Engines {
  const char *arithmetic;
  bool (*supported)();
  const Engine &(*engine)(cuzk_curve curve);
};

extern const Engines PORTABLE_ENGINES;
#if defined(__x86_64__)
extern const Engines ADX_ENGINES;
extern const Engines IFMA_ENGINES;
#endif

}  // namespace cuzk
