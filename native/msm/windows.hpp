// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace cuzk {

// How an MSM cuts its scalars: `windows` signed digits of `bits` bits, digits in [-2^(bits-1), 2^(bits-1)].
//
// With a table of multiples, up to `levels` windows share their buckets: windows w, w + sets(), w + 2 sets(), ... form
// set w, and the digit of window w + l sets() meets 2^(bits sets() l) times the point, level l of the table. Without
// one, a set is a window.
struct Windows {
  unsigned bits;
  unsigned windows;
  unsigned levels = 1;

  size_t buckets() const { return size_t{1} << (bits - 1); }
  unsigned sets() const { return (windows + levels - 1) / levels; }
  // Bits that a level's number takes.
  unsigned levelBits() const { return bitsOf(levels); }
  // From one level to the next.
  unsigned doublings() const { return bits * sets(); }

  // `scalarBits`: the scalars' absolute values lie below 2^scalarBits.
  static Windows of(unsigned bits, unsigned scalarBits) { return {bits, scalarBits / bits + 1}; }

  // The size with the least work for `count` scalars that are neither 0 nor 1: each window adds every point to a bucket
  // and each set then sums its buckets, at `bucketCost` additions each. With a table of at most `mostLevels` levels.
  static Windows choose(uint64_t count, unsigned scalarBits, double bucketCost = 2.0, unsigned mostLevels = 1) {
    mostLevels = std::min(mostLevels, scalarBits);
    while (mostLevels > 1 && count << bitsOf(mostLevels) >= MAXIMUM_PLACES) mostLevels /= 2;
    Windows best = of(2, scalarBits).sharing(mostLevels);
    for (unsigned bits = 3; bits <= MAXIMUM_BITS; bits++) {
      Windows candidate = of(bits, scalarBits).sharing(mostLevels);
      if (candidate.cost(count, bucketCost) < best.cost(count, bucketCost)) best = candidate;
    }
    return best;
  }

  static constexpr unsigned MAXIMUM_BITS = 18;
  // Scalar indices times levels lie below: with a sign they fit into 32 bits.
  static constexpr uint64_t MAXIMUM_PLACES = uint64_t{1} << 31;

 private:
  static unsigned bitsOf(unsigned levels) {
    unsigned bits = 0;
    while (1u << bits < levels) bits++;
    return bits;
  }
  // With as few sets as so many levels allow, and no more levels than these sets need.
  Windows sharing(unsigned mostLevels) const {
    const unsigned fewest = (windows + mostLevels - 1) / mostLevels;
    return {bits, windows, (windows + fewest - 1) / fewest};
  }
  double cost(uint64_t count, double bucketCost) const {
    return static_cast<double>(windows) * static_cast<double>(count) +
           static_cast<double>(sets()) * bucketCost * static_cast<double>(buckets());
  }
};

}  // namespace cuzk
