// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "cpu/thread_pool.hpp"

namespace cuzk {

enum class RootOfUnity { ODD_COSET, MONOMIAL };

inline size_t reverseBits(size_t value, unsigned bits) {
  size_t reversed = 0;
  for (unsigned i = 0; i < bits; i++) reversed |= ((value >> i) & 1) << (bits - 1 - i);
  return reversed;
}

// The domain of the n = 2^log powers of a root of unity w, and transforms over it.
//
// Twiddle factors stand in bit-reversed order, so a whole block of a stage shares one: the stage with blocks of m
// elements splits values modulo z^m - t^2 into values modulo z^(m/2) - t and z^(m/2) + t, and t of block b is
// w^(reversed b). `split` therefore takes natural to bit-reversed order and `merge` is its inverse (times n); no
// permutation pass is needed between the inverse and the forward transform of a proof.
//
// Stages whose blocks exceed the cache run over the whole array, two at a time; then each cache-sized block goes
// through all its remaining stages at once.
template <class Curve>
class Domain {
 public:
  using Fr = typename Curve::Fr;

  Domain(const Context &context, unsigned log, RootOfUnity root)
      : log_(log),
        root_(rootOfUnity(log, root)),
        forward_(context.memory, tableSize(log)),
        inverse_(context.memory, tableSize(log)) {
    fillTable(root_, forward_);
    fillTable(root_.inverse(), inverse_);
  }

  static uint64_t bytes(unsigned log) { return 2 * tableSize(log) * sizeof(Fr); }

  // The root of order 2^log, log <= TWO_ADICITY.
  static Fr rootOfUnity(unsigned log, RootOfUnity kind) {
    using C = typename Curve::Constants;
    Fr root = Fr::fromLimbs(kind == RootOfUnity::ODD_COSET ? C::ROOT_ODD_COSET : C::ROOT_MONOMIAL);
    for (unsigned i = log; i < C::TWO_ADICITY; i++) root = root.square();
    return root;
  }

  unsigned log() const { return log_; }
  size_t size() const { return size_t{1} << log_; }
  Fr inverseOfSize() const { return Fr::fromInteger(size()).inverse(); }

  // Values at w^0, w^1, ... -> n times the coefficients, coefficient k at place reversed(k). Several vectors at once.
  void interpolate(const Context &context, Fr *const *vectors, size_t count) const {
    split(context, vectors, count, inverse_.data());
  }
  // Coefficients in bit-reversed order -> values at w^0, w^1, ... in natural order.
  void evaluate(const Context &context, Fr *const *vectors, size_t count) const {
    merge(context, vectors, count, forward_.data());
  }
  // Coefficients in natural order -> values, value k at place reversed(k).
  void evaluateToReversed(const Context &context, Fr *const *vectors, size_t count) const {
    split(context, vectors, count, forward_.data());
  }
  // Values in bit-reversed order -> n times the coefficients, in natural order.
  void interpolateFromReversed(const Context &context, Fr *const *vectors, size_t count) const {
    merge(context, vectors, count, inverse_.data());
  }

  // values[i] *= factor * base^reversed(i), i.e. coefficient k of a bit-reversed vector is scaled by factor * base^k.
  void scaleReversed(const Context &context, Fr *const *vectors, size_t count, const Fr &base, const Fr &factor) const {
    unsigned lowBits = log_ / 2, highBits = log_ - lowBits;
    // reversed(high 2^lowBits + low) = reversed(low) 2^highBits + reversed(high).
    Array<Fr> low(context.memory, size_t{1} << lowBits), high(context.memory, size_t{1} << highBits);
    fillPowers(base.power(uint64_t{1} << highBits), Fr::one(), low, lowBits);
    fillPowers(base, factor, high, highBits);
    context.forEach(count << highBits, [&](size_t task, size_t) {
      size_t block = task & ((size_t{1} << highBits) - 1);
      Fr *values = vectors[task >> highBits] + (block << lowBits);
      for (size_t i = 0; i < low.size(); i++) values[i] = values[i] * (low[i] * high[block]);
    });
  }
  static uint64_t scaleBytes(unsigned log) {
    return ((uint64_t{1} << log / 2) + (uint64_t{1} << (log - log / 2))) * sizeof(Fr);
  }

  void permuteReversed(const Context &context, Fr *values) const {
    context.forRange(size(), 1 << 12, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; i++) {
        size_t j = reverseBits(i, log_);
        if (i < j) std::swap(values[i], values[j]);
      }
    });
  }

 private:
  static constexpr unsigned CACHED_LOG = 12;
  static constexpr size_t GRAIN = 1 << 10;

  static size_t tableSize(unsigned log) { return log == 0 ? 1 : size_t{1} << (log - 1); }

  // table[i] = root^reversed(i) over log - 1 bits: by doubling, table[h + i] = table[i] root^(n/4h).
  void fillTable(const Fr &root, Array<Fr> &table) const {
    table[0] = Fr::one();
    for (unsigned bit = 0; bit + 1 < log_; bit++) {
      size_t half = size_t{1} << bit;
      Fr factor = root.power(uint64_t{1} << (log_ - 2 - bit));
      for (size_t i = 0; i < half; i++) table[half + i] = table[i] * factor;
    }
  }

  static void fillPowers(const Fr &base, const Fr &factor, Array<Fr> &table, unsigned bits) {
    Fr power = factor;
    for (size_t i = 0; i < table.size(); i++) {
      table[reverseBits(i, bits)] = power;
      power = power * base;
    }
  }

  static CUZK_INLINE void splitPair(Fr &x, Fr &y, const Fr &twiddle) {
    Fr t = y * twiddle;
    y = x - t;
    x = x + t;
  }
  static CUZK_INLINE void mergePair(Fr &x, Fr &y, const Fr &twiddle) {
    Fr difference = x - y;
    x = x + y;
    y = difference * twiddle;
  }

  // Two stages over block b of 4 `quarter` elements, for offsets [begin, end) within the quarter.
  static void splitTwoStages(Fr *block, size_t b, size_t quarter, size_t begin, size_t end, const Fr *table) {
    const Fr outer = table[b], first = table[2 * b], second = table[2 * b + 1];
    for (size_t i = begin; i < end; i++) {
      Fr *v = block + i;
      splitPair(v[0], v[2 * quarter], outer);
      splitPair(v[quarter], v[3 * quarter], outer);
      splitPair(v[0], v[quarter], first);
      splitPair(v[2 * quarter], v[3 * quarter], second);
    }
  }
  static void mergeTwoStages(Fr *block, size_t b, size_t quarter, size_t begin, size_t end, const Fr *table) {
    const Fr outer = table[b], first = table[2 * b], second = table[2 * b + 1];
    for (size_t i = begin; i < end; i++) {
      Fr *v = block + i;
      mergePair(v[0], v[quarter], first);
      mergePair(v[2 * quarter], v[3 * quarter], second);
      mergePair(v[0], v[2 * quarter], outer);
      mergePair(v[quarter], v[3 * quarter], outer);
    }
  }

  // All stages inside block `index` of 2^bits elements.
  static void splitBlock(Fr *values, size_t index, unsigned bits, const Fr *table) {
    for (unsigned stage = 0; stage < bits; stage++) {
      size_t half = size_t{1} << (bits - 1 - stage);
      for (size_t b = 0; b < size_t{1} << stage; b++) {
        const Fr twiddle = table[(index << stage) + b];
        Fr *v = values + 2 * half * b;
        for (size_t i = 0; i < half; i++) splitPair(v[i], v[half + i], twiddle);
      }
    }
  }
  static void mergeBlock(Fr *values, size_t index, unsigned bits, const Fr *table) {
    for (unsigned stage = bits; stage-- > 0;) {
      size_t half = size_t{1} << (bits - 1 - stage);
      for (size_t b = 0; b < size_t{1} << stage; b++) {
        const Fr twiddle = table[(index << stage) + b];
        Fr *v = values + 2 * half * b;
        for (size_t i = 0; i < half; i++) mergePair(v[i], v[half + i], twiddle);
      }
    }
  }

  unsigned innerBits() const {
    unsigned outer = log_ > CACHED_LOG ? (log_ - CACHED_LOG + 1) / 2 * 2 : 0;
    return log_ - outer;
  }

  // body(vector, block b, quarter, begin, end) over stage `stage` and the next one.
  template <class Body>
  void overQuarters(const Context &context, size_t count, unsigned stage, const Body &body) const {
    size_t quarter = size() >> (stage + 2), grain = std::min(quarter, GRAIN), pieces = quarter / grain;
    size_t tasks = pieces << stage;
    context.forEach(count * tasks, [&](size_t task, size_t) {
      size_t inVector = task % tasks, piece = inVector % pieces;
      body(task / tasks, inVector / pieces, quarter, piece * grain, (piece + 1) * grain);
    });
  }

  void split(const Context &context, Fr *const *vectors, size_t count, const Fr *table) const {
    unsigned inner = innerBits();
    for (unsigned stage = 0; stage + inner < log_; stage += 2) {
      overQuarters(context, count, stage, [&](size_t vector, size_t b, size_t quarter, size_t begin, size_t end) {
        splitTwoStages(vectors[vector] + 4 * quarter * b, b, quarter, begin, end, table);
      });
    }
    size_t blocks = size() >> inner;
    context.forEach(count * blocks, [&](size_t task, size_t) {
      size_t block = task % blocks;
      splitBlock(vectors[task / blocks] + (block << inner), block, inner, table);
    });
  }

  void merge(const Context &context, Fr *const *vectors, size_t count, const Fr *table) const {
    unsigned inner = innerBits();
    size_t blocks = size() >> inner;
    context.forEach(count * blocks, [&](size_t task, size_t) {
      size_t block = task % blocks;
      mergeBlock(vectors[task / blocks] + (block << inner), block, inner, table);
    });
    for (unsigned stage = log_ - inner; stage >= 2; stage -= 2) {
      overQuarters(context, count, stage - 2, [&](size_t vector, size_t b, size_t quarter, size_t begin, size_t end) {
        mergeTwoStages(vectors[vector] + 4 * quarter * b, b, quarter, begin, end, table);
      });
    }
  }

  const unsigned log_;
  const Fr root_;
  Array<Fr> forward_, inverse_;
};

// values[k] = sum_j values[j] (g w^k)^j, or the inverse of that; natural order in and out, Montgomery form.
template <class Curve>
void transform(const Context &context, const Domain<Curve> &domain, bool inverse, const typename Curve::Fr &shift,
               typename Curve::Fr *values) {
  using Fr = typename Curve::Fr;
  if (inverse) {
    domain.interpolate(context, &values, 1);
    domain.scaleReversed(context, &values, 1, shift.inverse(), domain.inverseOfSize());
    domain.permuteReversed(context, values);
  } else {
    domain.permuteReversed(context, values);
    domain.scaleReversed(context, &values, 1, shift, Fr::one());
    domain.evaluate(context, &values, 1);
  }
}

}  // namespace cuzk
