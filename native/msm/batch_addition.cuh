// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_pipeline.h>

#include "cuda/runtime.cuh"
#include "curve/point.hpp"
#include "msm/device_plan.hpp"

namespace cuzk::gpu {

// Many independent additions of affine points with one inversion among them (Montgomery's trick): five products and a
// square each, against eight and two in extended Jacobian coordinates.
//
//   1. every thread walks over its additions and keeps the product of their denominators so far,
//   2. the threads' products are inverted, a block at a time by a product tree,
//   3. every thread walks back and takes each denominator's inverse out of the running one.
//
// What is added is described by `sources`: output j is point `sources[j] >> 1` of the input, plus its right neighbour
// if the low bit is set. The count is read from device memory, so rounds follow each other without the host.

constexpr unsigned TREE = plan::ADDER_BLOCK;  // products inverted together: those of one block of adders

// The points of a query, by the index of their scalar; and multiples of them, by the level above the index.
template <class F>
struct PointTable {
  static constexpr uint32_t ABSENT = 0xffffffffu;

  const Affine<F> *points;
  const uint32_t *positions = nullptr;  // where the point of an index lies, or ABSENT; nullptr: at the index
  uint32_t offset = 0;                  // indices below it have no point; the point of index i lies at i - offset
  unsigned shift = 31;                  // entry = index | level << shift
  size_t levelPoints = 0;               // points of a level

  // nullptr: no point.
  __device__ __forceinline__ const Affine<F> *find(uint32_t entry) const {
    uint32_t index = entry & ((1u << shift) - 1);
    if (positions != nullptr) index = positions[index];
    if (index == ABSENT || index < offset) return nullptr;
    return points + ((entry >> shift) * levelPoints + (index - offset));
  }
};

// The input of a round: points themselves, or points picked from a table, negated where the top bit is set.
template <class F>
struct RoundInput {
  PointTable<F> table;
  const uint32_t *entries;  // nullptr: the points themselves

  // What names the point at a position.
  __device__ __forceinline__ uint32_t entry(uint32_t position) const {
    return entries == nullptr ? position : entries[position];
  }
  __device__ __forceinline__ const Affine<F> *find(uint32_t entry) const {
    return entries == nullptr ? table.points + entry : table.find(entry & 0x7fffffffu);
  }
  __device__ __forceinline__ Affine<F> load(uint32_t entry) const {
    const Affine<F> *place = find(entry);
    if (place == nullptr) return Affine<F>::infinity();
    Affine<F> point = loadWide(place);
    if (entries != nullptr && entry >> 31) point.y = -point.y;
    return point;
  }
};

// The summands of one output. Reading them is a chain of loads, each of which needs the one before, and a warp waits
// where it needs a value. So sources are read three additions ahead, entries two, and points are on their way into
// shared memory during the addition before theirs.
struct Pair {
  uint32_t left = 0, right = 0;
  bool isSum = false;

  template <class F>
  __device__ __forceinline__ static Pair of(const RoundInput<F> &input, uint32_t source) {
    Pair pair;
    pair.left = input.entry(source >> 1);
    pair.isSum = source & 1;
    if (pair.isSum) pair.right = input.entry((source >> 1) + 1);
    return pair;
  }
};

// Sixteen bytes into shared memory, through the first-level cache: both halves of a sector are needed, and what
// __pipeline_memcpy_async makes of it goes past that cache and asks the next one twice.
__device__ __forceinline__ void copyAsync(uint4 *to, const uint4 *from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;"
               :
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "l"(from)
               : "memory");
#else
  __pipeline_memcpy_async(to, from, sizeof(uint4));
#endif
}

// A place in shared memory for one V a thread, filled without registers.
template <class V>
class Staged {
 public:
  static constexpr size_t BYTES = sizeof(V) * plan::ADDER_BLOCK;

  __device__ __forceinline__ explicit Staged(char *shared) : words_(reinterpret_cast<uint4 *>(shared) + threadIdx.x) {}

  __device__ __forceinline__ void fetch(const V *from) {
#pragma unroll
    for (unsigned i = 0; i < WORDS; i++) {
      copyAsync(words_ + i * plan::ADDER_BLOCK, reinterpret_cast<const uint4 *>(from) + i);
    }
  }
  // The i-th of the Ts that V consists of.
  template <class T>
  __device__ __forceinline__ T part(unsigned i) const {
    constexpr unsigned COUNT = sizeof(T) / sizeof(uint4);
    union {
      uint4 words[COUNT];
      T value;
    } result;
#pragma unroll
    for (unsigned k = 0; k < COUNT; k++) result.words[k] = words_[(i * COUNT + k) * plan::ADDER_BLOCK];
    return result.value;
  }

 private:
  static constexpr unsigned WORDS = sizeof(V) / sizeof(uint4);
  uint4 *words_;
};

// A point, or its x coordinate, of a pair that is on its way or there. Coordinates are read where they are needed:
// registers are what decides how many threads run at once.
template <class F, class V>
class StagedPoint {
 public:
  __device__ __forceinline__ explicit StagedPoint(char *shared) : place_(shared) {}

  __device__ __forceinline__ void fetch(const RoundInput<F> &input, uint32_t entry) {
    const Affine<F> *place = input.find(entry);
    negative_ = input.entries != nullptr && entry >> 31;
    present_ = place != nullptr;
    if (present_) place_.fetch(reinterpret_cast<const V *>(place));
  }
  // Zero where there is no point.
  __device__ __forceinline__ F x() const { return present_ ? place_.template part<F>(0) : F::zero(); }
  __device__ __forceinline__ F y() const {
    if (!present_) return F::zero();
    const F y = place_.template part<F>(1);
    return negative_ ? -y : y;
  }
  __device__ __forceinline__ Affine<F> read() const { return {x(), y()}; }

 private:
  Staged<V> place_;
  bool negative_ = false, present_ = false;
};

// x2 - x1; 2 y for a doubling; one where nothing is to be divided: an infinite summand, or opposite points.
template <class F>
__device__ __forceinline__ F denominator(const Affine<F> &p, const Affine<F> &q) {
  if (p.isInfinity() || q.isInfinity()) return F::one();
  const F difference = q.x - p.x;
  if (!difference.isZero()) return difference;
  return p.y == q.y && !p.y.isZero() ? p.y.twice() : F::one();
}

// The sum of any two points, `inverse` being one over their denominator.
template <class F>
__device__ __forceinline__ Affine<F> addWithInverse(const Affine<F> &p, const Affine<F> &q, const F &inverse) {
  if (p.isInfinity()) return q;
  if (q.isInfinity()) return p;
  F slope;
  if (p.x != q.x) {
    slope = (q.y - p.y) * inverse;
  } else {
    if (p.y != q.y || p.y.isZero()) return Affine<F>::infinity();
    const F xx = p.x.square();
    slope = (xx.twice() + xx) * inverse;
  }
  Affine<F> sum;
  sum.x = slope.square() - p.x - q.x;
  sum.y = slope * (p.x - sum.x) - p.y;
  return sum;
}

// The same as a call.
template <class F>
__device__ __noinline__ Affine<F> addSpecial(const Affine<F> &p, const Affine<F> &q, const F &inverse) {
  return addWithInverse(p, q, inverse);
}

// What was read from shared memory before is read again after this.
__device__ __forceinline__ void forgetShared() {
  asm volatile("" : : : "memory");
}

template <class F>
__global__ void __launch_bounds__(plan::ADDER_BLOCK)
    multiplyDenominators(RoundInput<F> input, const uint32_t *sources, const uint32_t *count, F *prefixes, F *totals) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t stride = gridDim.x * blockDim.x;
  const uint32_t end = *count;
  extern __shared__ uint64_t shared[];
  char *memory = reinterpret_cast<char *>(shared);
  StagedPoint<F, F> left(memory), right(memory + Staged<F>::BYTES);
  F running = F::one();
  const auto sourceAt = [&](uint32_t j, unsigned ahead) {
    const uint64_t index = j + uint64_t(ahead) * stride;
    return index < end ? sources[index] : 0;
  };
  const auto fetch = [&](const Pair &pair) {
    if (pair.isSum) {
      left.fetch(input, pair.left);
      right.fetch(input, pair.right);
    }
    __pipeline_commit();
  };
  if (thread < end) {
    Pair pair = Pair::of(input, sources[thread]);
    fetch(pair);
    Pair next = Pair::of(input, sourceAt(thread, 1));
    uint32_t source = sourceAt(thread, 2);
    for (uint32_t j = thread;; j += stride) {
      __pipeline_wait_prior(0);
      const F from = left.x(), to = right.x();
      fetch(next);
      const Pair current = pair;
      pair = next;
      next = Pair::of(input, source);
      source = sourceAt(j, 3);
      if (current.isSum) {
        storeWide(prefixes + j, running);
        F difference = to - from;
        // y decides; or there is an infinity.
        if (from.isZero() || to.isZero() || difference.isZero()) {
          difference = denominator(input.load(current.left), input.load(current.right));
        }
        running = running * difference;
      }
      if (end - j <= stride) break;
    }
  }
  totals[thread] = running;
}

// totals[i] = 1 / totals[i] for TREE values a block; the grid covers the totals exactly.
template <class F>
__global__ void __launch_bounds__(TREE) invertTotals(F *totals) {
  extern __shared__ uint64_t shared[];
  F *tree = reinterpret_cast<F *>(shared);  // node n has children 2n, 2n + 1; leaves are TREE ... 2 TREE - 1
  const unsigned t = threadIdx.x;
  F *mine = totals + size_t(blockIdx.x) * TREE + t;
  tree[TREE + t] = *mine;
  __syncthreads();
  for (unsigned width = TREE / 2; width > 0; width /= 2) {
    if (t < width) tree[width + t] = tree[2 * (width + t)] * tree[2 * (width + t) + 1];
    __syncthreads();
  }
  if (t == 0) tree[1] = tree[1].inverse();
  __syncthreads();
  for (unsigned width = 1; width < TREE; width *= 2) {
    if (t < width) {
      const F inverse = tree[width + t];
      const F left = tree[2 * (width + t)];
      tree[2 * (width + t)] = inverse * tree[2 * (width + t) + 1];
      tree[2 * (width + t) + 1] = inverse * left;
    }
    __syncthreads();
  }
  *mine = tree[TREE + t];
}

// Coordinates of both points and the prefix are read from shared memory at once where registers allow: the next pair's
// are then on their way during all of the addition. Otherwise each is read when its turn comes.
template <class F>
constexpr bool READ_AT_ONCE = F::DEGREE == 1;
// Blocks of adders that a multiprocessor's registers must do for.
template <class F>
constexpr unsigned RESIDENT_ADDERS = READ_AT_ONCE<F> || sizeof(F) <= 64 ? 4 : 2;

// One thread's walk over its additions in addPairs, from the last to the first.
template <class F>
class Adder {
 public:
  __device__ __forceinline__ Adder(const RoundInput<F> &input, const uint32_t *sources, const F *prefixes,
                                   Affine<F> *sums, char *memory)
      : input_(input),
        sources_(sources),
        prefixes_(prefixes),
        sums_(sums),
        left_(memory),
        right_(memory + Staged<Affine<F>>::BYTES),
        prefix_(memory + 2 * Staged<Affine<F>>::BYTES) {}

  // `running`: one over the product of the denominators of all additions at `first`, `first` + `stride` ... below
  // count.
  __device__ __forceinline__ void run(uint32_t first, uint32_t stride, uint32_t count, F running) {
    stride_ = stride;
    running_ = running;
    j_ = first + (count - 1 - first) / stride * stride;
    pair_ = Pair::of(input_, sources_[j_]);
    fetch(pair_, j_);
    next_ = Pair::of(input_, sourceAt(1));
    source_ = sourceAt(2);
    for (isLast_ = false; !isLast_; j_ -= stride_) {
      isLast_ = j_ == first;
      __pipeline_wait_prior(0);
      if constexpr (READ_AT_ONCE<F>) {
        addAtOnce();
      } else if (pair_.isSum) {
        addStepwise();
      } else {
        const Affine<F> p = left_.read();
        fetchNext();
        storeWide(sums_ + j_, p);
      }
    }
  }

 private:
  __device__ __forceinline__ void addAtOnce() {
    const bool isSum = pair_.isSum;
    const Affine<F> p = left_.read(), q = right_.read();
    const F before = prefix_.template part<F>(0);
    fetchNext();
    Affine<F> sum = p;
    if (isSum) {
      const F inverse = running_ * before;
      running_ = running_ * denominator(p, q);
      sum = addWithInverse(p, q, inverse);
    }
    storeWide(sums_ + j_, sum);
  }

  __device__ __forceinline__ void addStepwise() {
    F slope = running_ * prefix_.template part<F>(0);
    const F from = left_.x(), to = right_.x(), difference = to - from;
    if (from.isZero() || to.isZero() || difference.isZero()) {
      addRarely(slope);
      return;
    }
    running_ = running_ * difference;
    forgetShared();
    slope = (right_.y() - left_.y()) * slope;
    forgetShared();
    const F x = slope.square() - left_.x() - right_.x();
    storeWide(&sums_[j_].x, x);
    forgetShared();
    const F run = left_.x() - x, y = left_.y();
    fetchNext();
    storeWide(&sums_[j_].y, slope * run - y);
  }

  // Infinities, doublings and opposite points.
  __device__ __forceinline__ void addRarely(const F &inverse) {
    using Calls = WithCalls<F>;
    const Affine<F> p = left_.read(), q = right_.read();
    fetchNext();
    running_ = running_ * denominator(p, q);
    const Affine<Calls> sum =
        addSpecial<Calls>(reinterpret_cast<const Affine<Calls> &>(p), reinterpret_cast<const Affine<Calls> &>(q),
                          reinterpret_cast<const Calls &>(inverse));
    storeWide(sums_ + j_, reinterpret_cast<const Affine<F> &>(sum));
  }

  __device__ __forceinline__ uint32_t sourceAt(unsigned behind) const {
    const uint64_t distance = uint64_t(behind) * stride_;
    return j_ >= distance ? sources_[j_ - distance] : 0;
  }
  __device__ __forceinline__ void fetch(const Pair &pair, uint32_t at) {
    left_.fetch(input_, pair.left);
    if (pair.isSum) {
      right_.fetch(input_, pair.right);
      prefix_.fetch(prefixes_ + at);
    }
    __pipeline_commit();
  }
  // The pair's points have been read, or are not needed any more.
  __device__ __forceinline__ void fetchNext() {
    forgetShared();
    if (!isLast_) fetch(next_, j_ - stride_);
    pair_ = next_;
    next_ = Pair::of(input_, source_);
    source_ = sourceAt(3);
  }

  const RoundInput<F> &input_;
  const uint32_t *sources_;
  const F *prefixes_;
  Affine<F> *sums_;
  StagedPoint<F, Affine<F>> left_, right_;
  Staged<F> prefix_;
  Pair pair_, next_;
  uint32_t stride_ = 0, j_ = 0, source_ = 0;
  bool isLast_ = false;
  F running_;
};

template <class F>
__global__ void __launch_bounds__(plan::ADDER_BLOCK, RESIDENT_ADDERS<F>)
    addPairs(RoundInput<F> input, const uint32_t *sources, const uint32_t *count, const F *prefixes, const F *totals,
             Affine<F> *sums) {
  const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= *count) return;
  extern __shared__ uint64_t shared[];
  Adder<F> adder(input, sources, prefixes, sums, reinterpret_cast<char *>(shared));
  adder.run(thread, gridDim.x * blockDim.x, *count, totals[thread]);
}

// Scratch of one round: products in front of each addition, and one product a thread.
template <class F>
struct BatchScratch {
  static constexpr int DENOMINATOR_BYTES = 2 * Staged<F>::BYTES;
  static constexpr int ADDITION_BYTES = 2 * Staged<Affine<F>>::BYTES + Staged<F>::BYTES;

  F *prefixes;
  F *totals;
  size_t maximumBlocks;

  // `bound`: the most outputs that a round can have. Just as many blocks as run at once: all are equally long, and a
  // second wave would leave most of the GPU idle.
  BatchScratch(Context &context, size_t bound) {
    int resident = 0;
    check(cudaFuncSetAttribute(addPairs<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, ADDITION_BYTES), "occupancy");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, addPairs<F>, plan::ADDER_BLOCK, ADDITION_BYTES),
          "occupancy");
    maximumBlocks = std::min<size_t>(static_cast<size_t>(std::max(resident, 1)) * context.multiprocessors,
                                     plan::ADDERS / plan::ADDER_BLOCK);
    prefixes = context.arena.take<F>(bound);
    totals = context.arena.take<F>(plan::adders(bound));
  }
};

// sums[j] for j < *count, where *count <= bound.
template <class F>
void addBatch(Context &context, const BatchScratch<F> &scratch, RoundInput<F> input, const uint32_t *sources,
              const uint32_t *count, size_t bound, Affine<F> *sums) {
  const unsigned grid = static_cast<unsigned>(std::min(plan::adders(bound) / plan::ADDER_BLOCK, scratch.maximumBlocks));
  multiplyDenominators<<<grid, plan::ADDER_BLOCK, BatchScratch<F>::DENOMINATOR_BYTES, context.stream>>>(
      input, sources, count, scratch.prefixes, scratch.totals);
  checkLaunch("multiplyDenominators");
  invertTotals<<<grid, TREE, 2 * TREE * sizeof(F), context.stream>>>(scratch.totals);
  checkLaunch("invertTotals");
  addPairs<<<grid, plan::ADDER_BLOCK, BatchScratch<F>::ADDITION_BYTES, context.stream>>>(
      input, sources, count, scratch.prefixes, scratch.totals, sums);
  checkLaunch("addPairs");
}

}  // namespace cuzk::gpu
