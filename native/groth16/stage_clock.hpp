// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "cuzk.h"

namespace cuzk {

// Stage times of one job since its submission.
class StageClock {
 public:
  explicit StageClock(cuzk_timings &timings) : timings_(timings), origin_(Clock::now()) {}

  double elapsed() const { return std::chrono::duration<double, std::milli>(Clock::now() - origin_).count(); }

  template <class Body>
  void measure(cuzk_stage stage, const Body &body) {
    double start = elapsed();
    body();
    add(stage, start, elapsed() - start);
  }
  // What was measured elsewhere: a stage's start since the submission, and its length.
  void add(cuzk_stage stage, double start, double ms) {
    if (timings_.ms[stage] == 0) timings_.start_ms[stage] = start;
    timings_.ms[stage] += ms;
  }
  void addUploaded(uint64_t bytes) { timings_.uploaded_bytes += bytes; }

 private:
  using Clock = std::chrono::steady_clock;
  cuzk_timings &timings_;
  const Clock::time_point origin_;
};

}  // namespace cuzk
