// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/gpu.hpp"
#include "groth16/stage_clock.hpp"

namespace cuzk::gpu {

// Stage times by events on the GPU's own clock.
class EventClock {
 public:
  EventClock(Lane &lane, StageClock &clock) : lane_(lane), clock_(clock), origin_(clock.elapsed()) {
    check(cudaEventRecord(lane.event(0), lane.stream), "recording an event");
  }

  template <class Body>
  void measure(cuzk_stage stage, const Body &body) {
    const size_t begin = 1 + 2 * stages_.size();
    stages_.push_back(stage);
    check(cudaEventRecord(lane_.event(begin), lane_.stream), "recording an event");
    body();
    check(cudaEventRecord(lane_.event(begin + 1), lane_.stream), "recording an event");
  }

  // Waits for the stream and hands the times on.
  void finish() {
    check(cudaStreamSynchronize(lane_.stream), "waiting for the GPU");
    for (size_t i = 0; i < stages_.size(); i++) {
      float start = 0, length = 0;
      const cudaEvent_t begin = lane_.event(1 + 2 * i), end = lane_.event(2 + 2 * i);
      check(cudaEventElapsedTime(&start, lane_.event(0), begin), "reading an event");
      check(cudaEventElapsedTime(&length, begin, end), "reading an event");
      clock_.add(stages_[i], origin_ + start, length);
    }
    stages_.clear();
  }

 private:
  Lane &lane_;
  StageClock &clock_;
  const double origin_;
  std::vector<cuzk_stage> stages_;
};

}  // namespace cuzk::gpu
