// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "field/field.hpp"

namespace cuzk::gpu {

// Sizes of the device's MSM: windows, and the workspace that a group of windows takes. Plans and the code that runs go
// by the same formulas.

// Scalars cut into signed digits of `bits` bits: the value is the sum of d_w 2^(bits w), -2^(bits-1) < d_w <=
// 2^(bits-1). Digit d != 0 of window w belongs to bucket w 2^(bits-1) + |d| - 1.
struct Windows {
  unsigned bits, count;

  Windows(unsigned bits, unsigned scalarBits) : bits(bits), count((scalarBits + 1 + bits - 1) / bits) {}
  CUZK_HD uint32_t buckets() const { return 1u << (bits - 1); }

  // In additions: n a window for the buckets, two dearer ones for each bucket in their reduction; and what a long
  // bucket costs in waiting. The longest are those of the top window, whose digits have the fewest bits.
  static Windows choose(size_t scalars, unsigned scalarBits) {
    constexpr double A_BUCKET = 4.5, WAITING = 2000;
    Windows best(4, scalarBits);
    double bestCost = 1e300;
    for (unsigned bits = 4; bits <= 22; bits++) {
      const Windows windows(bits, scalarBits);
      const unsigned topBits = scalarBits + 1 - bits * (windows.count - 1);
      const double longest = double(scalars) / double(1u << (topBits - 1));
      const double cost = windows.count * (double(scalars) + A_BUCKET * windows.buckets()) + WAITING * longest;
      if (cost < bestCost) bestCost = cost, best = windows;
    }
    return best;
  }
};

namespace plan {

// Threads of the batched additions: a bound for every GPU there is.
constexpr size_t ADDERS = size_t(4) * 256 * 256;
constexpr unsigned ADDER_BLOCK = 128;
// Additions that a thread makes at least: below that the inversion costs more than idle threads.
constexpr size_t ADDITIONS_A_THREAD = 16;
// Entries sorted together: more do not make the rounds any faster.
constexpr size_t ENTRIES = size_t(1) << 27;
// So few points are summed up bucket by bucket in extended coordinates: more products, but no inversions to wait for.
constexpr size_t TAIL = size_t(1) << 20;
// Buckets become window sums in two steps: runs of buckets, then runs of the runs' sums.
constexpr size_t BUSY = size_t(1) << 15;  // threads that keep a GPU busy
struct Runs {
  uint32_t buckets, run, runs, secondRun, secondRuns;  // of one window; secondRuns = 0: no second step

  Runs(uint32_t buckets, uint32_t windows) : buckets(buckets), run(length(buckets, windows)), runs(buckets / run) {
    secondRun = run == 1 ? 0 : length(runs, windows * 2);
    secondRuns = run == 1 ? 0 : runs / secondRun;
  }
  uint32_t partials() const { return runs + secondRuns; }
  // Blocks that add up the partial sums of a window, before one adds up theirs.
  uint32_t groups() const { return partials() < 256 ? 1 : 16; }

 private:
  static uint32_t length(uint32_t count, size_t windows) {
    uint32_t run = 1;
    while (run < 16 && run < count && windows * (count / run) > BUSY) run *= 2;
    return run;
  }
};
// Scratch of CUB's primitives: a small part of what they sort, and histograms.
constexpr size_t scratch(size_t entries) {
  return entries / 2 + (size_t(2) << 20);
}
constexpr size_t SLACK = size_t(1) << 16;  // alignment of some dozens of pieces

// Threads that a round of additions with up to `outputs` results takes.
inline size_t adders(size_t outputs) {
  return std::min(ADDERS, (outputs / (ADDER_BLOCK * ADDITIONS_A_THREAD) + 1) * ADDER_BLOCK);
}

// Outputs of a round over `entries` in `buckets`.
inline size_t outputs(size_t entries, size_t buckets) {
  return std::min(entries, (entries + buckets) / 2 + 1);
}

// Lists of scalars by kind.
inline size_t listBytes(size_t scalars) {
  return 2 * sizeof(uint32_t) * scalars + scratch(scalars) + SLACK;
}
// Two arrays of keys and two of values, and where buckets start.
inline size_t sortBytes(size_t entries, size_t buckets) {
  return 4 * sizeof(uint32_t) * (entries + 1) + sizeof(uint32_t) * (buckets + 2) + scratch(entries) + SLACK;
}
// Rounds of additions and the reduction of the buckets, with coordinates of `field` bytes.
inline size_t summationBytes(size_t entries, size_t buckets, size_t windows, size_t field) {
  const size_t first = outputs(entries, buckets), second = outputs(first, buckets);
  return (first + adders(first)) * field + 2 * field * (first + second) +
         sizeof(uint32_t) * (2 * first + second + 2 * (buckets + 1)) + scratch(buckets) +
         4 * field *
             (2 * std::max(buckets / 8, std::min(buckets, 2 * BUSY)) + std::min(buckets, TAIL) + 17 * windows + 1) +
         SLACK;
}
inline size_t groupBytes(size_t entries, size_t buckets, size_t windows, size_t field) {
  return sortBytes(entries, buckets) + summationBytes(entries, buckets, windows, field);
}

// Points that an MSM in chunks takes at a time at least: as a power of two.
constexpr int LEAST_CHUNK = 4;

// Of an MSM over n scalars that has as many windows in a group as `entries` allows, at least one.
inline size_t msmBytes(size_t n, unsigned scalarBits, size_t field, size_t entries = ENTRIES) {
  if (n == 0) return 0;
  const Windows windows = Windows::choose(n, scalarBits);
  const size_t group = std::clamp<size_t>(entries / n, 1, windows.count);
  // Scalars that are one have a bucket of their own.
  return listBytes(n) + groupBytes(group * n, group * windows.buckets() + 1, group, field);
}

}  // namespace plan
}  // namespace cuzk::gpu
