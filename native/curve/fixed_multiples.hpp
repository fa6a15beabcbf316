// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "curve/batch_affine.hpp"

namespace cuzk {

// Multiples of one point that does not change, from a table of d * 16^w * base for every window w of four bits and
// digit d in 1 .. 15: one addition a window and no doubling. Making it costs as much as four ordinary multiples; for
// many at once see FixedBase.
template <class F>
class FixedMultiples {
 public:
  explicit FixedMultiples(const Affine<F> &base) : table_(WINDOWS * DIGITS) {
    std::vector<Xyzz<F>> multiples(table_.size());
    Xyzz<F> power = Xyzz<F>::fromAffine(base);
    for (size_t w = 0; w < WINDOWS; w++) {
      Xyzz<F> *window = multiples.data() + w * DIGITS;
      window[0] = power;
      for (size_t d = 1; d < DIGITS; d++) {
        window[d] = window[d - 1];
        window[d].add(power);
      }
      power = window[DIGITS - 1];
      power.add(window[0]);
    }
    std::vector<F> products(table_.size());
    toAffineBatch(multiples.data(), multiples.size(), table_.data(), products.data());
  }

  // scalar * base; `scalar` little-endian canonical words.
  Xyzz<F> multiply(const uint64_t (&scalar)[4]) const {
    Xyzz<F> result = Xyzz<F>::infinity();
    for (size_t w = 0; w < WINDOWS; w++) {
      const size_t digit = (scalar[w / 16] >> (BITS * (w % 16))) & DIGITS;
      if (digit != 0) result.add(table_[w * DIGITS + digit - 1]);
    }
    return result;
  }

 private:
  static constexpr size_t BITS = 4, WINDOWS = 256 / BITS, DIGITS = (size_t{1} << BITS) - 1;

  std::vector<Affine<F>> table_;
};

}  // namespace cuzk
