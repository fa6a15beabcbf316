// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>

#include "cpu/thread_pool.hpp"
#include "msm/windows.hpp"

namespace cuzk {

// Throws Failure(CUZK_INVALID_SCALAR) naming the first of `count` scalars that is not below the modulus.
template <class Fr>
void checkScalars(const Context &context, const void *scalars, size_t count) {
  FirstIndex bad;
  const uint8_t *bytes = static_cast<const uint8_t *>(scalars);
  context.forRange(count, 1 << 14, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
      uint64_t limbs[4];
      std::memcpy(limbs, bytes + 32 * i, sizeof limbs);
      if (!Fr::isBelowModulus(limbs)) {
        bad.report(i);
        return;
      }
    }
  });
  if (bad.any()) throw Failure(CUZK_INVALID_SCALAR, "a scalar is not below the group order", bad.value());
}

// The signed digits of a vector of scalars, sorted by bucket: what every MSM with these scalars shares.
//
//   1. Scalars that are 0 are dropped. A scalar k above r/2 is taken as -(r - k), so that small negative values have
//      few digits, as small positive ones have.
//   2. k + sum_{i < W-1} 2^(c-1) 2^(c i) is kept: digit i < W-1 of k is then window i of the sum minus 2^(c-1), and the
//      top digit is what lies above; no carry runs from window to window. A digit 0 costs nothing, so scalars 0 and 1
//      (most of a typical witness) take no and one addition.
//   3. For a group of sets of windows (mostly one window each) at a time, a counting sort puts the entries (index,
//   level,
//      sign) in order of set and bucket.
template <class Fr>
class Digits {
 public:
  static constexpr unsigned SCALAR_BITS = Fr::Parameters::BITS - 1;

  // An entry: scalar index, below it the level in Windows::levelBits bits, below it 1 if the point is subtracted.
  using Entry = uint32_t;
  static constexpr uint64_t MAXIMUM_COUNT = Windows::MAXIMUM_PLACES;

  // Sets sorted at a time: as many as keep the entries within a fixed budget, at least one.
  static unsigned groupSize(uint64_t count, const Windows &windows) {
    uint64_t fitting = ENTRY_BUDGET / sizeof(Entry) / std::max<uint64_t>(count * windows.levels, 1);
    return static_cast<unsigned>(std::min<uint64_t>(std::max<uint64_t>(fitting, 1), windows.sets()));
  }

  // Into how many parts the scalars are cut, each set's part being a task: enough for all threads.
  static size_t chunks(uint64_t count, const Windows &windows, unsigned threads) {
    const unsigned group = groupSize(count, windows);
    uint64_t enough = std::min<uint64_t>((4 * uint64_t{threads} + group - 1) / group, threads);
    return static_cast<size_t>(std::min<uint64_t>(count * windows.levels / 4096 + 1, enough));
  }

  Digits(const Context &context, const uint64_t *scalars, size_t count, const Windows &windows)
      : context_(context),
        windows_(windows),
        group_(groupSize(count, windows)),
        chunks_(chunks(count, windows, context.pool.threads())),
        prepared_(context.memory, 4 * count, Content::SECRET),
        index_(context.memory, count, Content::SECRET),
        entries_(context.memory, count * windows.levels * group_, Content::SECRET),
        starts_(context.memory, group_ * windows.buckets() + 1, Content::SECRET),
        counts_(context.memory, group_ * chunks_ * windows.buckets(), Content::SECRET) {
    require(count < MAXIMUM_COUNT, "too many scalars for one multi-scalar multiplication");
    prepare(scalars, count);
  }

  static uint64_t bytes(uint64_t count, const Windows &windows, unsigned threads) {
    unsigned group = groupSize(count, windows);
    uint64_t pieces = (count + PIECE - 1) / PIECE;
    return count * (4 * sizeof(uint64_t) + sizeof(uint32_t)) + count * windows.levels * group * sizeof(Entry) +
           (group * windows.buckets() * (1 + chunks(count, windows, threads)) + 1) * sizeof(uint32_t) +
           std::max<uint64_t>((pieces + 1) * sizeof(size_t),
                              (group * windows.buckets() / std::min(windows.buckets(), RANGE) + 1) * sizeof(uint32_t));
  }

  // Gives back what only sorting needs.
  void releaseScalars() {
    context_.wipeTogether(prepared_, index_, counts_);
    prepared_ = {};
    index_ = {};
    counts_ = {};
  }
  // Ends the secrets on all threads.
  void wipeEntries() { context_.wipeTogether(prepared_, index_, counts_, entries_, starts_); }

  const Windows &windows() const { return windows_; }
  unsigned group() const { return group_; }

  // Of the sorted group: entries starts()[b] .. starts()[b+1]-1 belong to bucket b, b = set in group * buckets +
  // |digit|
  // - 1.
  const Entry *entries() const { return entries_.data(); }
  const uint32_t *starts() const { return starts_.data(); }

  // Sorts sets first .. first+count-1, count <= group().
  void sort(unsigned first, unsigned count) {
    size_t buckets = windows_.buckets();
    // Tasks of the same set lie apart: at the same time they would write to the same cache lines.
    auto overParts = [&](auto body) {
      context_.forEach(count * chunks_, [&](size_t task, size_t) {
        size_t set = task % count, chunk = task / count;
        body(first + static_cast<unsigned>(set), chunk, counts_.data() + (set * chunks_ + chunk) * buckets);
      });
    };
    overParts([&](unsigned set, size_t chunk, uint32_t *counts) {
      std::memset(counts, 0, buckets * sizeof *counts);
      for (unsigned level = 0; hasWindow(set, level); level++) countDigits(windowOf(set, level), chunk, counts);
    });
    placeBuckets(count);
    overParts([&](unsigned set, size_t chunk, uint32_t *places) {
      for (unsigned level = 0; hasWindow(set, level); level++) scatter(windowOf(set, level), level, chunk, places);
    });
  }

 private:
  static constexpr uint64_t ENTRY_BUDGET = uint64_t{96} << 20;
  static constexpr uint64_t SIGN = uint64_t{1} << 63;

  void prepare(const uint64_t *scalars, size_t count) {
    uint64_t offset[4] = {};
    for (unsigned i = 0; i + 1 < windows_.windows; i++) {
      unsigned bit = windows_.bits * i + windows_.bits - 1;
      offset[bit / 64] |= uint64_t{1} << (bit % 64);
    }
    // Pieces count their non-zero scalars first, so that each knows where its own go.
    size_t pieces = (count + PIECE - 1) / PIECE;
    Array<size_t> firsts(context_.memory, pieces + 1);
    context_.forEach(pieces, [&](size_t piece, size_t) {
      size_t end = std::min(count, (piece + 1) * PIECE), active = 0;
      for (size_t i = piece * PIECE; i < end; i++) active += !isZero(scalars + 4 * i);
      firsts[piece + 1] = active;
    });
    firsts[0] = 0;
    for (size_t piece = 0; piece < pieces; piece++) firsts[piece + 1] += firsts[piece];
    active_ = firsts[pieces];
    context_.forEach(pieces, [&](size_t piece, size_t) {
      size_t end = std::min(count, (piece + 1) * PIECE), place = firsts[piece];
      for (size_t i = piece * PIECE; i < end; i++) {
        if (isZero(scalars + 4 * i)) continue;
        index_[place] = static_cast<uint32_t>(i);
        prepareOne(scalars + 4 * i, offset, prepared_.data() + 4 * place);
        place++;
      }
    });
  }

  static bool isZero(const uint64_t *scalar) { return (scalar[0] | scalar[1] | scalar[2] | scalar[3]) == 0; }

  static void prepareOne(const uint64_t *scalar, const uint64_t *offset, uint64_t *prepared) {
    const uint64_t *modulus = Fr::Parameters::MODULUS;
    uint64_t negated[4];
    uint64_t borrow = 0;
    for (unsigned i = 0; i < 4; i++) {
      unsigned __int128 d = static_cast<unsigned __int128>(modulus[i]) - scalar[i] - borrow;
      negated[i] = static_cast<uint64_t>(d);
      borrow = static_cast<uint64_t>(d >> 64) & 1;
    }
    bool negative = false;
    for (unsigned i = 4; i-- > 0;) {
      if (negated[i] != scalar[i]) {
        negative = negated[i] < scalar[i];
        break;
      }
    }
    const uint64_t *magnitude = negative ? negated : scalar;
    unsigned __int128 carry = 0;
    for (unsigned i = 0; i < 4; i++) {
      carry += static_cast<unsigned __int128>(magnitude[i]) + offset[i];
      prepared[i] = static_cast<uint64_t>(carry);
      carry >>= 64;
    }
    if (negative) prepared[3] |= SIGN;
  }

  // Digit of one prepared scalar; the sign of the scalar is not in it.
  struct Window {
    unsigned word, shift;
    uint64_t mask;
    int64_t half;

    Window(const Windows &windows, unsigned window) {
      unsigned bit = windows.bits * window;
      bool top = window + 1 == windows.windows;
      word = bit / 64;
      shift = bit % 64;
      mask = top ? ~uint64_t{0} : (uint64_t{1} << windows.bits) - 1;
      half = top ? 0 : int64_t{1} << (windows.bits - 1);
    }
    int64_t digit(const uint64_t *prepared) const {
      uint64_t low = word == 3 ? prepared[3] & ~SIGN : prepared[word];
      uint64_t value = low >> shift;
      if (shift != 0 && word < 3) {
        value |= (word == 2 ? prepared[3] & ~SIGN : prepared[word + 1]) << (64 - shift);
      }
      return static_cast<int64_t>(value & mask) - half;
    }
  };

  unsigned windowOf(unsigned set, unsigned level) const { return set + level * windows_.sets(); }
  bool hasWindow(unsigned set, unsigned level) const {
    return level < windows_.levels && windowOf(set, level) < windows_.windows;
  }
  size_t chunkBegin(size_t chunk) const { return active_ * chunk / chunks_; }

  void countDigits(unsigned window, size_t chunk, uint32_t *counts) const {
    Window extract(windows_, window);
    for (size_t i = chunkBegin(chunk); i < chunkBegin(chunk + 1); i++) {
      int64_t digit = extract.digit(prepared_.data() + 4 * i);
      if (digit != 0) counts[(digit < 0 ? -digit : digit) - 1]++;
    }
  }

  // Turns the counts into each chunk's first place in each bucket, and fills starts_. The tasks are ranges of buckets.
  void placeBuckets(unsigned count) {
    const size_t buckets = windows_.buckets(), length = std::min(buckets, RANGE), ranges = count * (buckets / length);
    Array<uint32_t> totals(context_.memory, ranges + 1, Content::SECRET);
    auto countsOf = [&](size_t range, size_t chunk) {
      size_t first = range * length;
      return counts_.data() + (first / buckets * chunks_ + chunk) * buckets + first % buckets;
    };
    context_.forEach(ranges, [&](size_t range, size_t) {
      uint32_t *sizes = starts_.data() + range * length, total = 0;
      std::fill(sizes, sizes + length, 0);
      for (size_t chunk = 0; chunk < chunks_; chunk++) {
        uint32_t *counts = countsOf(range, chunk);
        for (size_t b = 0; b < length; b++) {
          uint32_t before = sizes[b];
          sizes[b] += counts[b];
          counts[b] = before;
        }
      }
      for (size_t b = 0; b < length; b++) total += sizes[b];
      totals[range + 1] = total;
    });
    totals[0] = 0;
    for (size_t range = 0; range < ranges; range++) totals[range + 1] += totals[range];
    context_.forEach(ranges, [&](size_t range, size_t) {
      uint32_t *starts = starts_.data() + range * length, place = totals[range];
      for (size_t b = 0; b < length; b++) {
        uint32_t size = starts[b];
        starts[b] = place;
        place += size;
      }
      for (size_t chunk = 0; chunk < chunks_; chunk++) {
        uint32_t *counts = countsOf(range, chunk);
        for (size_t b = 0; b < length; b++) counts[b] += starts[b];
      }
    });
    starts_[count * buckets] = totals[ranges];
  }

  void scatter(unsigned window, unsigned level, size_t chunk, uint32_t *places) {
    Window extract(windows_, window);
    const unsigned shift = windows_.levelBits() + 1;
    for (size_t i = chunkBegin(chunk); i < chunkBegin(chunk + 1); i++) {
      const uint64_t *prepared = prepared_.data() + 4 * i;
      int64_t digit = extract.digit(prepared);
      if (digit == 0) continue;
      bool negative = (digit < 0) != ((prepared[3] & SIGN) != 0);
      entries_[places[(digit < 0 ? -digit : digit) - 1]++] = index_[i] << shift | level << 1 | (negative ? 1u : 0u);
    }
  }

  static constexpr size_t PIECE = 1 << 13;
  static constexpr size_t RANGE = 1 << 10;

  const Context &context_;
  const Windows windows_;
  const unsigned group_;
  const size_t chunks_;
  size_t active_ = 0;
  Array<uint64_t> prepared_;
  Array<uint32_t> index_;
  Array<Entry> entries_;
  Array<uint32_t> starts_, counts_;
};

}  // namespace cuzk
