// SPDX-License-Identifier: Apache-2.0
#include "library/handles.hpp"
#include "test/circuit.hpp"

namespace cuzk {
namespace test {
namespace {

// One point for all, so that large keys are made quickly.
template <class C>
void checkPlan(cuzk_curve curve, cuzk_quotient quotient, unsigned log, uint64_t variables, int threads,
               int tables = 0) {
  cuzk_shape shape = {};
  shape.curve = curve;
  shape.quotient = quotient;
  shape.domain_log2 = log;
  shape.public_inputs = 3;
  shape.variables = variables;
  shape.entries = 4 * variables;
  uint64_t rows = uint64_t{1} << log;
  uint64_t counts[CUZK_QUERIES] = {variables, variables, variables, variables - 4, rows};
  std::copy(counts, counts + CUZK_QUERIES, shape.counts);
  const cuzk_plan plan = {CUZK_BACKEND_OWN, 1, 1, tables, 0, 0};
  cuzk_needs needs;
  REQUIRE(cuzk_plan_needs(&shape, &plan, &needs, nullptr) == CUZK_OK);

  Device device("auto", threads);
  auto g1 = C::generatorG1();
  auto g2 = C::generatorG2();
  struct {
    typename C::G1 alpha1, beta1, delta1;
    typename C::G2 beta2, delta2;
  } singles = {g1, g1, g1, g2, g2};
  cuzk_key *key;
  REQUIRE(cuzk_key_create(device, &shape, &plan, CUZK_POINTS_MONTGOMERY_LE, &singles, sizeof singles, &key, nullptr) ==
          CUZK_OK);
  for (int query = 0; query < CUZK_QUERIES; query++) {
    std::vector<typename C::G1> points1(query == CUZK_QUERY_B2 ? 0 : counts[query], g1);
    std::vector<typename C::G2> points2(query == CUZK_QUERY_B2 ? counts[query] : 0, g2);
    bool second = query == CUZK_QUERY_B2;
    const void *data = second ? static_cast<const void *>(points2.data()) : points1.data();
    uint64_t bytes = counts[query] * (second ? sizeof g2 : sizeof g1);
    REQUIRE(cuzk_key_append(key, query, 0, counts[query], data, bytes, nullptr) == CUZK_OK);
  }
  // All coefficients distinct: what the plan assumes.
  std::vector<cuzk_entry> entries(shape.entries);
  for (uint64_t i = 0; i < shape.entries; i++) {
    entries[i] = {
        static_cast<uint32_t>(i % 2), static_cast<uint32_t>(i % rows), static_cast<uint32_t>(i % variables), {}};
    std::memcpy(entries[i].value, &i, sizeof i);
  }
  REQUIRE(cuzk_key_append_entries(key, CUZK_SCALARS_CANONICAL_LE, entries.size(), entries.data(), nullptr) == CUZK_OK);
  REQUIRE(cuzk_key_finish(key, nullptr) == CUZK_OK);

  cuzk_device *handle = device;
  uint64_t keyBytes = handle->memory.inUse() + key->key->uncountedBytes();
  CHECK(keyBytes <= needs.key_bytes);
  CHECK(needs.key_bytes <= keyBytes + keyBytes / 4);

  Random random(1);
  std::vector<typename C::Fr> witness = {C::Fr::one()};
  while (witness.size() < variables) witness.push_back(randomScalar<typename C::Fr>(random));
  auto words = canonicalWords(witness);
  cuzk_proof_request request = {};
  request.witness = words.data();
  cuzk_job *job;
  cuzk_proof proof;
  cuzk_timings timings;
  uint64_t before = handle->memory.inUse();
  REQUIRE(cuzk_proofs_submit(device, key, &request, 1, &job, nullptr) == CUZK_OK);
  REQUIRE(cuzk_proofs_wait(job, &proof, &timings, nullptr) == CUZK_OK);
  cuzk_job_destroy(job);
  uint64_t proofBytes = timings.peak_bytes - needs.key_bytes;
  CHECK(proofBytes > 0);
  CHECK(proofBytes <= needs.proof_bytes);
  // The plan counts scratch memory for as many threads as a device may have.
  CHECK(needs.proof_bytes <= proofBytes + proofBytes / 4 + uint64_t{4} * (1 << 20) * 64);
  CHECK(handle->memory.inUse() == before);
  cuzk_key_destroy(key);
  CHECK(handle->memory.inUse() == 0);
}

TEST_CASE("keys and proofs take what is planned") {
  checkPlan<Bn254<Portable>>(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 13, 9000, 2);
  checkPlan<Bn254<Portable>>(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 14, 2000, 16);
  checkPlan<Bls12381<Portable>>(CUZK_BLS12_381, CUZK_QUOTIENT_MONOMIAL, 8, 5000, 3);
  checkPlan<Bn254<Portable>>(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 12, 5000, 16, 3);
  checkPlan<Bls12381<Portable>>(CUZK_BLS12_381, CUZK_QUOTIENT_MONOMIAL, 8, 5000, 3, 128);
}

TEST_CASE("a memory limit is kept") {
  TrapdoorKey<Bn254<Portable>> key(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 4, 20, 1, 3);
  cuzk_needs needs;
  REQUIRE(cuzk_plan_needs(&key.shape, nullptr, &needs, nullptr) == CUZK_OK);
  auto singles = key.singlePoints();
  cuzk_error error;
  {
    Device device("auto", 1, needs.key_bytes - 1);
    cuzk_key *handle;
    CHECK(cuzk_key_create(device, &key.shape, nullptr, CUZK_POINTS_MONTGOMERY_LE, singles.data(), singles.size(),
                          &handle, &error) == CUZK_OUT_OF_HOST_MEMORY);
    CHECK(handle == nullptr);
    CHECK(error.detail == needs.key_bytes);
  }
  Device device("auto", 1, needs.key_bytes + needs.proof_bytes);
  LoadedKey<Bn254<Portable>> loaded(device, key);
  auto witness = canonicalWords(key.witness);
  cuzk_proof_request request = {};
  request.witness = witness.data();
  cuzk_job *first, *second;
  REQUIRE(cuzk_proofs_submit(device, loaded, &request, 1, &first, &error) == CUZK_OK);
  CHECK(cuzk_proofs_submit(device, loaded, &request, 1, &second, &error) == CUZK_OUT_OF_HOST_MEMORY);
  cuzk_proof proof;
  CHECK(cuzk_proofs_wait(first, &proof, nullptr, &error) == CUZK_OK);
  cuzk_job_destroy(first);
  REQUIRE(cuzk_proofs_submit(device, loaded, &request, 1, &second, &error) == CUZK_OK);
  CHECK(cuzk_proofs_wait(second, &proof, nullptr, &error) == CUZK_OK);
  cuzk_job_destroy(second);
}

TEST_CASE("working memory is kept for the next user, up to the worst moment") {
  MemoryAccount device;
  MemoryAccount first(&device), second(&device);
  constexpr size_t bytes = size_t{1} << 20;
  void *address;
  {
    Array<uint8_t> work(first, bytes, Content::SECRET);
    address = work.data();
    work[17] = 99;
  }
  CHECK(device.inUse() == 0);
  {
    Array<uint8_t> again(second, bytes, Content::SECRET);
    CHECK(again.data() == address);
    CHECK(again[17] == 0);
  }
  // Another size does not fit beside it: the block goes.
  BlockCache cache;
  cache.give(std::aligned_alloc(64, 4096), 4096, 4096);
  CHECK(cache.take(8192, 8192) == nullptr);
  CHECK(cache.take(4096, 8192) == nullptr);
  // What would exceed the bound is freed at once.
  cache.give(std::aligned_alloc(64, 4096), 4096, 4095);
  CHECK(cache.take(4096, 8192) == nullptr);
}

}  // namespace
}  // namespace test
}  // namespace cuzk
