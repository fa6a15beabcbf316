// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace cuzk {

// How an MSM cuts its scalars: `windows` signed digits of `bits` bits, digits in [-2^(bits-1), 2^(bits-1)].
struct Windows {
  unsigned bits;
  unsigned windows;

  size_t buckets() const { return size_t{1} << (bits - 1); }

  // `scalarBits`: the scalars' absolute values lie below 2^scalarBits.
  static Windows of(unsigned bits, unsigned scalarBits) { return {bits, scalarBits / bits + 1}; }

  // The size with the least work for `count` scalars that are neither 0 nor 1: each window adds every point to a bucket
  // and then sums its buckets, at `bucketCost` additions each.
  static Windows choose(uint64_t count, unsigned scalarBits, double bucketCost = 2.0) {
    Windows best = of(2, scalarBits);
    for (unsigned bits = 3; bits <= MAXIMUM_BITS; bits++) {
      Windows candidate = of(bits, scalarBits);
      if (candidate.cost(count, bucketCost) < best.cost(count, bucketCost)) best = candidate;
    }
    return best;
  }

  static constexpr unsigned MAXIMUM_BITS = 18;

 private:
  double cost(uint64_t count, double bucketCost) const {
    return static_cast<double>(windows) * (static_cast<double>(count) + bucketCost * static_cast<double>(buckets()));
  }
};

}  // namespace cuzk
