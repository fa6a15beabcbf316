// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groth16/chunk_points.cuh"
#include "groth16/device_quotient.cuh"
#include "groth16/device_witness.cuh"

namespace cuzk::gpu {

// Proofs where device memory does not hold everything at once: sums go over chunks of points, which for a streamed key
// come from the host while the chunk before is summed; several proofs share one pass over them.
template <class Set>
class ChunkedProver {
 public:
  using Host = typename Set::Host;
  using Fr = typename Set::Fr;
  using Fp = typename Set::Fp;
  using Fp2 = typename Set::Fp2;

  ChunkedProver(Gpu &gpu, const cuzk::Context &host, Context &context, const DeviceKey<Set> &key, EventClock &clock)
      : gpu_(gpu), host_(host), context_(context), key_(key), clock_(clock) {}

  // Appends the sums of each request to `results`; returns the bytes uploaded for witnesses.
  uint64_t sums(const cuzk_proof_request *requests, size_t count, std::vector<ProofSums<Host>> &results) {
    Arena::Scope scope(context_.arena);
    const size_t variables = key_.shape.variables, rows = key_.rows();
    std::vector<Fr *> witnesses, quotients;
    for (size_t i = 0; i < count; i++) {
      witnesses.push_back(context_.arena.template take<Fr>(variables));
      quotients.push_back(context_.arena.template take<Fr>(rows));
    }
    if (key_.isStreamed()) key_.badPoint().reset(context_.stream);
    uint64_t uploaded = 0;
    for (size_t i = 0; i < count; i++) {
      clock_.measure(CUZK_STAGE_UPLOAD,
                     [&] { uploaded += uploadWitness(gpu_, host_, context_, requests[i], variables, witnesses[i]); });
      DeviceQuotient<Set>(gpu_, host_, context_, key_, clock_).compute(witnesses[i], quotients[i]);
    }
    std::vector<Totals> totals(count);
    sumWitnesses(witnesses, totals);
    sumQuotients(quotients, totals);
    if (key_.isStreamed()) requireGood(context_.stream, key_.badPoint());
    for (const Totals &total : totals) results.push_back(total.result());
    return uploaded;
  }

 private:
  struct Totals {
    Xyzz<Fp> a = Xyzz<Fp>::infinity(), b1 = a, l = a, h = a;
    Xyzz<Fp2> b2 = Xyzz<Fp2>::infinity();

    ProofSums<Host> result() const {
      ProofSums<Host> sums;
      copy(sums.a, a);
      copy(sums.b1, b1);
      copy(sums.l, l);
      copy(sums.h, h);
      copy(sums.b2, b2);
      return sums;
    }

   private:
    template <class To, class From>
    static void copy(To &to, const From &from) {
      static_assert(sizeof to == sizeof from, "the same bytes");
      std::memcpy(static_cast<void *>(&to), &from, sizeof from);
    }
  };

  void stopIfCancelled() const {
    if (host_.cancelled != nullptr && host_.cancelled->load()) throw Failure(CUZK_CANCELLED, "the job was cancelled");
  }

  // The four sums over a chunk of the witness share its digits.
  void sumWitnesses(const std::vector<Fr *> &witnesses, std::vector<Totals> &totals) {
    Arena::Scope scope(context_.arena);
    WitnessChunks<Set> chunks(gpu_, host_, context_, key_);
    for (size_t chunk = 0; chunk < chunks.count(); chunk++) {
      const auto points = chunks.next(chunk);
      for (size_t i = 0; i < witnesses.size(); i++) {
        Totals &total = totals[i];
        forEachGroup(witnesses[i] + points.first, points.count, sizeof(Fp2),
                     [&](const SortedEntries &sorted, const Windows &windows) {
                       add(CUZK_STAGE_MSM_A, sorted, windows, points.a, total.a);
                       add(CUZK_STAGE_MSM_B1, sorted, windows, points.b1, total.b1);
                       add(CUZK_STAGE_MSM_L, sorted, windows, points.l, total.l);
                       add(CUZK_STAGE_MSM_B2, sorted, windows, points.b2, total.b2);
                     });
      }
    }
  }

  void sumQuotients(const std::vector<Fr *> &quotients, std::vector<Totals> &totals) {
    Arena::Scope scope(context_.arena);
    QuotientChunks<Set> chunks(gpu_, host_, context_, key_);
    for (size_t chunk = 0; chunk < chunks.count(); chunk++) {
      const auto points = chunks.next(chunk);
      for (size_t i = 0; i < quotients.size(); i++) {
        forEachGroup(quotients[i] + points.first, points.count, sizeof(Fp),
                     [&](const SortedEntries &sorted, const Windows &windows) {
                       add(CUZK_STAGE_MSM_H, sorted, windows, points.h, totals[i].h);
                     });
      }
    }
  }

  // body(entries, windows) for every group of windows that memory allows.
  template <class Body>
  void forEachGroup(const Fr *scalars, uint32_t count, size_t field, const Body &body) {
    if (count == 0) return;
    Arena::Scope scope(context_.arena);
    std::unique_ptr<DigitSorter> sorter;
    clock_.measure(CUZK_STAGE_DIGITS,
                   [&] { sorter = std::make_unique<DigitSorter>(context_, scalars[0].limb, count, Set::SCALAR_BITS); });
    const unsigned windows = sorter->windows().count, group = sorter->windowsAGroup(field);
    for (unsigned first = 0; first < windows; first += group) {
      Arena::Scope inner(context_.arena);
      SortedEntries sorted{};
      clock_.measure(CUZK_STAGE_DIGITS, [&] { sorted = sorter->sort(first, std::min(group, windows - first)); });
      body(sorted, sorter->windows());
    }
  }

  template <class F>
  void add(cuzk_stage stage, const SortedEntries &sorted, const Windows &windows, const PointTable<F> &points,
           Xyzz<F> &total) {
    stopIfCancelled();
    Arena::Scope scope(context_.arena);
    RowSums<F> sums(context_, windows);
    clock_.measure(stage, [&] { BucketSummation<F>::run(context_, sorted, points, sums); });
    total.add(sums.total(context_));
  }

  Gpu &gpu_;
  const cuzk::Context &host_;
  Context &context_;
  const DeviceKey<Set> &key_;
  EventClock &clock_;
};

}  // namespace cuzk::gpu
