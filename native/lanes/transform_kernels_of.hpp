// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lanes/lane_field.hpp"
#include "lanes/transform_kernels.hpp"

namespace cuzk {

// The steps of LaneTransforms::run over a buffer of values in lanes.
//
// Down: (x, y) -> (x + t, x - t) with t = y w below 2p, so that values grow by 2p a stage and MAXIMUM_STAGES of them
// stay below 32p, where products still fit. Up: (x, y) -> (x + y, (x - y) w); sums are brought below 4p again.
template <class V, class P>
class LaneStages {
 public:
  using Element = LaneField<V, P>;
  static constexpr size_t WORDS = Element::WORDS;

  LaneStages(const LaneBlocks &blocks, uint64_t *buffer) : blocks_(blocks), buffer_(buffer) {}

  CUZK_LANE_INLINE void load() const {
    for (size_t v = 0; v < size(); v++) {
      const uint64_t *rows[8];
      for (size_t lane = 0; lane < 8; lane++) rows[lane] = place(v, lane);
      loaded(rows).store(buffer_ + v * WORDS);
    }
  }
  // BOUND: values lie below BOUND p.
  template <unsigned BOUND>
  CUZK_LANE_INLINE void store(bool canonical) const {
    for (size_t v = 0; v < size(); v++) {
      Element x = Element::load(buffer_ + v * WORDS).normal();
      if constexpr (BOUND > 16) x = x.template reduced<16>();
      if constexpr (BOUND > 8) x = x.template reduced<8>();
      if constexpr (BOUND > 4) x = x.template reduced<4>();
      if constexpr (BOUND > 2) x = x.template reduced<2>();
      if (canonical) x = x.template reduced<1>();
      V words[4];
      x.toWords(words);
      uint64_t *rows[8];
      for (size_t lane = 0; lane < 8; lane++) rows[lane] = place(v, lane);
      storeRows<V>(words, rows, 0);
    }
  }

  CUZK_LANE_INLINE void split(const uint64_t *table) const {
    unsigned stage = 0;
    if (blocks_.stages % 2 != 0) splitStage(table, stage++);
    for (; stage < blocks_.stages; stage += 2) splitTwoStages(table, stage);
  }
  CUZK_LANE_INLINE void merge(const uint64_t *table) const {
    unsigned stage = blocks_.stages;
    for (; stage >= 2; stage -= 2) mergeTwoStages(table, stage - 2);
    if (stage == 1) mergeStage(table, 0);
  }
  CUZK_LANE_INLINE void scale(const LaneScale &factors) const {
    const Element high = factor(factors.high, blocks_.first, 1);
    for (size_t v = 0; v < size(); v++) {
      Element both = (high * broadcast(factors.low + 4 * v)).template reduced<1>();
      (Element::load(buffer_ + v * WORDS).normal() * both).store(buffer_ + v * WORDS);
    }
  }

  static CUZK_LANE_INLINE Element loaded(const uint64_t *const (&rows)[8]) {
    V words[4];
    loadRows<V>(rows, 0, words);
    return Element::fromWords(words);
  }
  static CUZK_LANE_INLINE Element broadcast(const uint64_t *element) {
    V words[4];
    unrolled<4>(CUZK_UNROLLED { words[i] = V::all(element[i]); });
    return Element::fromWords(words);
  }

 private:
  size_t size() const { return size_t{1} << blocks_.stages; }
  uint64_t *place(size_t value, size_t lane) const {
    return blocks_.values + 4 * (value * blocks_.stride + lane * blocks_.laneStride);
  }
  // Entry `index` of a table, or of lane l entry index + l step.
  CUZK_LANE_INLINE Element factor(const uint64_t *table, size_t index, size_t step) const {
    if (blocks_.sameBlock) return broadcast(table + 4 * index);
    const uint64_t *rows[8];
    for (size_t lane = 0; lane < 8; lane++) rows[lane] = table + 4 * (index + lane * step);
    return loaded(rows);
  }
  CUZK_LANE_INLINE Element twiddle(const uint64_t *table, unsigned stage, size_t b) const {
    return factor(table, (blocks_.first << stage) + b, size_t{1} << stage);
  }

  void splitStage(const uint64_t *table, unsigned stage) const {
    size_t half = size() >> (stage + 1);
    for (size_t b = 0; b < size_t{1} << stage; b++) {
      const Element w = twiddle(table, stage, b);
      uint64_t *x = buffer_ + 2 * half * b * WORDS, *y = x + half * WORDS;
      for (size_t i = 0; i < half * WORDS; i += WORDS) {
        Element t = Element::load(y + i).normal() * w, u = Element::load(x + i);
        (u + t).store(x + i);
        (u - t).template plusModulus<2>().store(y + i);
      }
    }
  }

  void splitTwoStages(const uint64_t *table, unsigned stage) const {
    const size_t quarter = (size() >> (stage + 2)) * WORDS;
    for (size_t b = 0; b < size_t{1} << stage; b++) {
      const Element outer = twiddle(table, stage, b);
      const Element first = twiddle(table, stage + 1, 2 * b), second = twiddle(table, stage + 1, 2 * b + 1);
      uint64_t *x = buffer_ + 4 * quarter * b;
      for (uint64_t *end = x + quarter; x < end; x += WORDS) {
        Element t2 = Element::load(x + 2 * quarter).normal() * outer;
        Element t3 = Element::load(x + 3 * quarter).normal() * outer;
        Element x0 = Element::load(x), x1 = Element::load(x + quarter);
        Element low = (x1 + t3).normal() * first;
        Element high = (x1 - t3).template plusModulus<2>().normal() * second;
        Element above = x0 + t2, below = (x0 - t2).template plusModulus<2>();
        (above + low).store(x);
        (above - low).template plusModulus<2>().store(x + quarter);
        (below + high).store(x + 2 * quarter);
        (below - high).template plusModulus<2>().store(x + 3 * quarter);
      }
    }
  }

  // Values below 4p in and out, normal.
  void mergeStage(const uint64_t *table, unsigned stage) const {
    size_t half = size() >> (stage + 1);
    for (size_t b = 0; b < size_t{1} << stage; b++) {
      const Element w = twiddle(table, stage, b);
      uint64_t *x = buffer_ + 2 * half * b * WORDS, *y = x + half * WORDS;
      for (size_t i = 0; i < half * WORDS; i += WORDS) {
        Element u = Element::load(x + i), v = Element::load(y + i);
        (u + v).normal().template reduced<4>().store(x + i);
        ((u - v).template plusModulus<4>().normal() * w).store(y + i);
      }
    }
  }

  void mergeTwoStages(const uint64_t *table, unsigned stage) const {
    const size_t quarter = (size() >> (stage + 2)) * WORDS;
    for (size_t b = 0; b < size_t{1} << stage; b++) {
      const Element outer = twiddle(table, stage, b);
      const Element first = twiddle(table, stage + 1, 2 * b), second = twiddle(table, stage + 1, 2 * b + 1);
      uint64_t *x = buffer_ + 4 * quarter * b;
      for (uint64_t *end = x + quarter; x < end; x += WORDS) {
        Element x0 = Element::load(x), x1 = Element::load(x + quarter);
        Element low = (x0 - x1).template plusModulus<4>().normal() * first;
        Element lowSum = x0 + x1;
        Element x2 = Element::load(x + 2 * quarter), x3 = Element::load(x + 3 * quarter);
        Element high = (x2 - x3).template plusModulus<4>().normal() * second;
        Element highSum = x2 + x3;
        (lowSum + highSum).normal().template reduced<8>().template reduced<4>().store(x);
        (low + high).normal().store(x + quarter);
        ((lowSum - highSum).template plusModulus<8>().normal() * outer).store(x + 2 * quarter);
        ((low - high).template plusModulus<2>().normal() * outer).store(x + 3 * quarter);
      }
    }
  }

  const LaneBlocks &blocks_;
  uint64_t *const buffer_;
};

template <class V, class P>
void LaneTransforms<V, P>::run(const LaneBlocks &blocks, const uint64_t *splitTable, const LaneScale *scale,
                               const uint64_t *mergeTable, bool canonical, uint64_t *buffer) {
  static_assert(2 + 2 * MAXIMUM_STAGES < 32, "values of all stages down fit");
  LaneStages<V, P> stages(blocks, buffer);
  stages.load();
  if (splitTable != nullptr) stages.split(splitTable);
  if (scale != nullptr) stages.scale(*scale);
  if (mergeTable != nullptr) {
    stages.merge(mergeTable);
    stages.template store<4>(canonical);
  } else if (scale != nullptr) {
    stages.template store<2>(canonical);
  } else {
    stages.template store<32>(canonical);
  }
}

template <class V, class P>
void LaneTransforms<V, P>::multiplyAdd(uint64_t *x, const uint64_t *y, const uint64_t *u, const uint64_t *v,
                                       const uint64_t *w, size_t count) {
  using Stages = LaneStages<V, P>;
  using Element = LaneField<V, P>;
  const Element second = Stages::broadcast(v), last = Stages::broadcast(w);
  for (size_t first = 0; first < count; first += COUNT) {
    uint64_t *rows[8];
    const uint64_t *inX[8], *inY[8], *inU[8];
    for (size_t lane = 0; lane < 8; lane++) {
      size_t offset = 4 * (first + lane);
      inX[lane] = rows[lane] = x + offset;
      inY[lane] = y + offset;
      inU[lane] = u + offset;
    }
    Element sum = Element::sumOfProducts(Stages::loaded(inX), Stages::loaded(inY), Stages::loaded(inU), second) * last;
    V words[4];
    sum.template reduced<1>().toWords(words);
    storeRows<V>(words, rows, 0);
  }
}

}  // namespace cuzk
