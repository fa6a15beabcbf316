// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "msm/bucket_sums.hpp"
#include "msm/digits.hpp"

namespace cuzk {

// The digits of a vector of scalars, sorted group by group of sets of windows from the top, with the sums that use
// them.
template <class Fr>
class SharedDigits {
 public:
  // Sorts the first group. Scalars canonical, four words each; they need not outlive the constructor. `tables`: the
  // most multiples of a point, beside itself, that the points' tables hold; the same everywhere for sums of these
  // digits.
  SharedDigits(const Context &context, const uint64_t *scalars, size_t count, unsigned tables = 0)
      : digits_(context, scalars, count, windows(count, tables)), left_(digits_.windows().sets()) {
    sortNext();
  }

  // Sets in the group that is sorted now; 0 after the last group.
  unsigned sorted() const { return sorted_; }
  void sortNext() {
    sorted_ = std::min(left_, digits_.group());
    if (sorted_ == 0) return;
    left_ -= sorted_;
    digits_.sort(left_, sorted_);
    if (left_ == 0) digits_.releaseScalars();
  }
  void wipe() { digits_.wipeEntries(); }
  const Digits<Fr> &digits() const { return digits_; }

  static Windows windows(uint64_t count, unsigned tables = 0) {
    return Windows::choose(count, Digits<Fr>::SCALAR_BITS, BUCKET_COST, tables + 1);
  }
  static uint64_t bytes(uint64_t count, unsigned threads, unsigned tables = 0) {
    return Digits<Fr>::bytes(count, windows(count, tables), threads);
  }

  // A sum over points for these scalars, and what it takes.
  template <class F>
  static BucketSums<F> sumOver(const Context &context, const PointSource<F> &source, uint64_t count,
                               unsigned tables = 0) {
    return BucketSums<F>(context, windows(count, tables), group(count, tables), entries(count, tables), source);
  }
  template <class F>
  static uint64_t sumBytes(uint64_t count, unsigned tables = 0) {
    return BucketSums<F>::bytes(windows(count, tables), group(count, tables), entries(count, tables));
  }
  template <class F>
  static size_t scratchBytes(uint64_t count, unsigned tables = 0) {
    return BucketSums<F>::scratchBytes(entries(count, tables));
  }

 private:
  static unsigned group(uint64_t count, unsigned tables) {
    return Digits<Fr>::groupSize(count, windows(count, tables));
  }
  // Most of a group.
  static uint64_t entries(uint64_t count, unsigned tables) {
    return count * windows(count, tables).levels * group(count, tables);
  }

  // Two additions a bucket, which take about twice as long as others: their batches are smaller.
  static constexpr double BUCKET_COST = 4;

  Digits<Fr> digits_;
  unsigned left_, sorted_ = 0;
};

// Sum of scalars[i] * points[i]; scalars canonical, four words each.
template <class Fr, class F>
Xyzz<F> msm(const Context &context, const PointSource<F> &source, const uint64_t *scalars, size_t count) {
  using Shared = SharedDigits<Fr>;
  if (count == 0) return Xyzz<F>::infinity();
  Shared shared(context, scalars, count);
  auto sum = Shared::template sumOver<F>(context, source, count);
  SumScheduler scheduler(context, Shared::template scratchBytes<F>(count));
  for (; shared.sorted() != 0; shared.sortNext()) {
    sum.begin(shared.digits(), shared.sorted());
    scheduler.run({&sum});
  }
  shared.wipe();
  scheduler.wipe();
  sum.wipe(context);
  return sum.result();
}

// Bytes that msm takes at most.
template <class Fr, class F>
uint64_t msmBytes(uint64_t count, unsigned threads) {
  using Shared = SharedDigits<Fr>;
  if (count == 0) return 0;
  return Shared::bytes(count, threads) + Shared::template sumBytes<F>(count) +
         SumScheduler::bytes(threads, Shared::template scratchBytes<F>(count));
}

}  // namespace cuzk
