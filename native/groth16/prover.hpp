// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

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
    Array<Fr> h = quotient(witness);
    ProofSums<Curve> sums;
    sumWitness(witness, sums);
    clock_.measure(CUZK_STAGE_MSM_H,
                   [&] { sums.h = msm<Fr>(context_, key_.h(), h[0].limb, key_.shape.counts[CUZK_QUERY_H]); });
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
    domain.interpolate(context_, vectors, 3);
    Fr shift = Domain<Curve>::rootOfUnity(domain.log() + 1, RootOfUnity::ODD_COSET);
    domain.scaleReversed(context_, vectors, 3, shift, domain.inverseOfSize());
    domain.evaluate(context_, vectors, 3);
    context_.forRange(domain.size(), GRAIN, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; i++) (a[i] * b[i] - c[i]).toCanonical(a[i].limb);
    });
  }

  // Coefficients of h = (a b - c) / (X^n - 1), with six transforms. Let a b = low + high X^n. Because
  // a b - c = h (X^n - 1) and deg h < n, high = h and low - c = -h. On the coset of shift g the product's values give
  // q = a b mod (X^n - g^n) = low + g^n high = c + (g^n - 1) h.
  void monomialCoefficients(Fr *a, Fr *b, Fr *c) {
    const Domain<Curve> &domain = key_.domain();
    Fr *factors[2] = {a, b}, *vectors[3] = {a, b, c};
    Fr generator = Fr::fromLimbs(Curve::Constants::COSET_GENERATOR);
    domain.interpolate(context_, vectors, 3);
    domain.scaleReversed(context_, factors, 2, generator, domain.inverseOfSize());
    domain.evaluate(context_, factors, 2);
    context_.forRange(domain.size(), GRAIN, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; i++) a[i] = a[i] * b[i];
    });
    domain.interpolate(context_, factors, 1);
    domain.scaleReversed(context_, factors, 1, generator.inverse(), Fr::one());
    Fr factor = (generator.power(domain.size()) - Fr::one()).inverse() * domain.inverseOfSize();
    context_.forRange(domain.size(), GRAIN, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; i++) ((a[i] - c[i]) * factor).toCanonical(a[i].limb);
    });
    domain.permuteReversed(context_, a);
  }

  // The four MSMs over the witness share its digits.
  void sumWitness(const uint64_t *witness, ProofSums<Curve> &result) {
    size_t count = key_.shape.variables;
    Windows windows = Windows::choose(count, Digits<Fr>::SCALAR_BITS);
    unsigned group = Digits<Fr>::groupSize(count, windows);
    BucketSums<Fp> sumsG1(context_, windows, group, uint64_t{count} * group);
    BucketSums<Fp2> sumsG2(context_, windows, group, uint64_t{count} * group);
    std::unique_ptr<Digits<Fr>> digits;
    clock_.measure(CUZK_STAGE_DIGITS, [&] { digits.reset(new Digits<Fr>(context_, witness, count, windows)); });
    for (unsigned end = windows.windows; end > 0;) {
      unsigned size = std::min(end, group);
      end -= size;
      clock_.measure(CUZK_STAGE_DIGITS, [&] { digits->sort(end, size); });
      addGroup(CUZK_STAGE_MSM_A, sumsG1, *digits, size, key_.a(), result.a);
      addGroup(CUZK_STAGE_MSM_B1, sumsG1, *digits, size, key_.b1(), result.b1);
      addGroup(CUZK_STAGE_MSM_L, sumsG1, *digits, size, key_.l(), result.l);
      addGroup(CUZK_STAGE_MSM_B2, sumsG2, *digits, size, key_.b2(), result.b2);
    }
  }

  template <class F>
  void addGroup(cuzk_stage stage, BucketSums<F> &sums, const Digits<Fr> &digits, unsigned size,
                const PointSource<F> &source, Xyzz<F> &result) {
    clock_.measure(stage, [&] {
      for (unsigned i = 0; i < digits.windows().bits * size; i++) result.twice();
      result.add(sums.sum(digits, size, source));
    });
  }

  static constexpr size_t GRAIN = 1 << 11;

  const Context &context_;
  const Key &key_;
  StageClock &clock_;
};

}  // namespace cuzk
