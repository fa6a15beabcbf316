// SPDX-License-Identifier: Apache-2.0
#include "ntt/ntt.hpp"

#include "test/support.hpp"

namespace cuzk {
namespace test {
namespace {

template <class Curve>
typename Curve::Fr rootOfOrder(unsigned log, cuzk_quotient quotient) {
  using Fr = typename Curve::Fr;
  // Straight from the header's words: generator^((r-1)/2^log).
  uint64_t exponent[4];
  for (int i = 0; i < 4; i++) exponent[i] = Fr::Parameters::MODULUS[i];
  exponent[0] -= 1;
  for (unsigned shift = 0; shift < log; shift++) {
    for (int i = 0; i < 4; i++) exponent[i] = exponent[i] >> 1 | (i < 3 ? exponent[i + 1] << 63 : 0);
  }
  // Both curves' smallest non-residue is 5.
  return Fr::fromInteger(quotient == CUZK_QUOTIENT_ODD_COSET ? 5 : 7).power(exponent, 4);
}

template <class Fr>
std::vector<Fr> naive(const std::vector<Fr> &coefficients, const Fr &root, const Fr &shift) {
  std::vector<Fr> values;
  Fr x = shift;
  for (size_t k = 0; k < coefficients.size(); k++) {
    Fr value = Fr::zero();
    for (size_t j = coefficients.size(); j-- > 0;) value = value * x + coefficients[j];
    values.push_back(value);
    x = x * root;
  }
  return values;
}

template <class C, cuzk_curve CURVE>
struct ScalarField {
  using Curve = C;
  static constexpr cuzk_curve curve = CURVE;
};
using Bn254Scalars = ScalarField<Bn254<Portable>, CUZK_BN254>;
using Bls12381Scalars = ScalarField<Bls12381<Portable>, CUZK_BLS12_381>;

TEST_CASE_TEMPLATE("transforms agree with the naive sum", S, Bn254Scalars, Bls12381Scalars) {
  using Fr = typename S::Curve::Fr;
  Random random(3);
  for (const char *arithmetic : arithmetics()) {
    Device device(arithmetic);
    for (cuzk_quotient quotient : {CUZK_QUOTIENT_ODD_COSET, CUZK_QUOTIENT_MONOMIAL}) {
      for (unsigned log = 0; log <= 8; log++) {
        std::vector<Fr> coefficients;
        for (size_t i = 0; i < size_t{1} << log; i++) coefficients.push_back(randomScalar<Fr>(random));
        Fr root = rootOfOrder<typename S::Curve>(log, quotient);
        for (bool shifted : {false, true}) {
          Fr shift = shifted ? randomScalar<Fr>(random) : Fr::one();
          auto shiftWords = canonicalWords(std::vector<Fr>{shift});
          const void *g = shifted ? shiftWords.data() : nullptr;
          auto words = canonicalWords(coefficients);
          REQUIRE(cuzk_ntt(device, S::curve, quotient, 0, log, g, words.data(), nullptr, nullptr) == CUZK_OK);
          CHECK(words == canonicalWords(naive(coefficients, root, shift)));
          REQUIRE(cuzk_ntt(device, S::curve, quotient, 1, log, g, words.data(), nullptr, nullptr) == CUZK_OK);
          CHECK(words == canonicalWords(coefficients));
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("long transforms: single values and the way back", S, Bn254Scalars, Bls12381Scalars) {
  using Fr = typename S::Curve::Fr;
  Random random(5);
  for (unsigned log : {12u, 13u, 14u, 15u}) {
    Device device("auto", 3);
    std::vector<Fr> coefficients;
    for (size_t i = 0; i < size_t{1} << log; i++) coefficients.push_back(randomScalar<Fr>(random));
    auto original = canonicalWords(coefficients), words = original;
    REQUIRE(cuzk_ntt(device, S::curve, CUZK_QUOTIENT_ODD_COSET, 0, log, nullptr, words.data(), nullptr, nullptr) ==
            CUZK_OK);
    Fr root = rootOfOrder<typename S::Curve>(log, CUZK_QUOTIENT_ODD_COSET);
    for (uint64_t k : {uint64_t{0}, uint64_t{1}, uint64_t{1} << (log - 1), (uint64_t{1} << log) - 3}) {
      Fr x = root.power(k), value = Fr::zero();
      for (size_t j = coefficients.size(); j-- > 0;) value = value * x + coefficients[j];
      auto expected = canonicalWords(std::vector<Fr>{value});
      CHECK(std::memcmp(&words[4 * k], expected.data(), 32) == 0);
    }
    REQUIRE(cuzk_ntt(device, S::curve, CUZK_QUOTIENT_ODD_COSET, 1, log, nullptr, words.data(), nullptr, nullptr) ==
            CUZK_OK);
    CHECK(words == original);
  }
}

// Behind the C interface of the CPU library.
#if !defined(CUZK_TEST_CUDA)
template <class Curve, class Reference>
void checkLanes(unsigned log) {
  using Fr = typename Curve::Fr;
  using Expected = typename Reference::Fr;
  Random random(log);
  ThreadPool pool(2);
  MemoryAccount memory;
  Context context{pool, memory};
  Domain<Curve> domain(context, log, RootOfUnity::MONOMIAL);
  Domain<Reference> reference(context, log, RootOfUnity::MONOMIAL);
  uint64_t last[4];
  for (unsigned i = 0; i < 4; i++) last[i] = Expected::Parameters::MODULUS[i];
  last[0]--;
  const Expected largest = Expected::fromLimbs(last);
  std::vector<Fr> values[2];
  std::vector<Expected> expected[2];
  for (size_t v = 0; v < 2; v++) {
    for (size_t i = 0; i < domain.size(); i++) {
      // The largest values now and then.
      Expected x = random() % 4 == 0 ? largest : randomScalar<Expected>(random);
      expected[v].push_back(x);
      values[v].push_back(Fr::fromLimbs(x.limb));
    }
  }
  Fr *vectors[2] = {values[0].data(), values[1].data()};
  Expected *references[2] = {expected[0].data(), expected[1].data()};
  const Expected shift = randomScalar<Expected>(random), factor = randomScalar<Expected>(random);
  const Fr laneShift = Fr::fromLimbs(shift.limb), laneFactor = Fr::fromLimbs(factor.limb);
  auto compare = [&] {
    for (size_t v = 0; v < 2; v++) {
      REQUIRE(std::memcmp(static_cast<const void *>(values[v].data()), static_cast<const void *>(expected[v].data()),
                          32 * domain.size()) == 0);
    }
  };
  domain.interpolate(context, vectors, 2);
  reference.interpolate(context, references, 2);
  compare();
  domain.evaluate(context, vectors, 2);
  reference.evaluate(context, references, 2);
  compare();
  domain.moveToCoset(context, vectors, 2, laneShift);
  reference.moveToCoset(context, references, 2, shift);
  compare();
  domain.interpolateScaled(context, vectors, 2, laneShift, laneFactor);
  reference.interpolateScaled(context, references, 2, shift, factor);
  compare();
  if (!domain.usesLanes()) return;
  using Lanes = typename Domain<Curve>::Lanes;
  for (size_t i = 0; i < domain.size(); i++) expected[0][i] = expected[0][i] * shift - expected[1][i] * expected[0][i];
  std::vector<Fr> shifts(domain.size());
  const uint64_t plain[4] = {uint64_t{1} << 2 * Lanes::RATIO_BITS};
  Fr w = Fr::fromInteger(plain[0]);
  for (size_t i = 0; i < domain.size(); i += 8) {
    for (size_t k = 0; k < 8; k++) shifts[i + k] = laneShift - values[1][i + k];
    Lanes::multiplyAdd(values[0][i].limb, shifts[i].limb, values[1][i].limb, Fr::zero().limb, w.limb, 8);
  }
  CHECK(std::memcmp(static_cast<const void *>(values[0].data()), static_cast<const void *>(expected[0].data()),
                    32 * domain.size()) == 0);
}

TEST_CASE("transforms in emulated lanes agree with those without") {
  for (unsigned log : {3u, 5u, 6u, 7u, 8u, 9u, 12u, 13u}) {
    CAPTURE(log);
    checkLanes<Bn254<EmulatedIfma>, Bn254<Portable>>(log);
    checkLanes<Bls12381<EmulatedIfma>, Bls12381<Portable>>(log);
  }
}
#endif

}  // namespace
}  // namespace test
}  // namespace cuzk
