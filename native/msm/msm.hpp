// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "curve/batch_affine.hpp"
#include "msm/digits.hpp"

namespace cuzk {

// Where the point of a scalar index lies: points[index - offset], or points[positions[index]] where a query holds only
// some of the variables. Indices without a point are skipped.
template <class F>
struct PointSource {
  static constexpr uint32_t ABSENT = UINT32_MAX;

  const Affine<F> *points = nullptr;
  const uint32_t *positions = nullptr;
  uint64_t offset = 0;

  const Affine<F> *find(uint64_t index) const {
    if (positions != nullptr) return positions[index] == ABSENT ? nullptr : points + positions[index];
    return index < offset ? nullptr : points + (index - offset);
  }
};

// Bucket sums and their combination for one group of points (Pippenger's method).
//
// Accumulation: the entries, sorted by bucket, are cut into blocks of equal length, which are the parallel tasks. A
// block copies its points into scratch memory that fits the cache, then halves all its buckets at once, round by round:
// of a bucket's m points, point i and point m-1-i are added for i < m/2, all buckets' pairs sharing one inversion
// (addAffinePairs). No two pairs touch the same point, so repeated, opposite and infinite points need no scheduling,
// and a bucket that holds most of the input (a witness full of ones) is a balanced tree like any other.
// A bucket that begins in an earlier block leaves its part in `carried_`.
//
// Reduction: sum_b (b+1) B_b over segments of buckets by running sums, many segments in step so that they share
// inversions too; then the segments of each window are combined in XYZZ coordinates.
template <class F>
class BucketSums {
 public:
  static constexpr size_t BLOCK = 4096;
  static constexpr size_t SMALLEST_BLOCK = 512;
  static constexpr size_t SEGMENT = 64;
  static constexpr size_t MAXIMUM_LANES = 512;

  // Full blocks, or smaller ones where full ones would leave threads idle.
  static size_t blocks(uint64_t entries, unsigned threads) {
    uint64_t full = (entries + BLOCK - 1) / BLOCK;
    return static_cast<size_t>(std::max<uint64_t>(full, std::min<uint64_t>(4 * threads, entries / SMALLEST_BLOCK)));
  }

  // Room for `group` windows whose entries number at most `entries`.
  BucketSums(const Context &context, const Windows &windows, unsigned group, uint64_t entries)
      : context_(context),
        windows_(windows),
        buckets_(context.memory, group * windows.buckets(), Content::SECRET),
        carried_(context.memory, blocks(entries, context.pool.threads()), Content::SECRET),
        segments_(context.memory, group * segmentsPerWindow(windows), Content::SECRET),
        totals_(context.memory, group, Content::SECRET),
        scratch_(context.memory, context.pool.threads(), Content::SECRET) {}

  // Of the windows that `digits` has sorted: sum over them of 2^(bits * i) sum_b (b+1) B_b.
  template <class Digits>
  Xyzz<F> sum(const Digits &digits, unsigned windows, const PointSource<F> &source) {
    accumulate(digits.entries(), digits.starts(), windows * windows_.buckets(), source);
    return reduce(windows);
  }

  static uint64_t bytes(const Windows &windows, unsigned group, uint64_t entries, unsigned threads) {
    return group * windows.buckets() * sizeof(Affine<F>) + blocks(entries, threads) * sizeof(Carried) +
           group * (segmentsPerWindow(windows) * sizeof(Segment) + sizeof(Xyzz<F>)) + threads * sizeof(Scratch);
  }

 private:
  struct Run {
    uint32_t base, length;
    size_t bucket;
  };
  struct Pair {
    uint32_t left, right;
  };
  struct Scratch {
    Affine<F> points[BLOCK];
    F products[BLOCK / 2];
    Pair pairs[BLOCK / 2];
    Run runs[BLOCK];
  };
  struct Carried {
    Affine<F> point;
    size_t bucket;
  };
  struct Segment {
    Xyzz<F> weighted;
    Affine<F> plain;
  };
  struct ScratchPairs {
    Scratch &scratch;
    Affine<F> &left(size_t k) const { return scratch.points[scratch.pairs[k].left]; }
    const Affine<F> &right(size_t k) const { return scratch.points[scratch.pairs[k].right]; }
  };
  static constexpr size_t NONE = SIZE_MAX;

  static size_t segmentLength(const Windows &windows) { return std::min(windows.buckets(), SEGMENT); }
  static size_t segmentsPerWindow(const Windows &windows) { return windows.buckets() / segmentLength(windows); }

  void accumulate(const uint32_t *entries, const uint32_t *starts, size_t buckets, const PointSource<F> &source) {
    size_t total = starts[buckets];
    size_t blocks = BucketSums::blocks(total, context_.pool.threads());
    context_.forRange(buckets, 1 << 12, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; b++) buckets_[b] = Affine<F>::infinity();
    });
    context_.forEach(blocks, [&](size_t block, size_t slot) {
      size_t begin = total * block / blocks, end = total * (block + 1) / blocks;
      accumulateBlock(entries, starts, begin, end, buckets, source, scratch_[slot], carried_[block]);
    });
    mergeCarried(blocks);
  }

  void accumulateBlock(const uint32_t *entries, const uint32_t *starts, size_t begin, size_t end, size_t buckets,
                       const PointSource<F> &source, Scratch &scratch, Carried &carried) {
    size_t bucket = static_cast<size_t>(std::upper_bound(starts, starts + buckets + 1, begin) - starts) - 1;
    size_t runs = 0;
    uint32_t used = 0;
    for (size_t position = begin; position < end; bucket++) {
      size_t stop = std::min<size_t>(end, starts[bucket + 1]);
      uint32_t base = used;
      for (; position < stop; position++) {
        if (position + PREFETCH < end) prefetch(source.find(entries[position + PREFETCH] >> 1));
        const Affine<F> *point = source.find(entries[position] >> 1);
        if (point == nullptr || point->isInfinity()) continue;
        Affine<F> &copy = scratch.points[used++];
        copy.x = point->x;
        copy.y = point->y.negatedIf((entries[position] & 1) != 0);
      }
      if (used != base) scratch.runs[runs++] = {base, used - base, bucket};
    }
    halveRuns(scratch, runs);
    carried.bucket = NONE;
    for (size_t i = 0; i < runs; i++) {
      const Run &run = scratch.runs[i];
      if (starts[run.bucket] < begin) {
        carried = {scratch.points[run.base], run.bucket};
      } else {
        buckets_[run.bucket] = scratch.points[run.base];
      }
    }
  }

  static void prefetch(const Affine<F> *point) {
    const char *line = reinterpret_cast<const char *>(point);
    for (size_t offset = 0; offset < sizeof *point; offset += 64) __builtin_prefetch(line + offset);
  }

  static void halveRuns(Scratch &scratch, size_t runs) {
    for (;;) {
      size_t pairs = 0;
      for (size_t i = 0; i < runs; i++) {
        Run &run = scratch.runs[i];
        uint32_t half = run.length / 2;
        for (uint32_t j = 0; j < half; j++) scratch.pairs[pairs++] = {run.base + j, run.base + run.length - 1 - j};
        run.length -= half;
      }
      if (pairs == 0) return;
      addAffinePairs(ScratchPairs{scratch}, pairs, scratch.products);
    }
  }

  // Few: at most one a block. Blocks come in order of buckets, so equal buckets are neighbours.
  void mergeCarried(size_t blocks) {
    for (size_t block = 0; block < blocks;) {
      size_t bucket = carried_[block].bucket;
      if (bucket == NONE) {
        block++;
        continue;
      }
      Xyzz<F> sum = Xyzz<F>::fromAffine(buckets_[bucket]);
      for (; block < blocks && carried_[block].bucket == bucket; block++) sum.add(carried_[block].point);
      buckets_[bucket] = sum.toAffine();
    }
  }

  Xyzz<F> reduce(unsigned windows) {
    size_t perWindow = segmentsPerWindow(windows_), segments = windows * perWindow;
    size_t lanes = std::min(MAXIMUM_LANES, segments / context_.pool.threads() + 1);
    context_.forEach((segments + lanes - 1) / lanes, [&](size_t task, size_t slot) {
      size_t first = task * lanes;
      sumSegments(first, std::min(lanes, segments - first), scratch_[slot]);
    });
    context_.forEach(windows, [&](size_t window, size_t) {
      totals_[window] = combineSegments(segments_.data() + window * perWindow, perWindow, segmentLength(windows_));
    });
    Xyzz<F> result = Xyzz<F>::infinity();
    for (unsigned window = windows; window-- > 0;) {
      for (unsigned i = 0; i < windows_.bits; i++) result.twice();
      result.add(totals_[window]);
    }
    return result;
  }

  // The running sums of `lanes` segments in step: plain += bucket, and weighted += plain of the step before.
  struct Lanes {
    Affine<F> *plain, *weighted, *previous;
    const Affine<F> *buckets;
    size_t lanes, stride;
    Affine<F> &left(size_t k) const { return k < lanes ? plain[k] : weighted[k - lanes]; }
    const Affine<F> &right(size_t k) const { return k < lanes ? buckets[k * stride] : previous[k - lanes]; }
  };

  void sumSegments(size_t first, size_t count, Scratch &scratch) {
    static_assert(4 * MAXIMUM_LANES <= BLOCK, "the lanes fit a block's scratch memory");
    size_t length = segmentLength(windows_);
    Lanes pairs = {scratch.points, scratch.points + count, scratch.points + 2 * count, nullptr, count, length};
    std::fill(scratch.points, scratch.points + 2 * count, Affine<F>::infinity());
    for (size_t b = length; b-- > 0;) {
      std::copy(pairs.plain, pairs.plain + count, pairs.previous);
      pairs.buckets = buckets_.data() + first * length + b;
      addAffinePairs(pairs, 2 * count, scratch.products);
    }
    for (size_t i = 0; i < count; i++) {
      Xyzz<F> weighted = Xyzz<F>::fromAffine(pairs.weighted[i]);
      weighted.add(pairs.plain[i]);
      segments_[first + i] = {weighted, pairs.plain[i]};
    }
  }

  // sum_i weighted_i + length * sum_i i * plain_i; length is a power of two.
  static Xyzz<F> combineSegments(const Segment *segments, size_t count, size_t length) {
    Xyzz<F> running = Xyzz<F>::infinity(), ranked = Xyzz<F>::infinity(), result = Xyzz<F>::infinity();
    for (size_t i = count; i-- > 0;) {
      ranked.add(running);
      running.add(segments[i].plain);
      result.add(segments[i].weighted);
    }
    for (size_t l = length; l > 1; l /= 2) ranked.twice();
    result.add(ranked);
    return result;
  }

  static constexpr size_t PREFETCH = 12;

  const Context &context_;
  const Windows windows_;
  Array<Affine<F>> buckets_;
  Array<Carried> carried_;
  Array<Segment> segments_;
  Array<Xyzz<F>> totals_;
  Array<Scratch> scratch_;
};

// Sum of scalars[i] * points[i]; scalars canonical, four words each. Horner over the groups of windows, top first.
template <class Fr, class F>
Xyzz<F> msm(const Context &context, const PointSource<F> &source, const uint64_t *scalars, size_t count) {
  if (count == 0) return Xyzz<F>::infinity();
  Windows windows = Windows::choose(count, Digits<Fr>::SCALAR_BITS);
  Digits<Fr> digits(context, scalars, count, windows);
  BucketSums<F> sums(context, windows, digits.group(), uint64_t{count} * digits.group());
  Xyzz<F> result = Xyzz<F>::infinity();
  for (unsigned end = windows.windows; end > 0;) {
    unsigned size = std::min(end, digits.group());
    end -= size;
    digits.sort(end, size);
    for (unsigned i = 0; i < windows.bits * size; i++) result.twice();
    result.add(sums.sum(digits, size, source));
  }
  return result;
}

// Bytes that msm takes at most.
template <class Fr, class F>
uint64_t msmBytes(uint64_t count, unsigned threads) {
  if (count == 0) return 0;
  Windows windows = Windows::choose(count, Digits<Fr>::SCALAR_BITS);
  unsigned group = Digits<Fr>::groupSize(count, windows);
  return Digits<Fr>::bytes(count, windows, threads) + BucketSums<F>::bytes(windows, group, count * group, threads);
}

}  // namespace cuzk
