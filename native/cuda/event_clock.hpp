// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

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
    measure(stage, lane_.stream, body);
  }
  // On another stream, which the lane's waits for before `finish`.
  template <class Body>
  void measure(cuzk_stage stage, cudaStream_t stream, const Body &body) {
    const size_t begin = 1 + 2 * stages_.size();
    stages_.push_back(stage);
    check(cudaEventRecord(lane_.event(begin), stream), "recording an event");
    body();
    check(cudaEventRecord(lane_.event(begin + 1), stream), "recording an event");
  }

  // Waits for the stream and hands the times on.
  void finish() {
    check(cudaStreamSynchronize(lane_.stream), "waiting for the GPU");
    std::vector<Interval> intervals;
    for (size_t i = 0; i < stages_.size(); i++) {
      intervals.push_back({sinceStart(1 + 2 * i), sinceStart(2 + 2 * i)});
    }
    for (size_t i = 0; i < stages_.size(); i++) {
      clock_.add(stages_[i], origin_ + intervals[i].begin, share(intervals, intervals[i]));
    }
    stages_.clear();
  }

 private:
  struct Interval {
    float begin, end;
  };

  float sinceStart(size_t event) {
    float ms = 0;
    check(cudaEventElapsedTime(&ms, lane_.event(0), lane_.event(event)), "reading an event");
    return ms;
  }

  // Of stages that run at the same time each has its share of it, so that all together are the time that was spent.
  static double share(const std::vector<Interval> &all, const Interval &one) {
    std::vector<float> borders = {one.begin, one.end};
    for (const Interval &other : all) {
      for (float border : {other.begin, other.end}) {
        if (border > one.begin && border < one.end) borders.push_back(border);
      }
    }
    std::sort(borders.begin(), borders.end());
    double sum = 0;
    for (size_t i = 1; i < borders.size(); i++) {
      const float begin = borders[i - 1], end = borders[i];
      const auto together = std::count_if(all.begin(), all.end(), [&](const Interval &other) {
        return other.begin <= begin && other.end >= end && other.begin < other.end;
      });
      if (together > 0) sum += double(end - begin) / double(together);
    }
    return sum;
  }

  Lane &lane_;
  StageClock &clock_;
  const double origin_;
  std::vector<cuzk_stage> stages_;
};

}  // namespace cuzk::gpu
