// SPDX-License-Identifier: Apache-2.0
#include "test/circuit.hpp"

namespace cuzk {
namespace test {
namespace {

template <class C, cuzk_curve CURVE>
struct Named {
  using Curve = C;
  static constexpr cuzk_curve curve = CURVE;
};
using OnBn254 = Named<Bn254<Portable>, CUZK_BN254>;
using OnBls12381 = Named<Bls12381<Portable>, CUZK_BLS12_381>;

template <class Fr>
cuzk_proof_request request(const std::vector<uint64_t> &witness, const Fr &r, const Fr &s) {
  cuzk_proof_request result = {};
  uint64_t words[4];
  result.witness = witness.data();
  r.toCanonical(words);
  std::memcpy(result.r, words, 32);
  s.toCanonical(words);
  std::memcpy(result.s, words, 32);
  return result;
}

template <class Curve>
void checkProof(const TrapdoorKey<Curve> &key, const typename Curve::Fr &r, const typename Curve::Fr &s,
                const cuzk_proof &proof) {
  typename Curve::Fr a, b, c;
  key.expected(r, s, a, b, c);
  auto expectedA = canonicalBytes(multiple(Curve::generatorG1(), a));
  auto expectedB = canonicalBytes(multiple(Curve::generatorG2(), b));
  auto expectedC = canonicalBytes(multiple(Curve::generatorG1(), c));
  CHECK(std::memcmp(proof.a, expectedA.data(), expectedA.size()) == 0);
  CHECK(std::memcmp(proof.b, expectedB.data(), expectedB.size()) == 0);
  CHECK(std::memcmp(proof.c, expectedC.data(), expectedC.size()) == 0);
}

template <class Curve>
void proveAndCheck(cuzk_device *device, cuzk_key *handle, TrapdoorKey<Curve> &key) {
  using Fr = typename Curve::Fr;
  auto witness = canonicalWords(key.witness);
  Fr scalars[3][2] = {
      {Fr::zero(), Fr::zero()}, {randomScalar<Fr>(key.random), randomScalar<Fr>(key.random)}, {-Fr::one(), Fr::one()}};
  std::vector<cuzk_proof_request> requests;
  for (auto &pair : scalars) requests.push_back(request(witness, pair[0], pair[1]));
  std::vector<cuzk_proof> proofs(requests.size());
  cuzk_job *job;
  cuzk_timings timings;
  cuzk_error error;
  REQUIRE(cuzk_proofs_submit(device, handle, requests.data(), 3, &job, &error) == CUZK_OK);
  cuzk_status status = cuzk_proofs_wait(job, proofs.data(), &timings, &error);
  cuzk_job_destroy(job);
  REQUIRE_MESSAGE(status == CUZK_OK, error.text);
  for (size_t i = 0; i < proofs.size(); i++) checkProof(key, scalars[i][0], scalars[i][1], proofs[i]);
  CHECK(timings.total_ms > 0);
  CHECK(timings.ms[CUZK_STAGE_MSM_B2] > 0);
  CHECK(timings.start_ms[CUZK_STAGE_FINISH] <= timings.total_ms);
}

TEST_CASE_TEMPLATE("proofs satisfy the verification equation in the exponent", N, OnBn254, OnBls12381) {
  for (const char *arithmetic : arithmetics()) {
    Device device(arithmetic);
    for (cuzk_quotient quotient : {CUZK_QUOTIENT_ODD_COSET, CUZK_QUOTIENT_MONOMIAL}) {
      for (unsigned log : {1u, 3u, 5u}) {
        CAPTURE(quotient);
        CAPTURE(log);
        TrapdoorKey<typename N::Curve> key(N::curve, quotient, log, 9, log == 3 ? 0 : 2, 21 + log);
        LoadedKey<typename N::Curve> loaded(device, key,
                                            log == 3 ? CUZK_SCALARS_CANONICAL_LE : CUZK_SCALARS_MONTGOMERY_SQUARED_LE);
        proveAndCheck(device, loaded, key);
      }
    }
  }
}

TEST_CASE_TEMPLATE("sparse products agree with the definition", N, OnBn254, OnBls12381) {
  using Fr = typename N::Curve::Fr;
  TrapdoorKey<typename N::Curve> key(N::curve, CUZK_QUOTIENT_MONOMIAL, 4, 12, 1, 5);
  Device device("auto");
  LoadedKey<typename N::Curve> loaded(device, key);
  auto witness = canonicalWords(key.witness);
  for (uint32_t matrix = 0; matrix < 3; matrix++) {
    std::vector<Fr> expected(key.rows, Fr::zero());
    for (const auto &entry : key.entries) {
      if (entry.matrix == matrix) expected[entry.row] = expected[entry.row] + entry.value * key.witness[entry.column];
    }
    std::vector<uint64_t> rows(4 * key.rows);
    REQUIRE(cuzk_sparse_product(loaded, matrix, witness.data(), rows.data(), nullptr) == CUZK_OK);
    CHECK(rows == canonicalWords(expected));
  }
}

TEST_CASE("a witness that is not canonical or does not begin with 1 is refused by index") {
  TrapdoorKey<Bn254<Portable>> key(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 3, 7, 1, 8);
  Device device("auto");
  LoadedKey<Bn254<Portable>> loaded(device, key);
  auto good = canonicalWords(key.witness);
  for (size_t bad : {size_t{0}, size_t{1}, size_t{6}}) {
    auto witness = good;
    witness[4 * bad + 3] = UINT64_MAX;
    cuzk_proof_request one = {};
    one.witness = witness.data();
    cuzk_job *job;
    cuzk_proof proof;
    cuzk_error error;
    REQUIRE(cuzk_proofs_submit(device, loaded, &one, 1, &job, &error) == CUZK_OK);
    CHECK(cuzk_proofs_wait(job, &proof, nullptr, &error) == CUZK_INVALID_SCALAR);
    cuzk_job_destroy(job);
    CHECK(error.detail == bad);
  }
}

TEST_CASE("a witness at an odd address is proved like any other") {
  TrapdoorKey<Bn254<Portable>> key(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 3, 7, 1, 9);
  Device device("auto");
  LoadedKey<Bn254<Portable>> loaded(device, key);
  auto words = canonicalWords(key.witness);
  std::vector<uint8_t> shifted(32 * key.witness.size() + 1);
  std::memcpy(shifted.data() + 1, words.data(), 32 * key.witness.size());
  cuzk_proof_request one = {};
  one.witness = shifted.data() + 1;
  cuzk_job *job;
  cuzk_proof proof;
  REQUIRE(cuzk_proofs_submit(device, loaded, &one, 1, &job, nullptr) == CUZK_OK);
  REQUIRE(cuzk_proofs_wait(job, &proof, nullptr, nullptr) == CUZK_OK);
  cuzk_job_destroy(job);
  using Fr = Bn254<Portable>::Fr;
  checkProof(key, Fr::zero(), Fr::zero(), proof);
}

TEST_CASE("two jobs of one device at once, one of them cancelled") {
  TrapdoorKey<Bn254<Portable>> key(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 6, 40, 3, 10);
  Device device("auto");
  LoadedKey<Bn254<Portable>> loaded(device, key);
  auto witness = canonicalWords(key.witness);
  cuzk_proof_request one = {};
  one.witness = witness.data();
  std::vector<cuzk_proof_request> many(500, one);
  std::vector<cuzk_proof> proofs(many.size());
  cuzk_job *longJob, *shortJob;
  cuzk_error error;
  REQUIRE(cuzk_proofs_submit(device, loaded, many.data(), 500, &longJob, &error) == CUZK_OK);
  REQUIRE(cuzk_proofs_submit(device, loaded, &one, 1, &shortJob, &error) == CUZK_OK);
  cuzk_proof proof;
  CHECK(cuzk_proofs_wait(shortJob, &proof, nullptr, &error) == CUZK_OK);
  cuzk_job_destroy(shortJob);
  using Fr = Bn254<Portable>::Fr;
  checkProof(key, Fr::zero(), Fr::zero(), proof);
  cuzk_proofs_cancel(longJob);
  CHECK(cuzk_proofs_wait(longJob, proofs.data(), nullptr, &error) == CUZK_CANCELLED);
  cuzk_job_destroy(longJob);
}

}  // namespace
}  // namespace test
}  // namespace cuzk
