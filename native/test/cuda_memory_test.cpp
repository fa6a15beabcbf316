// SPDX-License-Identifier: Apache-2.0
#include "test/circuit.hpp"

namespace cuzk {
namespace test {
namespace {

uint64_t freeMemory(cuzk_device *device) {
  cuzk_device_properties properties;
  REQUIRE(cuzk_device_describe(device, &properties, nullptr) == CUZK_OK);
  return properties.memory_free;
}

template <class Curve>
uint64_t prove(cuzk_device *device, cuzk_key *key, const std::vector<uint64_t> &witness) {
  cuzk_proof_request request = {};
  request.witness = witness.data();
  cuzk_job *job;
  cuzk_proof proof;
  cuzk_timings timings;
  cuzk_error error;
  REQUIRE(cuzk_proofs_submit(device, key, &request, 1, &job, &error) == CUZK_OK);
  cuzk_status status = cuzk_proofs_wait(job, &proof, &timings, &error);
  cuzk_job_destroy(job);
  REQUIRE_MESSAGE(status == CUZK_OK, error.text);
  return timings.peak_bytes;
}

template <class Curve>
void checkPlan(const TrapdoorKey<Curve> &key, const cuzk_plan &plan) {
  cuzk_needs needs;
  REQUIRE(cuzk_plan_needs(&key.shape, &plan, &needs, nullptr) == CUZK_OK);
  Device device("auto");
  uint64_t before = freeMemory(device);
  {
    LoadedKey<Curve> loaded(device, key, CUZK_SCALARS_MONTGOMERY_SQUARED_LE, &plan);
    auto witness = canonicalWords(key.witness);
    uint64_t peak = prove<Curve>(device, loaded, witness);
    CHECK(peak > needs.key_bytes);
    CHECK(peak <= needs.key_bytes + needs.proof_bytes);
    // Ones and zeros take other ways than dense witnesses do.
    for (size_t i = 1; i < key.witness.size(); i++) {
      std::memset(&witness[4 * i], 0, 32);
      witness[4 * i] = i % 4 != 0;
    }
    CHECK(prove<Curve>(device, loaded, witness) <= needs.key_bytes + needs.proof_bytes);
    // Allocations are rounded up to pages of two megabytes, and kernels are loaded when they first run.
    uint64_t used = before - std::min(before, freeMemory(device));
    CHECK(used <= needs.key_bytes + needs.proof_bytes + (uint64_t{96} << 20));
    uint64_t after = freeMemory(device);
    for (int i = 0; i < 20; i++) prove<Curve>(device, loaded, witness);
    CHECK(freeMemory(device) == after);
  }
}

template <class Curve>
void checkPlans(cuzk_curve curve, cuzk_quotient quotient, unsigned log, uint32_t variables) {
  const TrapdoorKey<Curve> key(curve, quotient, log, variables, 2, 17);
  for (const cuzk_plan &plan :
       {cuzk_plan{CUZK_BACKEND_OWN, 1, 1, 0, 0, 0}, cuzk_plan{CUZK_BACKEND_OWN, 1, 1, 0, 0, 9},
        cuzk_plan{CUZK_BACKEND_OWN, 1, 1, 4, 0, 0}, cuzk_plan{CUZK_BACKEND_OWN, 1, 2, 15, 0, 0},
        cuzk_plan{CUZK_BACKEND_OWN, 0, 1, 0, 0, 10}, cuzk_plan{CUZK_BACKEND_OWN, 0, 3, 0, 0, 7}}) {
    CAPTURE(plan.resident_key);
    CAPTURE(plan.chunk_log2);
    checkPlan(key, plan);
  }
}

TEST_CASE("keys and proofs take no more than planned, and every proof the same") {
  checkPlans<Bn254<Portable>>(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 1, 4);
  checkPlans<Bn254<Portable>>(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 12, 3000);
  checkPlans<Bls12381<Portable>>(CUZK_BLS12_381, CUZK_QUOTIENT_MONOMIAL, 9, 5000);
}

TEST_CASE("1,000 proofs under two keys, several in flight, leave device memory as it was") {
  TrapdoorKey<Bn254<Portable>> small(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 6, 70, 2, 3);
  TrapdoorKey<Bls12381<Portable>> large(CUZK_BLS12_381, CUZK_QUOTIENT_MONOMIAL, 8, 200, 1, 4);
  Device device("auto");
  LoadedKey<Bn254<Portable>> first(device, small);
  const cuzk_plan streamed = {CUZK_BACKEND_OWN, 0, 2, 0, 0, 6};
  LoadedKey<Bls12381<Portable>> second(device, large, CUZK_SCALARS_CANONICAL_LE, &streamed);
  const auto witnesses = std::pair{canonicalWords(small.witness), canonicalWords(large.witness)};
  cuzk_proof expected[2] = {};
  uint64_t after20 = 0;
  for (int round = 0; round < 250; round++) {
    cuzk_job *jobs[4];
    cuzk_error error;
    for (int i = 0; i < 4; i++) {
      cuzk_proof_request request = {};
      request.witness = i % 2 == 0 ? witnesses.first.data() : witnesses.second.data();
      request.r[0] = 7;
      REQUIRE(cuzk_proofs_submit(device, i % 2 == 0 ? first : second, &request, 1, &jobs[i], &error) == CUZK_OK);
    }
    for (int i = 0; i < 4; i++) {
      cuzk_proof proof;
      const cuzk_status status = cuzk_proofs_wait(jobs[i], &proof, nullptr, &error);
      REQUIRE_MESSAGE(status == CUZK_OK, error.text);
      cuzk_job_destroy(jobs[i]);
      if (round == 0 && i < 2) expected[i] = proof;
      REQUIRE(std::memcmp(&proof, &expected[i % 2], sizeof proof) == 0);
    }
    if (round == 4) after20 = freeMemory(device);
  }
  CHECK(freeMemory(device) == after20);
}

TEST_CASE("proofs side by side are the proofs that come one by one, and a bad witness fails the job") {
  const TrapdoorKey<Bn254<Portable>> key(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 10, 900, 2, 5);
  cuzk_plan plan = {CUZK_BACKEND_OWN, 1, 64, 0, 0, 0};
  cuzk_needs needs, chosen;
  REQUIRE(cuzk_plan_choose(&key.shape, uint64_t{8} << 30, &plan, &chosen, nullptr) == CUZK_OK);
  REQUIRE(plan.batch > 1);
  const cuzk_plan two = {CUZK_BACKEND_OWN, 1, 2, 0, 0, 0};
  REQUIRE(cuzk_plan_needs(&key.shape, &two, &needs, nullptr) == CUZK_OK);
  CHECK(2 * chosen.proof_bytes >= static_cast<uint64_t>(plan.batch) * needs.proof_bytes);
  Device device("auto");
  LoadedKey<Bn254<Portable>> loaded(device, key, CUZK_SCALARS_MONTGOMERY_SQUARED_LE, &plan);
  const auto witness = canonicalWords(key.witness);
  std::vector<cuzk_proof_request> requests(50);
  for (size_t i = 0; i < requests.size(); i++) {
    requests[i] = {};
    requests[i].witness = witness.data();
    requests[i].r[0] = static_cast<uint8_t>(i % 5);
    requests[i].s[0] = 9;
  }
  std::vector<cuzk_proof> together(requests.size());
  const auto prove = [&](const cuzk_proof_request *first, size_t count, cuzk_proof *proofs) {
    cuzk_job *job;
    cuzk_error error;
    cuzk_timings timings;
    REQUIRE(cuzk_proofs_submit(device, loaded, first, static_cast<uint32_t>(count), &job, &error) == CUZK_OK);
    const cuzk_status status = cuzk_proofs_wait(job, proofs, &timings, &error);
    cuzk_job_destroy(job);
    if (status == CUZK_OK) CHECK(timings.peak_bytes <= chosen.key_bytes + chosen.proof_bytes);
    return status;
  };
  REQUIRE(prove(requests.data(), requests.size(), together.data()) == CUZK_OK);
  for (size_t i = 0; i < requests.size(); i++) {
    cuzk_proof single;
    REQUIRE(prove(&requests[i % 5], 1, &single) == CUZK_OK);
    CHECK(std::memcmp(&single, &together[i], sizeof single) == 0);
  }
  // Jobs in flight at once share the lanes.
  cuzk_job *jobs[10];
  for (size_t i = 0; i < 10; i++) {
    REQUIRE(cuzk_proofs_submit(device, loaded, &requests[i], static_cast<uint32_t>(1 + i % 4), &jobs[i], nullptr) ==
            CUZK_OK);
  }
  for (size_t i = 0; i < 10; i++) {
    cuzk_proof proofs[4];
    REQUIRE(cuzk_proofs_wait(jobs[i], proofs, nullptr, nullptr) == CUZK_OK);
    cuzk_job_destroy(jobs[i]);
    for (size_t j = 0; j < 1 + i % 4; j++) CHECK(std::memcmp(&proofs[j], &together[i + j], sizeof proofs[j]) == 0);
  }
  auto bad = witness;
  bad[4 * 7 + 3] = ~uint64_t{0};
  requests[20].witness = bad.data();
  CHECK(prove(requests.data(), requests.size(), together.data()) == CUZK_INVALID_SCALAR);
  requests[20].witness = witness.data();
  CHECK(prove(requests.data(), requests.size(), together.data()) == CUZK_OK);
}

TEST_CASE("a memory limit is kept") {
  TrapdoorKey<Bn254<Portable>> key(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 4, 20, 1, 3);
  cuzk_needs needs;
  REQUIRE(cuzk_plan_needs(&key.shape, nullptr, &needs, nullptr) == CUZK_OK);
  auto singles = key.singlePoints();
  cuzk_error error;
  for (uint64_t limit : {needs.key_bytes - 1, needs.key_bytes + needs.proof_bytes - 1}) {
    Device device("auto", 1, limit);
    cuzk_key *handle;
    CHECK(cuzk_key_create(device, &key.shape, nullptr, CUZK_POINTS_MONTGOMERY_LE, singles.data(), singles.size(),
                          &handle, &error) == CUZK_OUT_OF_DEVICE_MEMORY);
    CHECK(handle == nullptr);
    CHECK(error.detail > 0);
  }
  Device device("auto", 1, needs.key_bytes + needs.proof_bytes);
  LoadedKey<Bn254<Portable>> loaded(device, key);
  prove<Bn254<Portable>>(device, loaded, canonicalWords(key.witness));
}

TEST_CASE("more memory than the GPU has is refused with the number of bytes, and the device works on") {
  TrapdoorKey<Bn254<Portable>> key(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 4, 20, 1, 3);
  Device device("auto", 1);
  cuzk_shape huge = key.shape;
  huge.domain_log2 = 27;
  huge.variables = (uint64_t{1} << 31) - 1;
  huge.counts[CUZK_QUERY_A] = huge.counts[CUZK_QUERY_B1] = huge.counts[CUZK_QUERY_B2] = huge.variables;
  huge.counts[CUZK_QUERY_L] = huge.variables - huge.public_inputs - 1;
  huge.counts[CUZK_QUERY_H] = uint64_t{1} << 27;
  auto singles = key.singlePoints();
  cuzk_key *handle;
  cuzk_error error;
  CHECK(cuzk_key_create(device, &huge, nullptr, CUZK_POINTS_MONTGOMERY_LE, singles.data(), singles.size(), &handle,
                        &error) == CUZK_OUT_OF_DEVICE_MEMORY);
  CHECK(error.detail > uint64_t{1} << 30);
  LoadedKey<Bn254<Portable>> loaded(device, key);
  prove<Bn254<Portable>>(device, loaded, canonicalWords(key.witness));
}

}  // namespace
}  // namespace test
}  // namespace cuzk
