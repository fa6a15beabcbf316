// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/gpu.hpp"
#include "groth16/stage_clock.hpp"

namespace cuzk::gpu {

// Stage times by events on the GPU's own clock.
class EventClock {
 public:
  EventClock(Gpu &gpu, StageClock &clock) : gpu_(gpu), clock_(clock), origin_(clock.elapsed()) {
    check(cudaEventRecord(gpu.event(0), gpu.stream), "recording an event");
  }

  template <class Body>
  void measure(cuzk_stage stage, const Body &body) {
    const size_t begin = 1 + 2 * stages_.size();
    stages_.push_back(stage);
    check(cudaEventRecord(gpu_.event(begin), gpu_.stream), "recording an event");
    body();
    check(cudaEventRecord(gpu_.event(begin + 1), gpu_.stream), "recording an event");
  }

  // Waits for the stream and hands the times on.
  void finish() {
    check(cudaStreamSynchronize(gpu_.stream), "waiting for the GPU");
    for (size_t i = 0; i < stages_.size(); i++) {
      float start = 0, length = 0;
      const cudaEvent_t begin = gpu_.event(1 + 2 * i), end = gpu_.event(2 + 2 * i);
      check(cudaEventElapsedTime(&start, gpu_.event(0), begin), "reading an event");
      check(cudaEventElapsedTime(&length, begin, end), "reading an event");
      clock_.add(stages_[i], origin_ + start, length);
    }
    stages_.clear();
  }

 private:
  Gpu &gpu_;
  StageClock &clock_;
  const double origin_;
  std::vector<cuzk_stage> stages_;
};

}  // namespace cuzk::gpu
