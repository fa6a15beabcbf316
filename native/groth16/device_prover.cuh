// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/event_clock.hpp"
#include "groth16/device_key.cuh"
#include "groth16/device_witness.cuh"

namespace cuzk::gpu {

// values = (a b - c), canonical.
template <class Fr>
__global__ void __launch_bounds__(BLOCK) oddCosetScalars(Fr *a, const Fr *b, const Fr *c, uint32_t count) {
  const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= count) return;
  Fr result;
  (a[i] * b[i] - c[i]).toCanonical(result.limb);
  a[i] = result;
}

// a = (a - c) factor, canonical.
template <class Fr>
__global__ void __launch_bounds__(BLOCK) monomialScalars(Fr *a, const Fr *c, Fr factor, uint32_t count) {
  const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= count) return;
  Fr result;
  ((a[i] - c[i]) * factor).toCanonical(result.limb);
  a[i] = result;
}

// One proof on the GPU; the steps and formulas are those of groth16/prover.hpp.
template <class Set>
class DeviceProver {
 public:
  using Host = typename Set::Host;
  using Fr = typename Set::Fr;
  using Fp = typename Set::Fp;
  using Fp2 = typename Set::Fp2;

  // `helpers`: two lanes beside the context's stream for sums side by side, or none.
  DeviceProver(Gpu &gpu, const cuzk::Context &host, Context &context, const DeviceKey<Set> &key, EventClock &clock,
               const std::vector<Lane *> &helpers = {})
      : gpu_(gpu), host_(host), context_(context), key_(key), clock_(clock), helpers_(helpers) {}

  // Appends the sums of each request to `results`; returns the bytes uploaded.
  uint64_t sums(const cuzk_proof_request *requests, size_t count, std::vector<ProofSums<Host>> &results) {
    const uint64_t before = uploaded_;
    for (size_t i = 0; i < count; i++) results.push_back(sums(requests[i]));
    return uploaded_ - before;
  }

 private:
  ProofSums<Host> sums(const cuzk_proof_request &request) {
    Arena::Scope scope(context_.arena);
    const size_t variables = key_.shape.variables, rows = key_.rows();
    Fr *values = context_.arena.take<Fr>(variables);
    clock_.measure(CUZK_STAGE_UPLOAD,
                   [&] { uploaded_ += uploadWitness(gpu_, host_, context_, request, variables, values); });
    Fr *a = context_.arena.take<Fr>(3 * rows);
    quotient(values, a);
    context_.arena.shorten(a, rows);
    ProofSums<Host> result;
    const bool sideBySide =
        helpers_.size() == 2 && needs::sideBySideBytes<Host>(key_.shape, key_.levels) <= context_.arena.left();
    if (sideBySide) {
      sumSideBySide(values, a, result);
    } else {
      sumInTurn(values, a, result);
    }
    return result;
  }

  void stopIfCancelled() const {
    if (host_.cancelled != nullptr && host_.cancelled->load()) throw Failure(CUZK_CANCELLED, "the job was cancelled");
  }

  // The H query's scalars to the first third of a.
  void quotient(const Fr *witness, Fr *a) {
    const auto rows = static_cast<uint32_t>(key_.rows());
    Fr *b = a + rows, *c = b + rows;
    clock_.measure(CUZK_STAGE_SPARSE_PRODUCT, [&] {
      key_.matrix(0).multiply(context_, key_.coefficients(), witness, rows, a);
      key_.matrix(1).multiply(context_, key_.coefficients(), witness, rows, b);
      if (key_.matrix(2).isEmpty()) {
        multiplyValues<<<blocks(rows), BLOCK, 0, context_.stream>>>(a, b, rows, c);
        checkLaunch("multiplyValues");
      } else {
        key_.matrix(2).multiply(context_, key_.coefficients(), witness, rows, c);
      }
    });
    clock_.measure(CUZK_STAGE_NTT, [&] {
      key_.shape.quotient == CUZK_QUOTIENT_ODD_COSET ? oddCosetValues(a, b, c) : monomialCoefficients(a, b, c);
    });
    stopIfCancelled();
  }

  void oddCosetValues(Fr *a, Fr *b, Fr *c) {
    const DeviceNtt<Fr> &domain = key_.domain();
    const auto rows = static_cast<uint32_t>(key_.rows());
    domain.toReversed(context_, a, 3, true, &key_.shift());
    domain.toNatural(context_, a, 3, false);
    oddCosetScalars<<<blocks(rows), BLOCK, 0, context_.stream>>>(a, b, c, rows);
    checkLaunch("oddCosetScalars");
  }

  void monomialCoefficients(Fr *a, Fr *b, Fr *c) {
    const DeviceNtt<Fr> &domain = key_.domain();
    const auto rows = static_cast<uint32_t>(key_.rows());
    domain.toReversed(context_, a, 2, true, &key_.shift());
    domain.toReversed(context_, c, 1, true);
    domain.toNatural(context_, a, 2, false);
    multiplyValues<<<blocks(rows), BLOCK, 0, context_.stream>>>(a, b, rows, a);
    checkLaunch("multiplyValues");
    domain.toReversed(context_, a, 1, true, &key_.unshift());
    const Fr generator = Fr::fromLimbs(Set::Constants::COSET_GENERATOR);
    const Fr factor = (generator.power(rows) - Fr::one()).inverse() * Fr::fromInteger(rows).inverse();
    monomialScalars<<<blocks(rows), BLOCK, 0, context_.stream>>>(a, c, factor, rows);
    checkLaunch("monomialScalars");
    domain.reverse(context_, a);
  }

  // One query and what its sums have come to.
  template <class F>
  struct Query {
    cuzk_stage stage;
    PointTable<F> points;
    RowSums<F> sums;
  };
  template <class F>
  Query<F> query(cuzk_stage stage, const PointTable<F> &points, const DigitSorter &sorter) {
    return {stage, points, RowSums<F>(context_, sorter.windows())};
  }

  // The four MSMs over the witness share its digits.
  struct WitnessQueries {
    Query<Fp> a, b1, l;
    Query<Fp2> b2;
  };
  WitnessQueries witnessQueries(const DigitSorter &sorter) {
    return {query(CUZK_STAGE_MSM_A, key_.a(), sorter), query(CUZK_STAGE_MSM_B1, key_.b1(), sorter),
            query(CUZK_STAGE_MSM_L, key_.l(), sorter), query(CUZK_STAGE_MSM_B2, key_.b2(), sorter)};
  }

  void sumInTurn(const Fr *witness, const Fr *quotient, ProofSums<Host> &result) {
    {
      Arena::Scope scope(context_.arena);
      const std::unique_ptr<DigitSorter> sorter = list(witness, key_.shape.variables, key_.levels.witness);
      WitnessQueries queries = witnessQueries(*sorter);
      forEachGroup(*sorter, sorter->windowsAGroup(sizeof(Fp2)), [&](const SortedEntries &sorted, bool) {
        add(context_, sorted, queries.a);
        add(context_, sorted, queries.b1);
        add(context_, sorted, queries.l);
        add(context_, sorted, queries.b2);
      });
      finish(context_, queries.a, result.a);
      finish(context_, queries.b1, result.b1);
      finish(context_, queries.l, result.l);
      finish(context_, queries.b2, result.b2);
    }
    stopIfCancelled();
    sumQuotient(quotient, result);
  }

  // A part of the arena with a stream of its own that starts where the main one stands. At its end both are together
  // again, come what may: the memory has other uses then.
  class Branch {
   public:
    Branch(Context &main, Lane &lane, size_t bytes)
        : arena_(main.arena.take<char>(bytes), bytes),
          main_(main.stream),
          joined_(lane.joint()),
          context{lane.stream, arena_, main.multiprocessors} {
      check(cudaEventRecord(joined_, main_), "recording an event");
      check(cudaStreamWaitEvent(context.stream, joined_, 0), "waiting for a stream");
    }
    ~Branch() {
      if (!isJoined_) (void)cudaStreamSynchronize(context.stream);
    }
    Branch(const Branch &) = delete;
    Branch &operator=(const Branch &) = delete;

    void join() {
      check(cudaEventRecord(joined_, context.stream), "recording an event");
      check(cudaStreamWaitEvent(main_, joined_, 0), "waiting for a stream");
      isJoined_ = true;
    }

   private:
    Arena arena_;
    const cudaStream_t main_;
    const cudaEvent_t joined_;
    bool isJoined_ = false;

   public:
    Context context;
  };

  // A, B1 and L on one stream, B2 on another, and H meanwhile on the main one: each of them has ends that leave most of
  // a GPU idle.
  void sumSideBySide(const Fr *witness, const Fr *quotient, ProofSums<Host> &result) {
    Arena::Scope scope(context_.arena);
    const std::unique_ptr<DigitSorter> sorter = list(witness, key_.shape.variables, key_.levels.witness);
    WitnessQueries queries = witnessQueries(*sorter);
    const auto bytes = [](size_t field) {
      return [field](size_t entries, size_t buckets, size_t rows) {
        return Arena::rounded(plan::summationBytes(entries, buckets, rows, field));
      };
    };
    const uint64_t beside =
        plan::msmBytes(key_.shape.counts[CUZK_QUERY_H], Set::SCALAR_BITS, sizeof(Fp), key_.levels.quotient);
    const unsigned group = sorter->windowsAGroup([&](size_t entries, size_t buckets, size_t rows) {
      return bytes(sizeof(Fp))(entries, buckets, rows) + bytes(sizeof(Fp2))(entries, buckets, rows) + beside;
    });
    forEachGroup(*sorter, group, [&](const SortedEntries &sorted, bool isLast) {
      Branch first(context_, *helpers_[0], bytes(sizeof(Fp))(sorted.entries, sorted.buckets, sorted.rows));
      Branch second(context_, *helpers_[1], bytes(sizeof(Fp2))(sorted.entries, sorted.buckets, sorted.rows));
      add(first.context, sorted, queries.a);
      add(second.context, sorted, queries.b2);
      add(first.context, sorted, queries.b1);
      add(first.context, sorted, queries.l);
      if (isLast) sumQuotient(quotient, result);
      first.join();
      second.join();
    });
    finish(context_, queries.a, result.a);
    finish(context_, queries.b1, result.b1);
    finish(context_, queries.l, result.l);
    finish(context_, queries.b2, result.b2);
  }

  void sumQuotient(const Fr *quotient, ProofSums<Host> &result) {
    Arena::Scope scope(context_.arena);
    const std::unique_ptr<DigitSorter> sorter = list(quotient, key_.shape.counts[CUZK_QUERY_H], key_.levels.quotient);
    Query<Fp> h = query(CUZK_STAGE_MSM_H, key_.h(), *sorter);
    forEachGroup(*sorter, sorter->windowsAGroup(sizeof(Fp)),
                 [&](const SortedEntries &sorted, bool) { add(context_, sorted, h); });
    finish(context_, h, result.h);
  }

  std::unique_ptr<DigitSorter> list(const Fr *scalars, uint64_t count, const Levels &levels) {
    std::unique_ptr<DigitSorter> sorter;
    clock_.measure(CUZK_STAGE_DIGITS, [&] {
      sorter = std::make_unique<DigitSorter>(context_, scalars[0].limb, static_cast<uint32_t>(count), Set::SCALAR_BITS,
                                             levels);
    });
    return sorter;
  }
  // body(entries, whether they are the last)
  template <class Body>
  void forEachGroup(DigitSorter &sorter, unsigned group, const Body &body) {
    const unsigned windows = sorter.windows().count;
    for (unsigned first = 0; first < windows; first += group) {
      Arena::Scope inner(context_.arena);
      SortedEntries sorted{};
      clock_.measure(CUZK_STAGE_DIGITS, [&] { sorted = sorter.sort(first, std::min(group, windows - first)); });
      body(sorted, first + group >= windows);
    }
  }

  template <class F>
  void add(Context &context, const SortedEntries &sorted, Query<F> &query) {
    stopIfCancelled();
    clock_.measure(query.stage, context.stream,
                   [&] { BucketSummation<F>::run(context, sorted, query.points, query.sums); });
  }
  template <class F, class HostSum>
  static void finish(Context &context, const Query<F> &query, HostSum &result) {
    const Xyzz<F> sum = query.sums.total(context);
    static_assert(sizeof sum == sizeof result, "the same bytes");
    std::memcpy(static_cast<void *>(&result), &sum, sizeof sum);
  }

  Gpu &gpu_;
  const cuzk::Context &host_;
  Context &context_;
  const DeviceKey<Set> &key_;
  EventClock &clock_;
  const std::vector<Lane *> helpers_;
  uint64_t uploaded_ = 0;
};

}  // namespace cuzk::gpu
