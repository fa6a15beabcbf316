// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "cuzk.h"

namespace cuzk {

// How an error travels inside the library; the C functions turn it into a status and a cuzk_error.
class Failure : public std::runtime_error {
 public:
  explicit Failure(cuzk_status status, const std::string &text, uint64_t detail = 0, int32_t code = 0)
      : std::runtime_error(text), status(status), detail(detail), code(code) {}

  const cuzk_status status;
  const uint64_t detail;
  const int32_t code;  // the system's or the driver's own number, or 0
};

inline void require(bool condition, const char *text) {
  if (!condition) throw Failure(CUZK_INVALID_ARGUMENT, text);
}

}  // namespace cuzk
