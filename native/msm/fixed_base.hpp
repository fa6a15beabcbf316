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
    return entries * (sizeof(Affine<F>) + sizeof(PointPair)) + additionWords<F>(entries) * sizeof(uint64_t) +
           windows.windows * (sizeof(Xyzz<F>) + sizeof(Affine<F>)) + threads * sizeof(Scratch);
  }

 private:
  static constexpr unsigned SCALAR_BITS = Fr::Parameters::BITS;
  static constexpr size_t BLOCK = 1024;

  struct Scratch {
    Affine<F> sums[BLOCK];
    PointPair pairs[BLOCK];
    uint64_t products[additionWords<F>(BLOCK)];
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
    Array<uint64_t> products(context_.memory, additionWords<F>(windows * perWindow));
    Array<PointPair> pairs(context_.memory, windows * perWindow);
    Xyzz<F> power = Xyzz<F>::fromAffine(base);
    for (size_t w = 0; w < windows; w++) {
      powers[w] = power;
      for (unsigned i = 0; i < windows_.bits; i++) power.twice();
    }
    toAffineBatch(powers.data(), windows, affine.data(), reinterpret_cast<F *>(products.data()));
    for (size_t w = 0; w < windows; w++) table_[w * perWindow] = affine[w];
    // Multiples first + 1 .. 2 first = the first ones + multiple number first.
    for (size_t first = 1; first < perWindow; first *= 2) {
      size_t count = 0;
      for (size_t w = 0; w < windows; w++) {
        Affine<F> *table = table_.data() + w * perWindow;
        for (size_t i = 0; i < first; i++) {
          pairs[count++] = {summand(table + i), summand(table + first - 1), table + first + i};
        }
      }
      addPointPairs<F>(pairs.data(), count, products.data());
    }
  }

  void multiplyBlock(const uint64_t *scalars, size_t count, Scratch &scratch) const {
    uint64_t carries[BLOCK] = {};
    for (size_t i = 0; i < count; i++) scratch.sums[i] = Affine<F>::infinity();
    for (unsigned window = 0; window < windows_.windows; window++) {
      const Affine<F> *multiples = table_.data() + window * windows_.buckets();
      size_t pairs = 0;
      for (size_t i = 0; i < count; i++) {
        int32_t digit = nextDigit(scalars + 4 * i, window, carries[i]);
        if (digit == 0) continue;
        const Affine<F> *multiple = multiples + (digit < 0 ? -digit : digit) - 1;
        scratch.pairs[pairs++] = {summand(scratch.sums + i), summand(multiple, digit < 0), scratch.sums + i};
      }
      addPointPairs<F>(scratch.pairs, pairs, scratch.products);
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
