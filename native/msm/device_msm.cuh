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
//   4. buckets are reduced to window sums, which the host combines.
//
// Steps 1 and 2 do not look at the points: the A, B1, B2 and L queries of a proof share them.

// The sorted entries of a group of windows, in device memory.
struct SortedEntries {
  const uint32_t *keys, *values, *starts;  // starts: buckets + 1
  uint32_t entries;                        // those with a bucket
  uint32_t buckets;                        // in all windows of the group, and the ones' where there is one
  uint32_t longest;                        // entries of the fullest bucket
  unsigned firstWindow, windows;
  bool withOnes;
};

struct BucketLength {
  const uint32_t *starts;
  __device__ uint32_t operator()(uint32_t b) const { return starts[b + 1] - starts[b]; }
};

class DigitSorter {
 public:
  // `scalars`: n canonical values of four words. Takes arena memory that lives as long as this object's scope.
  DigitSorter(Context &context, const uint64_t *scalars, uint32_t n, unsigned scalarBits)
      : context_(context), scalars_(scalars), windows_(4, scalarBits) {
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
    windows_ = Windows::choose(lists_.otherCount, scalarBits);
  }

  const Windows &windows() const { return windows_; }

  // Windows that a group may hold, if summations with coordinates of `field` bytes follow it in the arena.
  unsigned windowsAGroup(size_t field) const {
    const size_t others = std::max<size_t>(lists_.otherCount, 1);
    size_t group = std::clamp<size_t>(plan::ENTRIES / others, 1, windows_.count);
    for (; group > 1; group--) {
      const size_t entries = group * others + lists_.oneCount, buckets = group * windows_.buckets() + 1;
      if (plan::groupBytes(entries, buckets, group, field) <= context_.arena.left()) break;
    }
    return static_cast<unsigned>(group);
  }

  // The result lives until the arena scope around the call ends.
  SortedEntries sort(unsigned first, unsigned count) {
    SortedEntries result{};
    result.firstWindow = first;
    result.windows = count;
    result.withOnes = first == 0 && lists_.oneCount > 0;
    const uint32_t digitBuckets = count * windows_.buckets();
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
        scalars_, lists_.others, lists_.otherCount, windows_, first, count, none, keys.Current(), values.Current());
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

// Window sums of one table of points over one group of windows.
template <class F>
class BucketSummation {
 public:
  // Appends to `sums` one sum a window, and the sum of the ones' points to `ones` where the group has them.
  static void run(Context &context, const SortedEntries &sorted, const PointTable<F> &points, const Windows &windows,
                  std::vector<Xyzz<F>> &sums, Xyzz<F> &ones) {
    Arena::Scope scope(context.arena);
    if (sorted.entries == 0) {
      sums.insert(sums.end(), sorted.windows, Xyzz<F>::infinity());
      return;
    }
    BucketSummation summation(context, sorted);
    summation.addRounds(points);
    summation.reduce(windows, sums, ones);
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
    const RoundInput<Calls> input{
        {reinterpret_cast<const Affine<Calls> *>(input_.table.points), input_.table.positions, input_.table.offset},
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

  void reduce(const Windows &windows, std::vector<Xyzz<F>> &sums, Xyzz<F> &ones) {
    const plan::Runs runs(windows.buckets(), sorted_.windows);
    Xyzz<Calls> *partial = context_.arena.template take<Xyzz<Calls>>(size_t(runs.partials()) * sorted_.windows);
    Xyzz<Calls> *plain = nullptr;
    if (runs.secondRuns > 0) plain = context_.arena.template take<Xyzz<Calls>>(size_t(runs.runs) * sorted_.windows);
    if (extended_ != nullptr) {
      launchRuns(ExtendedBuckets<Calls>{extended_}, runs.buckets, runs.run, 1, 0, plain, partial, runs.partials());
    } else {
      launchRuns(AffineBuckets<Calls>{affine<Calls>(), starts_}, runs.buckets, runs.run, 1, 0, plain, partial,
                 runs.partials());
    }
    if (runs.secondRuns > 0) {
      launchRuns(ExtendedBuckets<Calls>{plain}, runs.runs, runs.secondRun, 0, log2(runs.run), nullptr,
                 partial + runs.runs, runs.partials());
    }
    const Xyzz<Calls> *windowSums = addUp(partial, runs.partials(), runs.groups());
    const size_t before = sums.size();
    sums.resize(before + sorted_.windows);
    download(context_, sums.data() + before, reinterpret_cast<const Xyzz<F> *>(windowSums), sorted_.windows);
    if (sorted_.withOnes) downloadOnes(ones);
  }

  static unsigned log2(uint32_t power) {
    unsigned log = 0;
    while (power >> log > 1) log++;
    return log;
  }

  template <class Buckets>
  void launchRuns(const Buckets &input, uint32_t buckets, uint32_t run, uint32_t base, unsigned doublings,
                  Xyzz<Calls> *plain, Xyzz<Calls> *partial, uint32_t partials) {
    const size_t threads = size_t(buckets / run) * sorted_.windows;
    const unsigned block = spread(threads, context_.multiprocessors);
    sumRuns<<<blocks(threads, block), block, 0, context_.stream>>>(input, buckets, run, buckets / run, sorted_.windows,
                                                                   base, doublings, plain, partial, partials);
    checkLaunch("sumRuns");
  }

  // One sum a window of its `partials` values.
  const Xyzz<Calls> *addUp(const Xyzz<Calls> *values, uint32_t partials, uint32_t groups) {
    for (uint32_t count = partials;; count = groups, groups = 1) {
      unsigned threads = PARTIAL_ADDERS;
      while (threads > 1 && threads >= 2 * count / groups) threads /= 2;
      Xyzz<Calls> *sums = context_.arena.template take<Xyzz<Calls>>(size_t(sorted_.windows) * groups);
      sumPartials<<<sorted_.windows * groups, threads, threads * sizeof(Xyzz<Calls>), context_.stream>>>(values, count,
                                                                                                         groups, sums);
      checkLaunch("sumPartials");
      if (groups == 1) return sums;
      values = sums;
    }
  }

  // The last bucket's sum.
  void downloadOnes(Xyzz<F> &ones) {
    const uint32_t last = sorted_.buckets - 1;
    if (extended_ != nullptr) {
      Xyzz<F> sum;
      download(context_, &sum, reinterpret_cast<const Xyzz<F> *>(extended_) + last, 1);
      ones.add(sum);
      return;
    }
    uint32_t position;
    download(context_, &position, starts_ + last, 1);
    Affine<F> sum;
    download(context_, &sum, affine<F>() + position, 1);
    ones.add(sum);
  }

  // What the last round left.
  template <class G>
  const Affine<G> *affine() const {
    return reinterpret_cast<const Affine<G> *>(input_.table.points);
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

// The sum of the windows' sums times 2^(bits w), and of the ones' points; on the host.
template <class F>
Xyzz<F> combineWindows(const std::vector<Xyzz<F>> &sums, const Xyzz<F> &ones, unsigned bits) {
  Xyzz<F> total = Xyzz<F>::infinity();
  for (size_t w = sums.size(); w-- > 0;) {
    for (unsigned i = 0; i < bits; i++) total.twice();
    total.add(sums[w]);
  }
  total.add(ones);
  return total;
}

// One MSM of its own.
template <class F>
Xyzz<F> msm(Context &context, const PointTable<F> &points, const uint64_t *scalars, uint32_t n, unsigned scalarBits) {
  Xyzz<F> ones = Xyzz<F>::infinity();
  std::vector<Xyzz<F>> sums;
  if (n == 0) return ones;
  Arena::Scope scope(context.arena);
  DigitSorter sorter(context, scalars, n, scalarBits);
  const unsigned group = sorter.windowsAGroup(sizeof(F));
  for (unsigned first = 0; first < sorter.windows().count; first += group) {
    Arena::Scope inner(context.arena);
    const SortedEntries sorted = sorter.sort(first, std::min(group, sorter.windows().count - first));
    BucketSummation<F>::run(context, sorted, points, sorter.windows(), sums, ones);
  }
  return combineWindows(sums, ones, sorter.windows().bits);
}

}  // namespace cuzk::gpu
