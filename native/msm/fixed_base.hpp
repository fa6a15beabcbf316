// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "curve/batch_affine.hpp"
#include "msm/digits.hpp"

namespace cuzk {

// Many multiples of one point, from a table of d * 2^(c w) * base for every window w and digit d in 1 .. 2^(c-1):
// a multiple is one table entry a window. The tasks are blocks of scalars; within a block all sums take their next
// summand together, sharing one inversion.
template <class Fr, class F>
class FixedBase {
 public:
  FixedBase(const Context &context, const Affine<F> &base, uint64_t count)
      : context_(context),
        windows_(Windows::of(chooseBits(count), SCALAR_BITS)),
        table_(context.memory, windows_.windows * windows_.buckets()) {
    fillTable(base);
  }

  // scalars[i] * base to results[i], which need no alignment; scalars canonical, four words each.
  void multiply(const uint64_t *scalars, size_t count, uint8_t *results) const {
    Array<Scratch> scratch(context_.memory, context_.pool.threads(), Content::SECRET);
    context_.forEach((count + BLOCK - 1) / BLOCK, [&](size_t block, size_t slot) {
      size_t begin = block * BLOCK, end = std::min(count, begin + BLOCK);
      multiplyBlock(scalars + 4 * begin, end - begin, scratch[slot]);
      std::memcpy(results + begin * sizeof(Affine<F>), static_cast<const void *>(scratch[slot].sums),
                  (end - begin) * sizeof(Affine<F>));
    });
  }

  static uint64_t bytes(uint64_t count, unsigned threads) {
    Windows windows = Windows::of(chooseBits(count), SCALAR_BITS);
    uint64_t entries = windows.windows * windows.buckets();
    return entries * (sizeof(Affine<F>) + sizeof(F)) + windows.windows * (sizeof(Xyzz<F>) + sizeof(Affine<F>)) +
           threads * sizeof(Scratch);
  }

 private:
  static constexpr unsigned SCALAR_BITS = Fr::Parameters::BITS;
  static constexpr size_t BLOCK = 1024;

  struct Scratch {
    Affine<F> sums[BLOCK];
    F products[BLOCK];
    int32_t digits[BLOCK];
  };
  struct TablePairs {
    Affine<F> *sums;
    const int32_t *digits;
    const Affine<F> *multiples;
    Affine<F> &left(size_t k) const { return sums[k]; }
    Affine<F> right(size_t k) const {
      int32_t digit = digits[k];
      if (digit == 0) return Affine<F>::infinity();
      return digit > 0 ? multiples[digit - 1] : -multiples[-digit - 1];
    }
  };
  // multiples first .. 2 first - 1 (counted from 0) = the first ones + multiple number first - 1.
  struct DoublingPairs {
    Affine<F> *table;
    size_t first, perWindow;
    Affine<F> *window(size_t k) const { return table + k / first * perWindow; }
    Affine<F> &left(size_t k) const { return window(k)[first + k % first]; }
    const Affine<F> &right(size_t k) const { return window(k)[first - 1]; }
  };

  // Table entries cost one addition each, scalars one a window.
  static unsigned chooseBits(uint64_t count) {
    unsigned best = 2;
    double bestCost = 1e300;
    for (unsigned bits = 2; bits <= 13; bits++) {
      Windows windows = Windows::of(bits, SCALAR_BITS);
      double cost =
          static_cast<double>(windows.windows) * (static_cast<double>(count) + static_cast<double>(windows.buckets()));
      if (cost < bestCost) {
        best = bits;
        bestCost = cost;
      }
    }
    return best;
  }

  void fillTable(const Affine<F> &base) {
    size_t windows = windows_.windows, perWindow = windows_.buckets();
    Array<Xyzz<F>> powers(context_.memory, windows);
    Array<Affine<F>> affine(context_.memory, windows);
    Array<F> products(context_.memory, windows * perWindow);
    Xyzz<F> power = Xyzz<F>::fromAffine(base);
    for (size_t w = 0; w < windows; w++) {
      powers[w] = power;
      for (unsigned i = 0; i < windows_.bits; i++) power.twice();
    }
    toAffineBatch(powers.data(), windows, affine.data(), products.data());
    for (size_t w = 0; w < windows; w++) table_[w * perWindow] = affine[w];
    for (size_t first = 1; first < perWindow; first *= 2) {
      for (size_t w = 0; w < windows; w++) {
        for (size_t i = 0; i < first; i++) table_[w * perWindow + first + i] = table_[w * perWindow + i];
      }
      addAffinePairs(DoublingPairs{table_.data(), first, perWindow}, windows * first, products.data());
    }
  }

  void multiplyBlock(const uint64_t *scalars, size_t count, Scratch &scratch) const {
    Affine<F> *sums = scratch.sums;
    uint64_t carries[BLOCK] = {};
    for (size_t i = 0; i < count; i++) sums[i] = Affine<F>::infinity();
    for (unsigned window = 0; window < windows_.windows; window++) {
      for (size_t i = 0; i < count; i++) scratch.digits[i] = nextDigit(scalars + 4 * i, window, carries[i]);
      addAffinePairs(TablePairs{sums, scratch.digits, table_.data() + window * windows_.buckets()}, count,
                     scratch.products);
    }
  }

  // Signed digit of a window, lowest first: a value above half the window is taken negative and carries one upwards.
  int32_t nextDigit(const uint64_t *scalar, unsigned window, uint64_t &carry) const {
    unsigned bit = windows_.bits * window, word = bit / 64, shift = bit % 64;
    uint64_t value = 0;
    if (word < 4) {
      value = scalar[word] >> shift;
      if (shift != 0 && word < 3) value |= scalar[word + 1] << (64 - shift);
    }
    value = (value & ((uint64_t{1} << windows_.bits) - 1)) + carry;
    carry = value > windows_.buckets() ? 1 : 0;
    return static_cast<int32_t>(value) - static_cast<int32_t>(carry << windows_.bits);
  }

  const Context &context_;
  const Windows windows_;
  Array<Affine<F>> table_;
};

}  // namespace cuzk
