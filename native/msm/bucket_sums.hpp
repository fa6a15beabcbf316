// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

#include "cpu/thread_pool.hpp"
#include "curve/batch_affine.hpp"
#include "msm/windows.hpp"

namespace cuzk {

// Where the point of a digit's entry (without the sign) lies: points[index - offset], or points[positions[index]] where
// a query holds only some of the variables. Indices without a point are skipped, and so are those whose point is marked
// infinite, should there be marks (a bit a point). Level l of a table lies l `stride` points further.
template <class F>
struct PointSource {
  static constexpr uint32_t ABSENT = UINT32_MAX;

  const Affine<F> *points = nullptr;
  const uint32_t *positions = nullptr;
  uint64_t offset = 0;
  const uint64_t *infinite = nullptr;
  unsigned levelBits = 0;
  uint64_t stride = 0;

  const Affine<F> *find(uint32_t entry) const {
    const uint64_t index = entry >> levelBits, level = entry & ((1u << levelBits) - 1);
    uint64_t place;
    if (positions != nullptr) {
      if (positions[index] == ABSENT) return nullptr;
      place = positions[index];
    } else {
      if (index < offset) return nullptr;
      place = index - offset;
    }
    if (infinite != nullptr && (infinite[place / 64] >> (place % 64) & 1) != 0) return nullptr;
    return points + level * stride + place;
  }
};

// A sum in the making, cut into tasks of one stage after the other; `scratch` is memory of the running thread.
class SumTasks {
 public:
  virtual ~SumTasks() = default;
  virtual size_t pieces() const = 0;
  virtual void clearPiece(size_t piece) = 0;
  virtual size_t blocks() const = 0;
  virtual void addBlock(size_t block, void *scratch) = 0;
  virtual void mergeCarried(void *scratch) = 0;
  virtual size_t strips() const = 0;
  virtual void sumStrip(size_t strip, void *scratch) = 0;
  virtual size_t windows() const = 0;
  virtual void combineWindow(size_t window) = 0;
  virtual void combineWindows() = 0;

  // What its tasks took, all threads together.
  std::atomic<uint64_t> nanoseconds{0};
};

// Runs the sums stage by stage, the tasks of all of them in one pool, so that threads wait only at the few ends of
// stages. Sums with the longest tasks should come first.
class SumScheduler {
 public:
  SumScheduler(const Context &context, size_t scratchBytes)
      : context_(context),
        stride_(scratchBytes),
        scratch_(context.memory, bytes(context.pool.threads(), scratchBytes), Content::SECRET) {}

  static uint64_t bytes(unsigned threads, size_t scratchBytes) { return threads * scratchBytes; }

  void wipe() { context_.wipeTogether(scratch_); }

  void run(const std::vector<SumTasks *> &sums) {
    stage(
        sums, [](const SumTasks &sum) { return sum.pieces(); },
        [](SumTasks &sum, size_t task, void *) { sum.clearPiece(task); });
    stage(
        sums, [](const SumTasks &sum) { return sum.blocks(); },
        [](SumTasks &sum, size_t task, void *scratch) { sum.addBlock(task, scratch); });
    stage(
        sums, [](const SumTasks &) { return size_t{1}; },
        [](SumTasks &sum, size_t, void *scratch) { sum.mergeCarried(scratch); });
    stage(
        sums, [](const SumTasks &sum) { return sum.strips(); },
        [](SumTasks &sum, size_t task, void *scratch) { sum.sumStrip(task, scratch); });
    stage(
        sums, [](const SumTasks &sum) { return sum.windows(); },
        [](SumTasks &sum, size_t task, void *) { sum.combineWindow(task); });
    stage(
        sums, [](const SumTasks &) { return size_t{1}; }, [](SumTasks &sum, size_t, void *) { sum.combineWindows(); });
  }

 private:
  template <class Count, class Body>
  void stage(const std::vector<SumTasks *> &sums, const Count &count, const Body &body) {
    std::vector<size_t> ends;
    size_t total = 0;
    for (const SumTasks *sum : sums) ends.push_back(total += count(*sum));
    context_.forEach(total, [&](size_t task, size_t slot) {
      size_t which = static_cast<size_t>(std::upper_bound(ends.begin(), ends.end(), task) - ends.begin());
      auto start = std::chrono::steady_clock::now();
      body(*sums[which], task - (which == 0 ? 0 : ends[which - 1]), scratch_.data() + slot * stride_);
      sums[which]->nanoseconds += static_cast<uint64_t>(
          std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count());
    });
  }

  const Context &context_;
  const size_t stride_;
  Array<uint8_t> scratch_;
};

// Bucket sums and their combination for one group of points (Pippenger's method).
//
// Accumulation: the entries, sorted by bucket, are cut into blocks of equal length, which are the parallel tasks. A
// block halves all its buckets at once, round by round: of a bucket's m points, point i and point m-1-i are added for
// i < m/2, all buckets' pairs sharing one inversion (addPointPairs). No two pairs touch the same point, so repeated,
// opposite and infinite points need no scheduling, and a bucket that holds most of the input (a witness full of ones)
// is a balanced tree like any other. The first round reads the key's points in place and leaves its sums in scratch
// memory that fits the cache. A bucket that begins in an earlier block leaves its part in `carried_`.
//
// Reduction: sum_b (b+1) B_b over segments of buckets by running sums, many segments in step (a strip) so that they
// share inversions too; then the segments of each window are combined in XYZZ coordinates.
template <class F>
class BucketSums : public SumTasks {
 public:
  // Most entries of a block.
  static constexpr size_t LARGEST_BLOCK = F::DEGREE == 1 ? 8192 : 4096;

  // Smaller blocks for short sums, so that there is one for every thread.
  static size_t blockLength(uint64_t entries) {
    return static_cast<size_t>(std::min<uint64_t>(std::max<uint64_t>(entries / 32, SMALLEST_BLOCK), LARGEST_BLOCK));
  }
  static size_t blocksOf(uint64_t entries) {
    return static_cast<size_t>((entries + blockLength(entries) - 1) / blockLength(entries));
  }

  // Room for `group` sets of windows whose entries number at most `entries`. A sum over several groups takes the top
  // ones first. Here a set is called a window: it is one where there is no table.
  BucketSums(const Context &context, const Windows &windows, unsigned group, uint64_t entries,
             const PointSource<F> &source)
      : windows_(windows),
        blockLength_(blockLength(entries)),
        source_(source),
        buckets_(context.memory, group * windows.buckets(), Content::SECRET),
        carried_(context.memory, blocksOf(entries), Content::SECRET),
        segmentLength_(segmentLength(windows, group)),
        segmentsPerWindow_(segmentsPerWindow(windows, group)),
        segments_(context.memory, group * segmentsPerWindow_, Content::SECRET),
        totals_(context.memory, group, Content::SECRET) {}

  // Takes the windows that `digits` has sorted as what the next run adds.
  template <class Digits>
  void begin(const Digits &digits, unsigned windows) {
    entries_ = digits.entries();
    starts_ = digits.starts();
    count_ = windows;
    total_ = starts_[windows * windows_.buckets()];
  }

  // Sum over all windows so far of 2^(bits * i) sum_b (b+1) B_b.
  const Xyzz<F> &result() const { return result_; }

  // Ends the secrets, but for the result, on all threads.
  void wipe(const Context &context) { context.wipeTogether(buckets_, carried_, segments_, totals_); }

  static uint64_t bytes(const Windows &windows, unsigned group, uint64_t entries) {
    return group * windows.buckets() * sizeof(Affine<F>) + blocksOf(entries) * sizeof(Carried) +
           group * (segmentsPerWindow(windows, group) * sizeof(Segment) + sizeof(Xyzz<F>));
  }
  static size_t scratchBytes(uint64_t entries) { return Scratch::bytes(blockLength(entries)); }

  size_t pieces() const override { return (count_ * windows_.buckets() + PIECE - 1) / PIECE; }
  void clearPiece(size_t piece) override {
    size_t end = std::min(count_ * windows_.buckets(), (piece + 1) * PIECE);
    for (size_t b = piece * PIECE; b < end; b++) buckets_[b] = Affine<F>::infinity();
  }

  size_t blocks() const override { return (total_ + blockLength_ - 1) / blockLength_; }
  void addBlock(size_t block, void *memory) override {
    Scratch scratch(memory, blockLength_);
    size_t begin = total_ * block / blocks(), end = total_ * (block + 1) / blocks();
    size_t runs = addFirstRound(begin, end, scratch);
    halveRuns(scratch, runs);
    Carried &carried = carried_[block];
    carried.bucket = NONE;
    for (size_t i = 0; i < runs; i++) {
      const Run &run = scratch.runs[i];
      if (starts_[run.bucket] < begin) {
        carried = {scratch.points[run.base], run.bucket};
      } else {
        buckets_[run.bucket] = scratch.points[run.base];
      }
    }
  }

  // Blocks come in order of buckets, so parts of a bucket are neighbours; they are halved as a block's buckets are.
  void mergeCarried(void *memory) override {
    Scratch scratch(memory, blockLength_);
    const size_t count = blocks(), most = blockLength_ / 2;
    for (size_t block = 0; block < count;) {
      size_t runs = 0;
      uint32_t used = 0;
      for (; block < count && used < most; block++) {
        const Carried &carried = carried_[block];
        if (carried.bucket == NONE) continue;
        if (runs == 0 || scratch.runs[runs - 1].bucket != carried.bucket) {
          scratch.runs[runs++] = {used, 0, carried.bucket, 0};
        }
        scratch.points[used++] = carried.point;
        scratch.runs[runs - 1].length++;
      }
      halveRuns(scratch, runs);
      for (size_t i = 0; i < runs; i++) {
        Affine<F> *bucket = &buckets_[scratch.runs[i].bucket];
        scratch.pairs[i] = {summand(bucket), summand(&scratch.points[scratch.runs[i].base]), bucket};
      }
      addPointPairs<F>(scratch.pairs, runs, scratch.products);
    }
  }

  size_t strips() const override { return (count_ * segmentsPerWindow_ + lanes() - 1) / lanes(); }
  void sumStrip(size_t strip, void *memory) override {
    size_t first = strip * lanes();
    sumSegments(first, std::min(lanes(), count_ * segmentsPerWindow_ - first), Scratch(memory, blockLength_));
  }

  size_t windows() const override { return count_; }
  void combineWindow(size_t window) override {
    totals_[window] =
        combineSegments(segments_.data() + window * segmentsPerWindow_, segmentsPerWindow_, segmentLength_);
  }
  void combineWindows() override {
    for (size_t window = count_; window-- > 0;) {
      for (unsigned i = 0; i < windows_.bits; i++) result_.twice();
      result_.add(totals_[window]);
    }
  }

 private:
  static constexpr size_t SMALLEST_BLOCK = 1024, PIECE = 1 << 12, SHORTEST_SEGMENT = 8, LONGEST_SEGMENT = 256;
  static constexpr uint32_t NONE = UINT32_MAX;

  struct Run {
    uint32_t base, length, bucket;
    uintptr_t single;  // in the first round: the last point, not copied yet; or 0
  };
  struct Carried {
    Affine<F> point;
    uint32_t bucket;
  };
  struct Segment {
    Xyzz<F> weighted;
    Affine<F> plain;
  };

  // Memory of a thread for blocks of `length` entries.
  struct Scratch {
    uint64_t *products;
    Affine<F> *points;
    PointPair *pairs;
    uintptr_t *members;
    Run *runs;

    Scratch(void *memory, size_t length) {
      uint8_t *place = static_cast<uint8_t *>(memory);
      take(products, place, additionWords<F>(length / 2));
      take(points, place, length);
      take(pairs, place, length / 2);
      take(members, place, length);
      take(runs, place, length);
    }
    static size_t bytes(size_t length) {
      return rounded(additionWords<F>(length / 2) * 8) + rounded(length * sizeof(Affine<F>)) +
             rounded(length / 2 * sizeof(PointPair)) + rounded(length * sizeof(uintptr_t)) +
             rounded(length * sizeof(Run));
    }

   private:
    static size_t rounded(size_t bytes) { return (bytes + 63) / 64 * 64; }
    template <class T>
    static void take(T *&array, uint8_t *&place, size_t count) {
      array = reinterpret_cast<T *>(place);
      place += rounded(count * sizeof(T));
    }
  };

  // Each step of a strip's segments costs an inversion, each segment three additions of its own: as many buckets a
  // segment as balance both.
  static size_t segmentLength(const Windows &windows, unsigned group) {
    size_t length = SHORTEST_SEGMENT;
    while (length < LONGEST_SEGMENT && 32 * length * length <= group * windows.buckets()) length *= 2;
    return std::min(windows.buckets(), length);
  }
  static size_t segmentsPerWindow(const Windows &windows, unsigned group) {
    return windows.buckets() / segmentLength(windows, group);
  }

  // Segments of a strip: as many as share an inversion well, yet few enough for many strips.
  size_t lanes() const {
    constexpr size_t FEWEST = F::DEGREE == 1 ? 128 : 64;
    const size_t shared = count_ * segmentsPerWindow_ / (F::DEGREE == 1 ? 5 : 12) + 1;
    return std::min(std::max(shared, FEWEST), blockLength_ / 4);
  }

  size_t addFirstRound(size_t begin, size_t end, Scratch &scratch) {
    size_t bucket = static_cast<size_t>(
        std::upper_bound(starts_, starts_ + count_ * windows_.buckets() + 1, static_cast<uint32_t>(begin)) - starts_ -
        1);
    size_t runs = 0, pairs = 0;
    uint32_t used = 0;
    for (size_t position = begin; position < end; bucket++) {
      size_t stop = std::min<size_t>(end, starts_[bucket + 1]), members = 0;
      for (; position < stop; position++) {
        const Affine<F> *point = source_.find(entries_[position] >> 1);
        if (point != nullptr) scratch.members[members++] = summand(point, (entries_[position] & 1) != 0);
      }
      if (members == 0) continue;
      Run &run = scratch.runs[runs++];
      run = {used, static_cast<uint32_t>(members - members / 2), static_cast<uint32_t>(bucket), 0};
      for (size_t i = 0; i < members / 2; i++) {
        scratch.pairs[pairs++] = {scratch.members[i], scratch.members[members - 1 - i], &scratch.points[used++]};
      }
      if (members % 2 != 0) {
        run.single = scratch.members[members / 2];
        used++;
        __builtin_prefetch(reinterpret_cast<const void *>(run.single));
      }
    }
    for (size_t i = 0; i < runs; i++) {
      const Run &run = scratch.runs[i];
      if (run.single == 0) continue;
      scratch.points[run.base + run.length - 1] = {batch_affine::pointOf<F>(run.single).x,
                                                   batch_affine::ordinateOf<F>(run.single)};
    }
    addPointPairs<F>(scratch.pairs, pairs, scratch.products);
    return runs;
  }

  static void halveRuns(Scratch &scratch, size_t runs) {
    for (;;) {
      size_t pairs = 0;
      for (size_t i = 0; i < runs; i++) {
        Run &run = scratch.runs[i];
        Affine<F> *points = scratch.points + run.base;
        for (uint32_t j = 0; j < run.length / 2; j++) {
          scratch.pairs[pairs++] = {summand(points + j), summand(points + run.length - 1 - j), points + j};
        }
        run.length -= run.length / 2;
      }
      if (pairs == 0) return;
      addPointPairs<F>(scratch.pairs, pairs, scratch.products);
    }
  }

  // The running sums of `count` segments in step: plain += bucket, and weighted += plain of the step before.
  void sumSegments(size_t first, size_t count, const Scratch &scratch) {
    const size_t length = segmentLength_;
    const Affine<F> *buckets = buckets_.data() + first * length;
    Affine<F> *plain = scratch.points, *weighted = plain + count, *previous = weighted + count;
    for (size_t i = 0; i < count; i++) {
      plain[i] = buckets[i * length + length - 1];
      weighted[i] = Affine<F>::infinity();
    }
    for (size_t b = length - 1; b-- > 0;) {
      bool isFirst = b + 2 == length;
      std::copy(plain, plain + count, isFirst ? weighted : previous);
      size_t pairs = 0;
      for (size_t i = 0; i < count; i++) {
        scratch.pairs[pairs++] = {summand(plain + i), summand(buckets + i * length + b), plain + i};
        if (!isFirst) scratch.pairs[pairs++] = {summand(weighted + i), summand(previous + i), weighted + i};
      }
      addPointPairs<F>(scratch.pairs, pairs, scratch.products);
    }
    for (size_t i = 0; i < count; i++) {
      Xyzz<F> total = Xyzz<F>::fromAffine(weighted[i]);
      total.add(plain[i]);
      segments_[first + i] = {total, plain[i]};
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

  const Windows windows_;
  const size_t blockLength_;
  const PointSource<F> source_;
  const uint32_t *entries_ = nullptr, *starts_ = nullptr;
  size_t count_ = 0, total_ = 0;
  Xyzz<F> result_ = Xyzz<F>::infinity();
  Array<Affine<F>> buckets_;
  Array<Carried> carried_;
  const size_t segmentLength_, segmentsPerWindow_;
  Array<Segment> segments_;
  Array<Xyzz<F>> totals_;
};

}  // namespace cuzk
