// SPDX-License-Identifier: Apache-2.0
#include "msm/device_plan.hpp"
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

// Proofs of both witnesses, which may be packed, as one job.
std::vector<cuzk_proof> prove(cuzk_device *device, cuzk_key *key, const std::vector<const void *> &witnesses,
                              cuzk_witness_form form = CUZK_WITNESS_SCALARS, cuzk_status expected = CUZK_OK,
                              uint64_t detail = 0) {
  std::vector<cuzk_proof_request> requests;
  for (const void *witness : witnesses) {
    cuzk_proof_request request = {};
    request.witness = witness;
    request.form = form;
    request.r[0] = 3;
    request.s[0] = static_cast<uint8_t>(5 + requests.size());
    requests.push_back(request);
  }
  std::vector<cuzk_proof> proofs(requests.size());
  cuzk_job *job;
  cuzk_error error;
  REQUIRE(cuzk_proofs_submit(device, key, requests.data(), static_cast<uint32_t>(requests.size()), &job, &error) ==
          CUZK_OK);
  const cuzk_status status = cuzk_proofs_wait(job, proofs.data(), nullptr, &error);
  cuzk_job_destroy(job);
  REQUIRE_MESSAGE(status == expected, error.text);
  if (expected != CUZK_OK) CHECK(error.detail == detail);
  return proofs;
}

template <class Curve>
void check(const TrapdoorKey<Curve> &key, const std::vector<cuzk_proof> &proofs) {
  using Fr = typename Curve::Fr;
  for (size_t i = 0; i < proofs.size(); i++) {
    Fr a, b, c;
    key.expected(Fr::fromInteger(3), Fr::fromInteger(5 + i), a, b, c);
    const auto expectedA = canonicalBytes(multiple(Curve::generatorG1(), a));
    const auto expectedB = canonicalBytes(multiple(Curve::generatorG2(), b));
    const auto expectedC = canonicalBytes(multiple(Curve::generatorG1(), c));
    CHECK(std::memcmp(proofs[i].a, expectedA.data(), expectedA.size()) == 0);
    CHECK(std::memcmp(proofs[i].b, expectedB.data(), expectedB.size()) == 0);
    CHECK(std::memcmp(proofs[i].c, expectedC.data(), expectedC.size()) == 0);
  }
}

const cuzk_plan PLANS[] = {
    {CUZK_BACKEND_OWN, 1, 1, 0, 0, 0},  {CUZK_BACKEND_OWN, 1, 1, 0, 0, 4},  {CUZK_BACKEND_OWN, 0, 1, 0, 0, 4},
    {CUZK_BACKEND_OWN, 0, 2, 0, 0, 5},  {CUZK_BACKEND_OWN, 0, 4, 0, 0, 20}, {CUZK_BACKEND_OWN, 1, 1, 2, 0, 0},
    {CUZK_BACKEND_OWN, 1, 1, 99, 0, 0}, {CUZK_BACKEND_OWN, 1, 3, 7, 0, 0},
};

TEST_CASE_TEMPLATE("proofs are right under every plan, wherever the points come from", N, OnBn254, OnBls12381) {
  Device device("auto");
  for (cuzk_quotient quotient : {CUZK_QUOTIENT_ODD_COSET, CUZK_QUOTIENT_MONOMIAL}) {
    TrapdoorKey<typename N::Curve> key(N::curve, quotient, 6, 75, 3, 77);
    const auto witness = canonicalWords(key.witness);
    const std::vector<const void *> three(3, witness.data());
    for (const cuzk_plan &plan : PLANS) {
      for (PointsFrom from : {PointsFrom::MEMORY, PointsFrom::FILE, PointsFrom::SCALARS}) {
        CAPTURE(quotient);
        CAPTURE(plan.resident_key);
        CAPTURE(plan.chunk_log2);
        CAPTURE(plan.table_levels);
        LoadedKey<typename N::Curve> loaded(device, key, CUZK_SCALARS_MONTGOMERY_SQUARED_LE, &plan, from);
        check(key, prove(device, loaded, three));
      }
    }
  }
}

TEST_CASE("sparse products are the same under every plan") {
  using Curve = Bn254<Portable>;
  TrapdoorKey<Curve> key(CUZK_BN254, CUZK_QUOTIENT_MONOMIAL, 7, 40, 1, 5);
  const auto witness = canonicalWords(key.witness);
  Device device("auto");
  std::vector<std::vector<uint64_t>> products;
  for (const cuzk_plan &plan : PLANS) {
    LoadedKey<Curve> loaded(device, key, CUZK_SCALARS_CANONICAL_LE, &plan);
    for (uint32_t matrix = 0; matrix < 3; matrix++) {
      std::vector<uint64_t> rows(4 * key.rows);
      REQUIRE(cuzk_sparse_product(loaded, matrix, witness.data(), rows.data(), nullptr) == CUZK_OK);
      products.push_back(rows);
      CHECK(rows == products[matrix]);
    }
  }
}

TEST_CASE("a key's file that is missing, too short or changed is refused") {
  using Curve = Bn254<Portable>;
  TrapdoorKey<Curve> key(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 3, 9, 1, 6);
  Device device("auto");
  cuzk_error error;
  const auto singles = key.singlePoints();
  cuzk_key *handle;
  REQUIRE(cuzk_key_create(device, &key.shape, nullptr, CUZK_POINTS_MONTGOMERY_LE, singles.data(), singles.size(),
                          &handle, &error) == CUZK_OK);
  const uint64_t count = key.shape.counts[CUZK_QUERY_A];
  CHECK(cuzk_key_append_file(handle, CUZK_QUERY_A, 0, count, "/nowhere", 0, &error) == CUZK_INPUT_CHANGED);
  CHECK(error.code == ENOENT);
  TemporaryFile file;
  auto points = key.points(CUZK_QUERY_A);
  points.resize(points.size() - 1);
  file.write(points);
  CHECK(cuzk_key_append_file(handle, CUZK_QUERY_A, 0, count, file.path(), 0, &error) == CUZK_INPUT_CHANGED);
  CHECK(error.detail == points.size());
  points = key.points(CUZK_QUERY_A);
  points[3 * 64 + 5] ^= 1;
  file.write(points);
  CHECK(cuzk_key_append_file(handle, CUZK_QUERY_A, 0, count, file.path(), 0, &error) == CUZK_INVALID_POINT);
  CHECK(error.detail == 3);
  cuzk_key_destroy(handle);
}

// A witness of zeros and ones but for one value in so many.
template <class Curve>
void makeBits(TrapdoorKey<Curve> &key, size_t each) {
  for (size_t i = 1; i < key.witness.size(); i++) {
    key.witness[i] = i % each == 0 ? -Curve::Fr::fromInteger(i) : Curve::Fr::fromInteger(i % 3 == 0);
  }
}

TEST_CASE_TEMPLATE("a packed witness gives the proof of the plain one", N, OnBn254, OnBls12381) {
  using Curve = typename N::Curve;
  TrapdoorKey<Curve> key(N::curve, CUZK_QUOTIENT_ODD_COSET, 6, 200, 1, 9);
  makeBits(key, 7);
  const auto plain = canonicalWords(key.witness);
  Device device("auto");
  std::vector<uint64_t> packed(4 * key.witness.size());
  uint64_t bytes;
  cuzk_error error;
  REQUIRE(cuzk_witness_pack(device, plain.data(), key.witness.size(), packed.data(), 8 * packed.size(), &bytes,
                            &error) == CUZK_OK);
  CHECK(bytes == 16 + 80 + 32 * ((key.witness.size() - 1) / 7));
  for (const cuzk_plan &plan : PLANS) {
    LoadedKey<Curve> loaded(device, key, CUZK_SCALARS_CANONICAL_LE, &plan);
    const auto expected = prove(device, loaded, {plain.data(), plain.data()});
    const auto found = prove(device, loaded, {packed.data(), packed.data()}, CUZK_WITNESS_PACKED);
    for (size_t i = 0; i < found.size(); i++) CHECK(std::memcmp(&found[i], &expected[i], sizeof found[i]) == 0);
  }
}

TEST_CASE("what packing does not shorten stays plain, and broken packed witnesses are refused") {
  using Curve = Bn254<Portable>;
  TrapdoorKey<Curve> key(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 6, 130, 1, 9);
  Device device("auto");
  LoadedKey<Curve> loaded(device, key);
  std::vector<uint64_t> packed(4 * key.witness.size());
  const auto dense = canonicalWords(key.witness);
  uint64_t bytes;
  cuzk_error error;
  REQUIRE(cuzk_witness_pack(device, dense.data(), 130, packed.data(), 8 * packed.size(), &bytes, &error) == CUZK_OK);
  CHECK(bytes == 0);
  makeBits(key, 10);
  const auto plain = canonicalWords(key.witness);
  REQUIRE(cuzk_witness_pack(device, plain.data(), 130, packed.data(), 100, &bytes, &error) == CUZK_OK);
  CHECK(bytes == 0);
  REQUIRE(cuzk_witness_pack(device, plain.data(), 130, packed.data(), 8 * packed.size(), &bytes, &error) == CUZK_OK);
  REQUIRE(bytes > 0);
  CHECK(cuzk_witness_pack(device, plain.data(), 0, packed.data(), 64, &bytes, &error) == CUZK_INVALID_ARGUMENT);
  // The second of the other values, variable 20, is made too large.
  auto broken = packed;
  broken[(16 + 64 + 32) / 8 + 3] = UINT64_MAX;
  prove(device, loaded, {broken.data()}, CUZK_WITNESS_PACKED, CUZK_INVALID_SCALAR, 20);
  broken = packed;
  broken[2] &= ~uint64_t{1};
  prove(device, loaded, {broken.data()}, CUZK_WITNESS_PACKED, CUZK_INVALID_SCALAR, 0);
  for (size_t word : {0, 1}) {
    broken = packed;
    broken[word] += 1000;
    cuzk_proof_request request = {};
    request.witness = broken.data();
    request.form = CUZK_WITNESS_PACKED;
    cuzk_job *job;
    CHECK(cuzk_proofs_submit(device, loaded, &request, 1, &job, &error) == CUZK_INVALID_ARGUMENT);
  }
}

// Whether the digits of a scalar add up to it, by places that are whole numbers of bits.
template <class Fr>
bool addsUp(const gpu::Windows &windows, const uint64_t (&scalar)[4]) {
  Fr sum = Fr::zero();
  unsigned found = 0;
  bool good = true;
  windows.forEachDigit(scalar, [&](unsigned row, unsigned level, uint32_t magnitude, bool negative) {
    good = good && magnitude <= 1u << (windows.width(row) - 1) && magnitude <= windows.buckets();
    const unsigned window = windows.begin(row) + level;
    good = good && window < windows.count && windows.rowOf(window) == row;
    const Fr value = Fr::fromInteger(magnitude) * Fr::fromInteger(2).power(level * windows.span + row * windows.bits);
    sum = negative ? sum - value : sum + value;
    found++;
  });
  return good && found == windows.count && sum == Fr::fromCanonical(scalar);
}

TEST_CASE_TEMPLATE("signed digits add up to their scalar for every width and number of levels", N, OnBn254,
                   OnBls12381) {
  using Fr = typename N::Curve::Fr;
  constexpr unsigned BITS = Fr::Parameters::BITS;
  std::vector<Fr> scalars = {Fr::zero(), Fr::one(), -Fr::one(), -Fr::fromInteger(2), Fr::fromInteger(3).power(1000)};
  for (unsigned bit : {15u, 63u, 64u, 127u, 200u, 253u}) scalars.push_back(Fr::fromInteger(2).power(bit) - Fr::one());
  size_t tables = 0;
  for (unsigned most : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 16u}) {
    for (size_t n : {size_t{1}, size_t{100}, size_t{1} << 13, size_t{1} << 20, size_t{1} << 24, size_t{1} << 27}) {
      const gpu::Levels levels = gpu::Levels::choose(n, BITS, most);
      REQUIRE(levels.count <= most);
      tables += levels.count > 1;
      if (levels.count > 1) {
        CHECK(levels.span * levels.count > BITS);
        CHECK(levels.span * (levels.count - 1) <= BITS);
        CHECK((n << levels.bits()) <= (size_t{1} << 31));
        CHECK(gpu::Windows::choose(n, BITS, levels).cost(n) < gpu::Windows::choose(n, BITS).cost(n));
      }
      for (unsigned bits = gpu::Windows::LEAST_BITS; bits <= gpu::Windows::MOST_BITS; bits++) {
        const gpu::Windows windows(bits, BITS, levels);
        CAPTURE(bits);
        CAPTURE(levels.count);
        CAPTURE(levels.span);
        for (const Fr &scalar : scalars) {
          uint64_t words[4];
          scalar.toCanonical(words);
          CHECK(addsUp<Fr>(windows, words));
        }
        // As many rows as any run of windows touches.
        for (unsigned group = 1; group <= windows.count; group++) {
          for (unsigned first = 0; first + group <= windows.count; first++) {
            const size_t rows = windows.rowOf(first + group - 1) - windows.rowOf(first) + 1;
            REQUIRE(rows <= gpu::plan::rowsOf(windows, group));
          }
        }
      }
    }
  }
  CHECK(tables > 20);
}

TEST_CASE("tables take half of what a resident key leaves, and none are planned in chunks or where none are wished") {
  TrapdoorKey<Bn254<Portable>> key(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 4, 20, 1, 3);
  cuzk_shape shape = key.shape;
  shape.domain_log2 = 22;
  shape.variables = uint64_t{1} << 22;
  shape.counts[CUZK_QUERY_A] = shape.counts[CUZK_QUERY_B1] = shape.counts[CUZK_QUERY_B2] = shape.variables;
  shape.counts[CUZK_QUERY_L] = shape.variables - shape.public_inputs - 1;
  shape.counts[CUZK_QUERY_H] = shape.variables;
  const cuzk_plan bare = {CUZK_BACKEND_CUDA, 1, 1, 0, 0, 0};
  cuzk_needs without, with;
  cuzk_error error;
  REQUIRE(cuzk_plan_needs(&shape, &bare, &without, &error) == CUZK_OK);
  const uint64_t taken = without.key_bytes + without.proof_bytes;
  int before = 0;
  for (uint64_t left = 0; left < uint64_t{64} << 30; left += uint64_t{2} << 30) {
    cuzk_plan plan = bare;
    plan.table_levels = 15;
    REQUIRE(cuzk_plan_choose(&shape, taken + left, &plan, &with, &error) == CUZK_OK);
    CHECK(plan.resident_key == 1);
    CHECK(plan.chunk_log2 == 0);
    CHECK(plan.table_levels >= before);
    CHECK(with.key_bytes - without.key_bytes <= left / 2);
    before = plan.table_levels;
    // One level fewer is another plan.
    if (plan.table_levels == 0) continue;
    plan.table_levels--;
    cuzk_needs less;
    REQUIRE(cuzk_plan_needs(&shape, &plan, &less, &error) == CUZK_OK);
    CHECK(less.key_bytes < with.key_bytes);
  }
  CHECK(before > 2);
  cuzk_plan chunked = {CUZK_BACKEND_CUDA, 1, 1, 0, 0, 18};
  REQUIRE(cuzk_plan_needs(&shape, &chunked, &without, &error) == CUZK_OK);
  chunked.table_levels = 3;
  REQUIRE(cuzk_plan_needs(&shape, &chunked, &with, &error) == CUZK_OK);
  CHECK(with.key_bytes == without.key_bytes);
}

}  // namespace
}  // namespace test
}  // namespace cuzk
