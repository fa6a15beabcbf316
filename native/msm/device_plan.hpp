// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "field/field.hpp"

namespace cuzk::gpu {

// Sizes of the device's MSM: windows, and the workspace that a group of windows takes. Plans and the code that runs go
// by the same formulas.

// How often the points of a fixed table are there: level j holds 2^(span j) times the points of level 0, so that
// windows `span` bits apart share their buckets.
struct Levels {
  static constexpr unsigned MOST = 16;

  unsigned count = 1, span = 0;  // span: of no meaning with one level

  // Bits that name a level beside an index.
  CUZK_HD unsigned bits() const {
    unsigned log = 0;
    while (count > 1u << log) log++;
    return log;
  }
  // The levels that make sums over n scalars cheapest, at most `most` of them.
  static Levels choose(size_t scalars, unsigned scalarBits, unsigned most);
};

// Scalars cut into signed digits of `bits` bits, the topmost of a level having what is left: the value is the sum of
// d_w 2^(place of w), |d_w| <= 2^(bits-1). Windows of one place in their levels make a row, and share buckets: digit
// d != 0 of a window in row v belongs to bucket v 2^(bits-1) + |d| - 1. Windows are numbered row by row.
struct Windows {
  unsigned bits, span, levels, rows;
  unsigned end;    // bits of the last level
  unsigned last;   // rows that the last level has a window in
  unsigned count;  // windows of all levels

  Windows(unsigned bits, unsigned scalarBits, const Levels &made = {})
      : bits(bits), span(made.count > 1 ? made.span : scalarBits + 1), levels(made.count), rows(quotient(span, bits)) {
    end = scalarBits + 1 - (levels - 1) * span;
    last = quotient(end, bits);
    count = (levels - 1) * rows + last;
  }
  CUZK_HD uint32_t buckets() const { return 1u << (bits - 1); }
  // Bits of the windows of a row.
  CUZK_HD unsigned width(unsigned row) const { return row + 1 < rows ? bits : span - row * bits; }
  // The number of a row's first window.
  CUZK_HD unsigned begin(unsigned row) const { return row * levels - (row > last ? row - last : 0); }
  CUZK_HD unsigned rowOf(unsigned window) const {
    return window < last * levels ? window / levels : last + (window - last * levels) / (levels - 1);
  }

  // body(row, level, |d|, d < 0) for all windows, from the scalar's lowest bits up.
  template <class Body>
  CUZK_HD void forEachDigit(const uint64_t (&scalar)[4], const Body &body) const {
    uint32_t carry = 0;
    for (unsigned level = 0; level < levels; level++) {
      const unsigned here = level + 1 < levels ? rows : last;
      for (unsigned row = 0; row < here; row++) {
        const uint32_t half = 1u << (width(row) - 1);
        const unsigned bit = level * span + row * bits, word = bit / 64, offset = bit % 64;
        uint64_t raw = word < WORDS ? scalar[word] >> offset : 0;
        if (offset > 0 && word + 1 < WORDS) raw |= scalar[word + 1] << (64 - offset);
        const uint32_t value = (uint32_t(raw) & (2 * half - 1)) + carry;
        carry = value > half;
        body(row, level, carry ? 2 * half - value : value, carry != 0);
      }
    }
  }

  // In additions: n a window for the buckets, some dearer ones for each bucket in their reduction; and what a long
  // bucket costs in waiting. The longest are those of the windows with the fewest bits: of the top row, or of the
  // scalar's own end.
  double cost(size_t scalars) const {
    constexpr double A_BUCKET = 4.5, WAITING = 2000;
    const unsigned top = end - last * bits + bits;
    const double longest = std::max(double(scalars) * levels / double(1u << (width(rows - 1) - 1)),
                                    double(scalars) / double(1u << (std::min(top, bits) - 1)));
    return double(count) * double(scalars) + A_BUCKET * rows * buckets() + WAITING * longest;
  }
  static Windows choose(size_t scalars, unsigned scalarBits, const Levels &made = {}) {
    Windows best(LEAST_BITS, scalarBits, made);
    for (unsigned bits = LEAST_BITS; bits <= MOST_BITS; bits++) {
      const Windows windows(bits, scalarBits, made);
      if (windows.cost(scalars) < best.cost(scalars)) best = windows;
    }
    return best;
  }

  static constexpr unsigned LEAST_BITS = 4, MOST_BITS = 22;
  static constexpr unsigned WORDS = 4;  // of a scalar

 private:
  static unsigned quotient(unsigned a, unsigned b) { return (a + b - 1) / b; }
};

inline Levels Levels::choose(size_t scalars, unsigned scalarBits, unsigned most) {
  Levels best;
  // A level must be worth its memory.
  constexpr double WORTH = 0.985;
  double bestCost = Windows::choose(scalars, scalarBits).cost(scalars);
  most = std::min(most, MOST);
  for (unsigned count = 2; count <= most; count++) {
    Levels levels;
    levels.count = count;
    if (scalars > size_t{1} << (31 - levels.bits())) break;
    for (unsigned bits = Windows::LEAST_BITS; bits <= Windows::MOST_BITS; bits++) {
      // All bits in so many levels, but not in one level less.
      for (unsigned rows = scalarBits / (bits * count) + 1; rows * bits * (count - 1) <= scalarBits; rows++) {
        levels.span = rows * bits;
        const double cost = Windows(bits, scalarBits, levels).cost(scalars);
        if (cost < (levels.count == best.count ? 1 : WORTH) * bestCost) bestCost = cost, best = levels;
      }
    }
  }
  return best;
}

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
  uint32_t groups() const { return partials() < 256 ? 1 : std::clamp(partials() / 512, 16u, MOST_GROUPS); }
  static constexpr uint32_t MOST_GROUPS = 128;

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
             (2 * std::max(buckets / 8, std::min(buckets, 2 * BUSY)) + std::min(buckets, TAIL) +
              (Runs::MOST_GROUPS + 1) * windows + 1) +
         SLACK;
}
inline size_t groupBytes(size_t entries, size_t buckets, size_t windows, size_t field) {
  return sortBytes(entries, buckets) + summationBytes(entries, buckets, windows, field);
}

// Points that an MSM in chunks takes at a time at least: as a power of two.
constexpr int LEAST_CHUNK = 4;

// Rows that `group` windows one after the other may belong to.
inline size_t rowsOf(const Windows &windows, size_t group) {
  if (windows.levels == 1) return group;
  return std::min<size_t>(windows.rows, (group - 1 + windows.levels - 2) / (windows.levels - 1) + 1);
}
// Sums that the groups of one MSM leave: one a row, and the ones'.
constexpr size_t rowSums(size_t windows) {
  return windows + 1;
}
constexpr size_t MOST_ROW_SUMS = 96;

// What an MSM over n scalars sorts at a time, if it has as many windows in a group as `entries` allows, at least one.
struct Group {
  size_t entries, buckets, rows;

  Group(size_t n, unsigned scalarBits, const Levels &levels, size_t most = ENTRIES) {
    const Windows windows = Windows::choose(n, scalarBits, levels);
    const size_t count = std::clamp<size_t>(most / n, 1, windows.count);
    entries = count * n;
    rows = rowsOf(windows, count);
    buckets = rows * windows.buckets() + 1;  // scalars that are one have a bucket of their own
  }
  size_t sortBytes() const { return plan::sortBytes(entries, buckets); }
  size_t summationBytes(size_t field) const { return plan::summationBytes(entries, buckets, rows, field); }
};

inline size_t msmBytes(size_t n, unsigned scalarBits, size_t field, const Levels &levels = {},
                       size_t entries = ENTRIES) {
  if (n == 0) return 0;
  const Group group(n, scalarBits, levels, entries);
  return listBytes(n) + MOST_ROW_SUMS * 4 * field + group.sortBytes() + group.summationBytes(field);
}

}  // namespace plan
}  // namespace cuzk::gpu
