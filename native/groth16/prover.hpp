// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "groth16/combination.hpp"
#include "groth16/proving_key.hpp"
#include "groth16/stage_clock.hpp"

namespace cuzk {

// Groth16 (Groth 2016, section 3.2).
template <class Curve>
class Prover {
 public:
  using Fr = typename Curve::Fr;
  using Fp = typename Curve::Fp;
  using Fp2 = typename Curve::Fp2;
  using Key = ProvingKey<Curve>;

  Prover(const Context &context, const Key &key, StageClock &clock) : context_(context), key_(key), clock_(clock) {}

  ProofPoints<Curve> prove(const uint64_t *witness, const Blinding &blinding) {
    checkWitness(witness);
    ProofSums<Curve> sums;
    sum(witness, sums);
    ProofPoints<Curve> proof;
    clock_.measure(CUZK_STAGE_FINISH, [&] { proof = combine(key_.singles, sums, blinding); });
    return proof;
  }

 private:
  void checkWitness(const uint64_t *witness) const {
    if (witness[0] != 1 || (witness[1] | witness[2] | witness[3]) != 0) {
      throw Failure(CUZK_INVALID_SCALAR, "the witness does not begin with the constant 1", 0);
    }
    checkScalars<Fr>(context_, witness, key_.shape.variables);
  }

  // The scalars of the H query, canonical.
  Array<Fr> quotient(const uint64_t *witness) {
    size_t rows = key_.domain().size();
    Array<Fr> a(context_.memory, rows, Content::SECRET), b(context_.memory, rows, Content::SECRET),
        c(context_.memory, rows, Content::SECRET);
    clock_.measure(CUZK_STAGE_SPARSE_PRODUCT, [&] { products(witness, a.data(), b.data(), c.data()); });
    clock_.measure(CUZK_STAGE_NTT, [&] {
      if (key_.shape.quotient == CUZK_QUOTIENT_ODD_COSET) {
        oddCosetValues(a.data(), b.data(), c.data());
      } else {
        monomialCoefficients(a.data(), b.data(), c.data());
      }
      context_.wipeTogether(b, c);
    });
    return a;
  }

  // a = A w, b = B w, c = C w, row by row.
  void products(const uint64_t *witness, Fr *a, Fr *b, Fr *c) {
    size_t rows = key_.domain().size();
    // The same bytes: Fr is four words, and a canonical value serves as a factor of a Montgomery product.
    const Fr *values = reinterpret_cast<const Fr *>(witness);
    key_.matrix(0).multiply(context_, key_.coefficients(), values, rows, a);
    key_.matrix(1).multiply(context_, key_.coefficients(), values, rows, b);
    if (!key_.matrix(2).isEmpty()) {
      key_.matrix(2).multiply(context_, key_.coefficients(), values, rows, c);
      return;
    }
    context_.forRange(rows, GRAIN, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; i++) c[i] = a[i] * b[i];
    });
  }

  // a b - c at the odd powers of the root of unity of order 2n.
  void oddCosetValues(Fr *a, Fr *b, Fr *c) {
    const Domain<Curve> &domain = key_.domain();
    Fr *vectors[3] = {a, b, c};
    domain.moveToCoset(context_, vectors, 3, Domain<Curve>::rootOfUnity(domain.log() + 1, RootOfUnity::ODD_COSET));
    context_.forRange(domain.size(), GRAIN, [&](size_t begin, size_t end) {
      if constexpr (VectorOf<typename Curve::Arithmetic>::PRESENT) {
        if (domain.usesLanes()) {
          using Lanes = typename Domain<Curve>::Lanes;
          const Fr minusOne = -Fr::one();
          const uint64_t plain[4] = {uint64_t{1} << 2 * Lanes::RATIO_BITS};
          Lanes::multiplyAdd(a[begin].limb, b[begin].limb, c[begin].limb, minusOne.limb, plain, end - begin);
          return;
        }
      }
      for (size_t i = begin; i < end; i++) (a[i] * b[i] - c[i]).toCanonical(a[i].limb);
    });
  }

  // Coefficients of h = (a b - c) / (X^n - 1), with six transforms. Let a b = low + high X^n. Because
  // a b - c = h (X^n - 1) and deg h < n, high = h and low - c = -h. On the coset of shift g the product's values give
  // q = a b mod (X^n - g^n) = low + g^n high = c + (g^n - 1) h.
  void monomialCoefficients(Fr *a, Fr *b, Fr *c) {
    const Domain<Curve> &domain = key_.domain();
    Fr *factors[2] = {a, b};
    Fr generator = Fr::fromLimbs(Curve::Constants::COSET_GENERATOR);
    domain.interpolate(context_, &c, 1);
    domain.moveToCoset(context_, factors, 2, generator);
    context_.forRange(domain.size(), GRAIN, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; i++) a[i] = a[i] * b[i];
    });
    // Times n, as interpolate has left c.
    domain.interpolateScaled(context_, &a, 1, generator.inverse(), Fr::fromInteger(domain.size()));
    Fr factor = (generator.power(domain.size()) - Fr::one()).inverse() * domain.inverseOfSize();
    context_.forRange(domain.size(), GRAIN, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; i++) ((a[i] - c[i]) * factor).toCanonical(a[i].limb);
    });
    domain.permuteReversed(context_, a);
  }

  // The four sums over the witness share its digits; all five run as one pool of tasks.
  void sum(const uint64_t *witness, ProofSums<Curve> &result) {
    using Shared = SharedDigits<Fr>;
    const uint64_t count = key_.shape.variables, rows = key_.shape.counts[CUZK_QUERY_H];
    std::unique_ptr<Shared> ofWitness, ofQuotient;
    {
      Array<Fr> h = quotient(witness);
      clock_.measure(CUZK_STAGE_DIGITS, [&] {
        ofQuotient.reset(new Shared(context_, h[0].limb, rows, key_.tables));
        context_.wipeTogether(h);
      });
    }
    clock_.measure(CUZK_STAGE_DIGITS, [&] { ofWitness.reset(new Shared(context_, witness, count, key_.tables)); });
    auto b2 = Shared::template sumOver<Fp2>(context_, key_.b2(), count, key_.tables);
    auto a = Shared::template sumOver<Fp>(context_, key_.a(), count, key_.tables);
    auto b1 = Shared::template sumOver<Fp>(context_, key_.b1(), count, key_.tables);
    auto l = Shared::template sumOver<Fp>(context_, key_.l(), count, key_.tables);
    auto h = Shared::template sumOver<Fp>(context_, key_.h(), rows, key_.tables);
    SumScheduler scheduler(context_, needs::scratchBytes<Curve>(count, rows, key_.tables));
    while (ofWitness->sorted() != 0 || ofQuotient->sorted() != 0) {
      std::vector<SumTasks *> sums;
      std::vector<cuzk_stage> stages;
      auto add = [&](auto &sum, const Shared &shared, cuzk_stage stage) {
        if (shared.sorted() == 0) return;
        sum.begin(shared.digits(), shared.sorted());
        sums.push_back(&sum);
        stages.push_back(stage);
      };
      add(b2, *ofWitness, CUZK_STAGE_MSM_B2);
      add(a, *ofWitness, CUZK_STAGE_MSM_A);
      add(b1, *ofWitness, CUZK_STAGE_MSM_B1);
      add(l, *ofWitness, CUZK_STAGE_MSM_L);
      add(h, *ofQuotient, CUZK_STAGE_MSM_H);
      runTogether(scheduler, sums, stages);
      clock_.measure(CUZK_STAGE_DIGITS, [&] {
        ofWitness->sortNext();
        ofQuotient->sortNext();
      });
    }
    result.a = a.result(), result.b1 = b1.result(), result.b2 = b2.result();
    result.l = l.result(), result.h = h.result();
    ofWitness->wipe(), ofQuotient->wipe();
    b2.wipe(context_), a.wipe(context_), b1.wipe(context_), l.wipe(context_), h.wipe(context_);
    scheduler.wipe();
  }

  // Each sum's stage gets the part of the elapsed time that its tasks had in the time of all tasks.
  void runTogether(SumScheduler &scheduler, const std::vector<SumTasks *> &sums,
                   const std::vector<cuzk_stage> &stages) {
    double start = clock_.elapsed();
    for (SumTasks *sum : sums) sum->nanoseconds = 0;
    scheduler.run(sums);
    double elapsed = clock_.elapsed() - start;
    uint64_t total = 0;
    for (const SumTasks *sum : sums) total += sum->nanoseconds.load();
    for (size_t i = 0; i < sums.size(); i++) {
      double part =
          static_cast<double>(sums[i]->nanoseconds.load()) / static_cast<double>(std::max<uint64_t>(total, 1));
      clock_.add(stages[i], start, elapsed * part);
    }
  }

  static constexpr size_t GRAIN = 1 << 11;

  const Context &context_;
  const Key &key_;
  StageClock &clock_;
};

}  // namespace cuzk
