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

  DeviceProver(Gpu &gpu, const cuzk::Context &host, Context &context, const DeviceKey<Set> &key, EventClock &clock)
      : gpu_(gpu), host_(host), context_(context), key_(key), clock_(clock) {}

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
    sumWitness(values, result);
    stopIfCancelled();
    clock_.measure(CUZK_STAGE_MSM_H, [&] {
      const auto count = static_cast<uint32_t>(key_.shape.counts[CUZK_QUERY_H]);
      const Xyzz<Fp> sum = msm(context_, key_.h(), a[0].limb, count, Set::SCALAR_BITS);
      std::memcpy(static_cast<void *>(&result.h), &sum, sizeof sum);
    });
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

  // The window sums of one query, as they come.
  template <class F>
  struct Query {
    cuzk_stage stage;
    PointTable<F> points;
    std::vector<Xyzz<F>> sums = {};
    Xyzz<F> ones = Xyzz<F>::infinity();
  };

  // The four MSMs over the witness share its digits.
  void sumWitness(const Fr *witness, ProofSums<Host> &result) {
    Arena::Scope scope(context_.arena);
    Query<Fp> a{CUZK_STAGE_MSM_A, key_.a()}, b1{CUZK_STAGE_MSM_B1, key_.b1()}, l{CUZK_STAGE_MSM_L, key_.l()};
    Query<Fp2> b2{CUZK_STAGE_MSM_B2, key_.b2()};
    std::unique_ptr<DigitSorter> sorter;
    clock_.measure(CUZK_STAGE_DIGITS, [&] {
      sorter = std::make_unique<DigitSorter>(context_, witness[0].limb, static_cast<uint32_t>(key_.shape.variables),
                                             Set::SCALAR_BITS);
    });
    const unsigned windows = sorter->windows().count, group = sorter->windowsAGroup(sizeof(Fp2));
    for (unsigned first = 0; first < windows; first += group) {
      Arena::Scope inner(context_.arena);
      SortedEntries sorted{};
      clock_.measure(CUZK_STAGE_DIGITS, [&] { sorted = sorter->sort(first, std::min(group, windows - first)); });
      add(sorted, sorter->windows(), a);
      add(sorted, sorter->windows(), b1);
      add(sorted, sorter->windows(), l);
      add(sorted, sorter->windows(), b2);
    }
    const unsigned bits = sorter->windows().bits;
    finish(a, bits, result.a);
    finish(b1, bits, result.b1);
    finish(l, bits, result.l);
    finish(b2, bits, result.b2);
  }

  template <class F>
  void add(const SortedEntries &sorted, const Windows &windows, Query<F> &query) {
    stopIfCancelled();
    clock_.measure(query.stage,
                   [&] { BucketSummation<F>::run(context_, sorted, query.points, windows, query.sums, query.ones); });
  }
  template <class F, class HostSum>
  static void finish(const Query<F> &query, unsigned bits, HostSum &result) {
    const Xyzz<F> sum = combineWindows(query.sums, query.ones, bits);
    static_assert(sizeof sum == sizeof result, "the same bytes");
    std::memcpy(static_cast<void *>(&result), &sum, sizeof sum);
  }

  Gpu &gpu_;
  const cuzk::Context &host_;
  Context &context_;
  const DeviceKey<Set> &key_;
  EventClock &clock_;
  uint64_t uploaded_ = 0;
};

}  // namespace cuzk::gpu
