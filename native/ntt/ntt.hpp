// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "cpu/thread_pool.hpp"
#include "curve/curves.hpp"
#include "lanes/transform_kernels.hpp"
#include "lanes/vector_of.hpp"

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
// With vector lanes a pass takes up to ten stages over blocks in a buffer that fits the cache: first in blocks whose
// values lie far apart, eight neighbours in the lanes, at last in eight whole blocks of neighbouring values. Going
// there and back, the last pass down, the scale between and the first pass up are one. The tables then hold factors in
// the lanes' Montgomery form.
//
// Without, stages whose blocks exceed the cache run over the whole array, two at a time; then each cache-sized block
// goes through all its remaining stages at once.
template <class Curve>
class Domain {
 public:
  using Fr = typename Curve::Fr;
  using Arithmetic = typename Curve::Arithmetic;
  using Lanes = LaneTransforms<typename VectorOf<Arithmetic>::Type, typename Fr::Parameters>;

  Domain(const Context &context, unsigned log, RootOfUnity root)
      : log_(log),
        root_(rootOfUnity(log, root)),
        forward_(context.memory, tableSize(log)),
        inverse_(context.memory, tableSize(log)) {
    fillTable(root_, forward_);
    fillTable(root_.inverse(), inverse_);
  }

  // Whether the transforms run in vector lanes.
  bool usesLanes() const { return VectorOf<Arithmetic>::PRESENT && log_ >= FEWEST_BITS_IN_LANES; }

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
    pass(context, vectors, count, inverse_.data(), nullptr, nullptr);
  }
  // Coefficients in bit-reversed order -> values at w^0, w^1, ... in natural order.
  void evaluate(const Context &context, Fr *const *vectors, size_t count) const {
    pass(context, vectors, count, nullptr, nullptr, forward_.data());
  }
  // Coefficients in natural order -> values, value k at place reversed(k).
  void evaluateToReversed(const Context &context, Fr *const *vectors, size_t count) const {
    pass(context, vectors, count, forward_.data(), nullptr, nullptr);
  }
  // Values in bit-reversed order -> n times the coefficients, in natural order.
  void interpolateFromReversed(const Context &context, Fr *const *vectors, size_t count) const {
    pass(context, vectors, count, nullptr, nullptr, inverse_.data());
  }

  // Values at w^0, w^1, ... -> the coefficients, number k times factor * base^k at place reversed(k).
  void interpolateScaled(const Context &context, Fr *const *vectors, size_t count, const Fr &base,
                         const Fr &factor) const {
    Scale scale = {base, factor * inverseOfSize()};
    pass(context, vectors, count, inverse_.data(), &scale, nullptr);
  }
  // Values at w^0, w^1, ... -> values at shift, shift w, ...
  void moveToCoset(const Context &context, Fr *const *vectors, size_t count, const Fr &shift) const {
    Scale scale = {shift, inverseOfSize()};
    pass(context, vectors, count, inverse_.data(), &scale, forward_.data());
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
  // What a transform takes besides its vectors, whatever the arithmetic.
  static uint64_t workBytes(unsigned log, unsigned threads) {
    unsigned inner = innerBitsInLanes(log), most = std::max(log / 2, inner);
    uint64_t factors = (uint64_t{1} << most) + (uint64_t{1} << (log - std::min(log / 2, inner)));
    return factors * sizeof(Fr) + threads * bufferWords(log) * sizeof(uint64_t);
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
  static constexpr unsigned FEWEST_BITS_IN_LANES = 6, INNER_BITS_IN_LANES = 9;

  // Coefficient k times factor * base^k.
  struct Scale {
    Fr base, factor;
  };

  static size_t tableSize(unsigned log) { return log == 0 ? 1 : size_t{1} << (log - 1); }

  // table[i] = root^reversed(i) over log - 1 bits: by doubling, table[h + i] = table[i] root^(n/4h).
  void fillTable(const Fr &root, Array<Fr> &table) const {
    table[0] = factorUnit();
    for (unsigned bit = 0; bit + 1 < log_; bit++) {
      size_t half = size_t{1} << bit;
      Fr factor = root.power(uint64_t{1} << (log_ - 2 - bit));
      for (size_t i = 0; i < half; i++) table[half + i] = table[i] * factor;
    }
  }

  // What the factor 1 is in a table.
  Fr factorUnit() const { return Fr::fromInteger(usesLanes() ? uint64_t{1} << Lanes::RATIO_BITS : 1); }

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

  // Down with one table, scaled, up with another: each if it is there.
  void pass(const Context &context, Fr *const *vectors, size_t count, const Fr *splitTable, const Scale *scale,
            const Fr *mergeTable) const {
    if constexpr (VectorOf<Arithmetic>::PRESENT) {
      if (usesLanes()) return passInLanes(context, vectors, count, splitTable, scale, mergeTable);
    }
    if (splitTable != nullptr) split(context, vectors, count, splitTable);
    if (scale != nullptr) scaleReversed(context, vectors, count, scale->base, scale->factor);
    if (mergeTable != nullptr) merge(context, vectors, count, mergeTable);
  }

  static unsigned innerBitsInLanes(unsigned log) { return log < 3 ? 0 : std::min(INNER_BITS_IN_LANES, log - 3); }
  // The stages before the inner ones are dealt out evenly to as few passes as will do.
  static unsigned outerPasses(unsigned log) {
    return (log - innerBitsInLanes(log) + Lanes::MAXIMUM_STAGES - 1) / Lanes::MAXIMUM_STAGES;
  }
  static unsigned firstStage(unsigned log, unsigned outerPass) {
    return (log - innerBitsInLanes(log)) * outerPass / outerPasses(log);
  }
  static size_t bufferWords(unsigned log) {
    unsigned longest = innerBitsInLanes(log);
    for (unsigned i = 0; i < outerPasses(log); i++) {
      longest = std::max(longest, firstStage(log, i + 1) - firstStage(log, i));
    }
    return Lanes::VALUE_WORDS << longest;
  }

  void passInLanes(const Context &context, Fr *const *vectors, size_t count, const Fr *splitTable, const Scale *scale,
                   const Fr *mergeTable) const {
    const size_t words = bufferWords(log_);
    Array<uint64_t> buffers(context.memory, context.pool.threads() * words, Content::SECRET);
    const unsigned inner = innerBitsInLanes(log_), outer = log_ - inner;
    Array<Fr> low, high;
    LaneScale factors;
    if (scale != nullptr) {
      low = Array<Fr>(context.memory, size_t{1} << inner);
      high = Array<Fr>(context.memory, size_t{1} << outer);
      fillPowers(scale->base.power(uint64_t{1} << outer), factorUnit(), low, inner);
      fillPowers(scale->base, scale->factor * factorUnit(), high, outer);
      factors = {low[0].limb, high[0].limb};
    }
    if (splitTable != nullptr) {
      for (unsigned i = 0; i < outerPasses(log_); i++) {
        outerPassInLanes(context, vectors, count, i, splitTable, nullptr, buffers);
      }
    }
    const size_t tasks = size_t{1} << (outer - 3);
    context.forEach(count * tasks, [&](size_t task, size_t slot) {
      size_t first = task % tasks * 8;
      LaneBlocks blocks = {vectors[task / tasks][first << inner].limb, 1, size_t{1} << inner, inner, first, false};
      Lanes::run(blocks, wordsOf(splitTable), scale == nullptr ? nullptr : &factors, wordsOf(mergeTable),
                 mergeTable == nullptr, buffers.data() + slot * words);
    });
    if (mergeTable != nullptr) {
      for (unsigned i = outerPasses(log_); i-- > 0;) {
        outerPassInLanes(context, vectors, count, i, nullptr, mergeTable, buffers);
      }
    }
  }

  void outerPassInLanes(const Context &context, Fr *const *vectors, size_t count, unsigned outerPass,
                        const Fr *splitTable, const Fr *mergeTable, Array<uint64_t> &buffers) const {
    const unsigned first = firstStage(log_, outerPass), stages = firstStage(log_, outerPass + 1) - first;
    const size_t stride = size() >> (first + stages), groups = stride / 8, tasks = groups << first;
    const size_t words = bufferWords(log_);
    context.forEach(count * tasks, [&](size_t task, size_t slot) {
      size_t block = task % tasks / groups, offset = task % groups * 8;
      Fr *values = vectors[task / tasks] + (block << (log_ - first)) + offset;
      LaneBlocks blocks = {values->limb, stride, 1, stages, block, true};
      Lanes::run(blocks, wordsOf(splitTable), nullptr, wordsOf(mergeTable), mergeTable != nullptr && outerPass == 0,
                 buffers.data() + slot * words);
    });
  }

  static const uint64_t *wordsOf(const Fr *table) { return table == nullptr ? nullptr : table->limb; }

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
