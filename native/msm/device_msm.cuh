// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <vector>

#include "field/arithmetic_cuda.cuh"
#include "msm/batch_addition.cuh"
#include "msm/bucket_reduction.cuh"
#include "msm/digits.cuh"

namespace cuzk::gpu {

// sum scalars[i] points[i] on the device, for several tables of points under the same scalars:
//
//   1. scalars are listed: zeros are dropped, ones kept apart, the rest cut into signed digits,
//   2. for a group of windows, as many as memory allows: entries (bucket, point) are sorted by bucket; the ones are one
//      more bucket, in the first group,
//   3. for each table: rounds of batched affine additions halve every bucket until one point is left in each,
//   4. the buckets of each row are reduced to one sum, and the host combines them.
//
// Steps 1 and 2 do not look at the points: the A, B1, B2 and L queries of a proof share them. Steps 3 and 4 do not wait
// for the host: sums over several tables run side by side on streams of their own.

// The sorted entries of a group of windows, in device memory.
struct SortedEntries {
  const uint32_t *keys, *values, *starts;  // starts: buckets + 1
  uint32_t entries;                        // those with a bucket
  uint32_t buckets;                        // in all rows of the group, and the ones' where there is one
  uint32_t longest;                        // entries of the fullest bucket
  unsigned firstRow, rows;
  bool withOnes;
};

struct BucketLength {
  const uint32_t *starts;
  __device__ uint32_t operator()(uint32_t b) const { return starts[b + 1] - starts[b]; }
};

class DigitSorter {
 public:
  // `scalars`: n canonical values of four words; `levels`: those of the points. Takes arena memory that lives as long
  // as this object's scope.
  DigitSorter(Context &context, const uint64_t *scalars, uint32_t n, unsigned scalarBits, const Levels &levels = {})
      : context_(context),
        scalars_(scalars),
        shift_(31 - levels.bits()),
        windows_(Windows::LEAST_BITS, scalarBits, levels) {
    lists_.ones = context.arena.take<uint32_t>(n);
    lists_.others = context.arena.take<uint32_t>(n);
    uint32_t *counts = context.arena.take<uint32_t>(2);
    Arena::Scope scope(context.arena);
    list(digits::IsOne{scalars}, n, lists_.ones, counts);
    list(digits::IsOther{scalars}, n, lists_.others, counts + 1);
    uint32_t hostCounts[2];
    download(context, hostCounts, counts, 2);
    lists_.oneCount = hostCounts[0];
    lists_.otherCount = hostCounts[1];
    windows_ = Windows::choose(lists_.otherCount, scalarBits, levels);
  }

  const Windows &windows() const { return windows_; }

  // Windows that a group may hold, if summations follow it in the arena that take bytes(entries, buckets, rows). Rows
  // are not divided where that can be helped: every part would have its own reduction.
  template <class Bytes>
  unsigned windowsAGroup(const Bytes &bytes) const {
    const size_t others = std::max<size_t>(lists_.otherCount, 1);
    size_t group = std::clamp<size_t>(plan::ENTRIES / others, 1, windows_.count);
    for (; group > 1; group--) {
      const size_t entries = group * others + lists_.oneCount, rows = plan::rowsOf(windows_, group);
      const size_t buckets = rows * windows_.buckets() + 1;
      if (plan::sortBytes(entries, buckets) + bytes(entries, buckets, rows) <= context_.arena.left()) break;
    }
    if (group < windows_.count && group > windows_.levels) group -= group % windows_.levels;
    return static_cast<unsigned>(group);
  }
  // The same for summations one after the other with coordinates of at most `field` bytes.
  unsigned windowsAGroup(size_t field) const {
    return windowsAGroup([&](size_t entries, size_t buckets, size_t rows) {
      return plan::summationBytes(entries, buckets, rows, field) + plan::MOST_ROW_SUMS * 4 * field;
    });
  }

  // The result lives until the arena scope around the call ends.
  SortedEntries sort(unsigned first, unsigned count) {
    SortedEntries result{};
    result.firstRow = windows_.rowOf(first);
    result.rows = windows_.rowOf(first + count - 1) - result.firstRow + 1;
    result.withOnes = first == 0 && lists_.oneCount > 0;
    const uint32_t digitBuckets = result.rows * windows_.buckets();
    result.buckets = digitBuckets + (result.withOnes ? 1 : 0);
    const size_t digitEntries = size_t(lists_.otherCount) * count;
    const size_t total = digitEntries + (result.withOnes ? lists_.oneCount : 0);
    uint32_t *starts = context_.arena.take<uint32_t>(result.buckets + 2);
    uint32_t *longest = context_.arena.take<uint32_t>(1);
    cub::DoubleBuffer<uint32_t> keyBuffers(context_.arena.take<uint32_t>(total + 1),
                                           context_.arena.take<uint32_t>(total + 1));
    cub::DoubleBuffer<uint32_t> valueBuffers(context_.arena.take<uint32_t>(total + 1),
                                             context_.arena.take<uint32_t>(total + 1));
    sortDigits(first, count, digitBuckets, keyBuffers, valueBuffers);
    uint32_t *keys = keyBuffers.Current(), *values = valueBuffers.Current();
    // Zero digits sort behind all buckets: what follows starts where they do.
    digits::findStarts<<<blocks(digitBuckets + 1), BLOCK, 0, context_.stream>>>(
        keys, static_cast<uint32_t>(digitEntries), digitBuckets, starts);
    checkLaunch("findStarts");
    download(context_, &result.entries, starts + digitBuckets, 1);
    if (result.withOnes) {
      digits::appendOnes<<<blocks(lists_.oneCount), BLOCK, 0, context_.stream>>>(
          lists_.ones, lists_.oneCount, digitBuckets, keys + result.entries, values + result.entries);
      checkLaunch("appendOnes");
      result.entries += lists_.oneCount;
      check(cudaMemcpyAsync(starts + result.buckets, &result.entries, sizeof(uint32_t), cudaMemcpyHostToDevice,
                            context_.stream),
            "upload of an entry count");
      check(cudaStreamSynchronize(context_.stream), "upload of an entry count");
    }
    result.longest = longestBucket(starts, result.buckets, longest);
    result.keys = keys;
    result.values = values;
    result.starts = starts;
    return result;
  }

 private:
  template <class Predicate>
  void list(Predicate predicate, uint32_t n, uint32_t *output, uint32_t *count) {
    size_t bytes = 0;
    const thrust::counting_iterator<uint32_t> indices(0);
    check(cub::DeviceSelect::If(nullptr, bytes, indices, output, count, n, predicate, context_.stream), "listing");
    void *scratch = context_.arena.take<char>(bytes);
    check(cub::DeviceSelect::If(scratch, bytes, indices, output, count, n, predicate, context_.stream), "listing");
  }

  void sortDigits(unsigned first, unsigned count, uint32_t none, cub::DoubleBuffer<uint32_t> &keys,
                  cub::DoubleBuffer<uint32_t> &values) {
    const size_t entries = size_t(lists_.otherCount) * count;
    if (entries == 0) return;
    Arena::Scope scope(context_.arena);
    digits::decompose<<<blocks(lists_.otherCount), BLOCK, 0, context_.stream>>>(
        scalars_, lists_.others, lists_.otherCount, windows_, first, count, shift_, none, keys.Current(),
        values.Current());
    checkLaunch("decompose");
    unsigned keyBits = 1;
    while (none >> keyBits) keyBits++;
    size_t bytes = 0;
    check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, values, entries, 0, keyBits, context_.stream),
          "sorting");
    void *scratch = context_.arena.take<char>(bytes);
    check(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, values, entries, 0, keyBits, context_.stream),
          "sorting");
  }

  uint32_t longestBucket(const uint32_t *starts, uint32_t buckets, uint32_t *result) {
    Arena::Scope scope(context_.arena);
    const auto lengths = thrust::make_transform_iterator(thrust::counting_iterator<uint32_t>(0), BucketLength{starts});
    size_t bytes = 0;
    check(cub::DeviceReduce::Max(nullptr, bytes, lengths, result, buckets, context_.stream), "longest bucket");
    void *scratch = context_.arena.take<char>(bytes);
    check(cub::DeviceReduce::Max(scratch, bytes, lengths, result, buckets, context_.stream), "longest bucket");
    uint32_t host;
    download(context_, &host, result, 1);
    return host;
  }

  Context &context_;
  const uint64_t *scalars_;
  const unsigned shift_;
  ScalarLists lists_{};
  Windows windows_;
};

namespace rounds {

// For every second entry of a bucket: where its sum goes, and whether it has a right neighbour there.
static __global__ void __launch_bounds__(BLOCK)
    pair(const uint32_t *keys, const uint32_t *starts, const uint32_t *nextStarts, const uint32_t *count,
         uint32_t *sources, uint32_t *nextKeys) {
  for (uint32_t e = blockIdx.x * BLOCK + threadIdx.x; e < *count; e += gridDim.x * BLOCK) {
    const uint32_t key = keys[e];
    const uint32_t position = e - starts[key];
    if (position & 1) continue;
    const uint32_t j = nextStarts[key] + position / 2;
    sources[j] = e << 1 | (e + 1 < starts[key + 1] ? 1u : 0u);
    nextKeys[j] = key;
  }
}

struct HalfLength {
  const uint32_t *starts;
  uint32_t buckets;
  // The last value, beyond the buckets, only completes the scan.
  __device__ uint32_t operator()(uint32_t b) const { return b < buckets ? (starts[b + 1] - starts[b] + 1) / 2 : 0; }
};

}  // namespace rounds

// The sums of rows of buckets of one table of points, as group after group leaves them in device memory.
template <class F>
class RowSums {
 public:
  RowSums(Context &context, const Windows &windows)
      : windows_(windows), capacity_(plan::rowSums(windows.count)), sums_(context.arena.take<Xyzz<F>>(capacity_)) {}

  // Where the sums of as many rows go, or of the ones' points.
  Xyzz<F> *place(unsigned firstRow, unsigned rows) {
    for (unsigned i = 0; i < rows; i++) rows_.push_back(firstRow + i);
    return reserve(rows);
  }
  Xyzz<F> *placeOfOnes() {
    rows_.push_back(0);  // their factor is that of the lowest row
    return reserve(1);
  }
  // The sum of all of them, each times its row's power of two; on the host. `context` is where they were made.
  Xyzz<F> total(Context &context) const {
    std::vector<Xyzz<F>> sums(rows_.size()), rows(windows_.rows, Xyzz<F>::infinity());
    if (!sums.empty()) download(context, sums.data(), sums_, sums.size());
    for (size_t i = 0; i < sums.size(); i++) rows[rows_[i]].add(sums[i]);
    Xyzz<F> total = Xyzz<F>::infinity();
    for (size_t row = rows.size(); row-- > 0;) {
      if (!total.isInfinity()) {
        for (unsigned i = 0; i < windows_.bits; i++) total.twice();
      }
      total.add(rows[row]);
    }
    return total;
  }

 private:
  Xyzz<F> *reserve(size_t count) {
    if (rows_.size() > capacity_) throw Failure(CUZK_INTERNAL, "more sums of rows than there are windows");
    return sums_ + rows_.size() - count;
  }

  const Windows windows_;
  const size_t capacity_;
  Xyzz<F> *const sums_;
  std::vector<unsigned> rows_;
};

// Sums of one table of points over one group of windows.
template <class F>
class BucketSummation {
 public:
  // Launches all of it. The memory that it takes from the context's arena must stay until the stream is done with it.
  static void run(Context &context, const SortedEntries &sorted, const PointTable<F> &points, RowSums<F> &sums) {
    if (sorted.entries == 0) return;
    Arena::Scope scope(context.arena);
    BucketSummation summation(context, sorted);
    summation.addRounds(points);
    summation.reduce(sums);
  }

 private:
  // Some forty products an addition, and few additions: calls.
  using Calls = WithCalls<F>;

  BucketSummation(Context &context, const SortedEntries &sorted)
      : context_(context),
        sorted_(sorted),
        bound_(outputs(sorted.entries)),
        scratch_(context, bound_),
        nextStarts_{context.arena.take<uint32_t>(sorted.buckets + 1), context.arena.take<uint32_t>(sorted.buckets + 1)},
        keys_{context.arena.take<uint32_t>(bound_), context.arena.take<uint32_t>(outputs(bound_))},
        sources_(context.arena.take<uint32_t>(bound_)),
        sums_{context.arena.take<Affine<F>>(bound_), context.arena.take<Affine<F>>(outputs(bound_))} {}

  // The most points that a round leaves of `entries`.
  size_t outputs(size_t entries) const { return plan::outputs(entries, sorted_.buckets); }

  // Rounds until every bucket has one point, or until few enough points are left to add them one by one.
  void addRounds(const PointTable<F> &points) {
    const uint32_t *keys = sorted_.keys;
    starts_ = sorted_.starts;
    input_ = {points, sorted_.values};
    size_t entries = sorted_.entries;
    unsigned to = 0;
    // One round at least, or the tail, so that the points are gathered.
    for (uint32_t longest = sorted_.longest;; longest = (longest + 1) / 2) {
      if (isTail(entries, longest)) {
        sumTail(entries);
        return;
      }
      const size_t bound = outputs(entries);
      scanHalves(starts_, nextStarts_[to]);
      rounds::pair<<<std::min<unsigned>(blocks(entries), 64 * context_.multiprocessors), BLOCK, 0, context_.stream>>>(
          keys, starts_, nextStarts_[to], starts_ + sorted_.buckets, sources_, keys_[to]);
      checkLaunch("pair");
      addBatch(context_, scratch_, input_, sources_, nextStarts_[to] + sorted_.buckets, bound, sums_[to]);
      keys = keys_[to];
      starts_ = nextStarts_[to];
      input_ = {{sums_[to]}, nullptr};
      entries = bound;
      to = 1 - to;
      if (longest <= 2) break;
    }
  }

  // Threads a bucket: about half as many as it has points.
  unsigned log2TailThreads(size_t entries) const {
    unsigned log = 0;
    while (log < 5 && (entries / sorted_.buckets) >> (log + 2)) log++;
    return log;
  }
  bool isTail(size_t entries, uint32_t longest) const {
    constexpr uint32_t STEPS = 48;  // additions that one thread may make one after the other
    return entries <= plan::TAIL && sorted_.buckets <= plan::TAIL && longest >> log2TailThreads(entries) <= STEPS;
  }
  void sumTail(size_t entries) {
    const unsigned log = log2TailThreads(entries);
    extended_ = context_.arena.template take<Xyzz<Calls>>(sorted_.buckets);
    const PointTable<F> &table = input_.table;
    const RoundInput<Calls> input{{reinterpret_cast<const Affine<Calls> *>(table.points), table.positions, table.offset,
                                   table.shift, table.levelPoints},
                                  input_.entries};
    const size_t threads = size_t(sorted_.buckets) << log;
    const unsigned block = spread(threads, context_.multiprocessors);
    sumBuckets<<<blocks(threads, block), block, 0, context_.stream>>>(input, starts_, sorted_.buckets, log, extended_);
    checkLaunch("sumBuckets");
  }

  void scanHalves(const uint32_t *starts, uint32_t *nextStarts) {
    Arena::Scope scope(context_.arena);
    const auto lengths = thrust::make_transform_iterator(thrust::counting_iterator<uint32_t>(0),
                                                         rounds::HalfLength{starts, sorted_.buckets});
    size_t bytes = 0;
    check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, lengths, nextStarts, sorted_.buckets + 1, context_.stream),
          "bucket starts");
    void *scratch = context_.arena.take<char>(bytes);
    check(cub::DeviceScan::ExclusiveSum(scratch, bytes, lengths, nextStarts, sorted_.buckets + 1, context_.stream),
          "bucket starts");
  }

  void reduce(RowSums<F> &sums) {
    const uint32_t rowBuckets = (sorted_.buckets - (sorted_.withOnes ? 1 : 0)) / sorted_.rows;
    if (extended_ != nullptr) {
      reduce(ExtendedBuckets<Calls>{extended_}, rowBuckets, sums);
    } else {
      reduce(AffineBuckets<Calls>{reinterpret_cast<const Affine<Calls> *>(input_.table.points), starts_}, rowBuckets,
             sums);
    }
  }
  template <class Buckets>
  void reduce(const Buckets &buckets, uint32_t rowBuckets, RowSums<F> &sums) {
    const plan::Runs runs(rowBuckets, sorted_.rows);
    Xyzz<Calls> *partial = context_.arena.template take<Xyzz<Calls>>(size_t(runs.partials()) * sorted_.rows);
    Xyzz<Calls> *plain = nullptr;
    if (runs.secondRuns > 0) plain = context_.arena.template take<Xyzz<Calls>>(size_t(runs.runs) * sorted_.rows);
    launchRuns(buckets, runs.buckets, runs.run, 1, 0, plain, partial, runs.partials());
    if (runs.secondRuns > 0) {
      launchRuns(ExtendedBuckets<Calls>{plain}, runs.runs, runs.secondRun, 0, log2(runs.run), nullptr,
                 partial + runs.runs, runs.partials());
    }
    addUp(partial, runs.partials(), runs.groups(), withCalls(sums.place(sorted_.firstRow, sorted_.rows)));
    if (!sorted_.withOnes) return;
    copySum<<<1, 1, 0, context_.stream>>>(buckets, sorted_.buckets - 1, withCalls(sums.placeOfOnes()));
    checkLaunch("copySum");
  }
  static Xyzz<Calls> *withCalls(Xyzz<F> *sums) { return reinterpret_cast<Xyzz<Calls> *>(sums); }

  static unsigned log2(uint32_t power) {
    unsigned log = 0;
    while (power >> log > 1) log++;
    return log;
  }

  template <class Buckets>
  void launchRuns(const Buckets &input, uint32_t buckets, uint32_t run, uint32_t base, unsigned doublings,
                  Xyzz<Calls> *plain, Xyzz<Calls> *partial, uint32_t partials) {
    const size_t threads = size_t(buckets / run) * sorted_.rows;
    const unsigned block = spread(threads, context_.multiprocessors);
    sumRuns<<<blocks(threads, block), block, 0, context_.stream>>>(input, buckets, run, buckets / run, sorted_.rows,
                                                                   base, doublings, plain, partial, partials);
    checkLaunch("sumRuns");
  }

  // One sum a row of its `partials` values.
  void addUp(const Xyzz<Calls> *values, uint32_t partials, uint32_t groups, Xyzz<Calls> *result) {
    for (uint32_t count = partials;; count = groups, groups = 1) {
      unsigned threads = PARTIAL_ADDERS;
      while (threads > 1 && threads >= 2 * count / groups) threads /= 2;
      Xyzz<Calls> *sums =
          groups == 1 ? result : context_.arena.template take<Xyzz<Calls>>(size_t(sorted_.rows) * groups);
      sumPartials<<<sorted_.rows * groups, threads, threads * sizeof(Xyzz<Calls>), context_.stream>>>(values, count,
                                                                                                      groups, sums);
      checkLaunch("sumPartials");
      if (groups == 1) return;
      values = sums;
    }
  }

  Context &context_;
  const SortedEntries &sorted_;
  const size_t bound_;
  BatchScratch<F> scratch_;
  uint32_t *nextStarts_[2];
  uint32_t *keys_[2];
  uint32_t *sources_;
  Affine<F> *sums_[2];
  const uint32_t *starts_ = nullptr;  // of the points that are left
  RoundInput<F> input_{};
  Xyzz<Calls> *extended_ = nullptr;  // the buckets' sums, where the tail was added up in extended coordinates
};

// One MSM of its own over points that have `levels`.
template <class F>
Xyzz<F> msm(Context &context, const PointTable<F> &points, const uint64_t *scalars, uint32_t n, unsigned scalarBits,
            const Levels &levels = {}) {
  if (n == 0) return Xyzz<F>::infinity();
  Arena::Scope scope(context.arena);
  DigitSorter sorter(context, scalars, n, scalarBits, levels);
  RowSums<F> sums(context, sorter.windows());
  const unsigned group = sorter.windowsAGroup(sizeof(F)), windows = sorter.windows().count;
  for (unsigned first = 0; first < windows; first += group) {
    Arena::Scope inner(context.arena);
    const SortedEntries sorted = sorter.sort(first, std::min(group, windows - first));
    BucketSummation<F>::run(context, sorted, points, sums);
  }
  return sums.total(context);
}

}  // namespace cuzk::gpu
