// SPDX-License-Identifier: Apache-2.0
#include "test/circuit.hpp"

namespace cuzk {
namespace test {
namespace {

using Curve = Bn254<Portable>;

TEST_CASE("names and versions") {
  CHECK(cuzk_abi_version() == CUZK_ABI_VERSION);
#if defined(CUZK_TEST_CUDA)
  CHECK(std::string(cuzk_build_id()).find("libcuzk-cuda") == 0);
#else
  CHECK(std::string(cuzk_build_id()).find("libcuzk-cpu") == 0);
#endif
  CHECK(std::string(cuzk_status_name(CUZK_OK)) == "CUZK_OK");
  CHECK(std::string(cuzk_status_name(CUZK_INTERNAL)) == "CUZK_INTERNAL");
  CHECK(std::string(cuzk_status_name(99)) == "CUZK_UNKNOWN");
  CHECK(std::string(cuzk_stage_name(CUZK_STAGE_MSM_B2)) == "msm_b2");
  CHECK(std::string(cuzk_stage_name(CUZK_STAGE_FINISH)) == "finish");
}

#if defined(CUZK_TEST_CUDA)
TEST_CASE("devices: ordinals are checked, properties described") {
  cuzk_device *device;
  cuzk_error error;
  cuzk_device_options options = {};
  for (int32_t ordinal : {-1, 1000}) {
    options.ordinal = ordinal;
    CHECK(cuzk_device_open(&options, &device, &error) == CUZK_NO_DEVICE);
    CHECK(error.device == ordinal);
    CHECK(std::string(error.text).find("ordinal") != std::string::npos);
  }
  options.ordinal = 0;
  options.threads = -1;
  CHECK(cuzk_device_open(&options, &device, nullptr) == CUZK_INVALID_ARGUMENT);
  CHECK(cuzk_device_open(nullptr, &device, nullptr) == CUZK_INVALID_ARGUMENT);

  Device opened("auto", 2, uint64_t{1} << 30);
  cuzk_device_properties properties;
  REQUIRE(cuzk_device_describe(opened, &properties, nullptr) == CUZK_OK);
  CHECK(std::string(properties.arithmetic) == "cuda");
  CHECK(std::string(properties.uuid).size() == 40);
  CHECK(std::string(properties.uuid).find("GPU-") == 0);
  CHECK(std::string(properties.pci).size() == 16);
  CHECK(properties.compute_major >= 7);
  CHECK(properties.multiprocessors > 0);
  CHECK(properties.memory_total == uint64_t{1} << 30);
  CHECK(properties.memory_free > 0);
}
#else
TEST_CASE("devices: options are checked, properties described") {
  cuzk_device *device;
  cuzk_error error;
  cuzk_device_options options = {};
#if defined(__x86_64__)
  if (!Ifma::supported()) {
    options.arithmetic = "ifma";
    CHECK(cuzk_device_open(&options, &device, &error) == CUZK_UNSUPPORTED_DEVICE);
    CHECK(error.device == -1);
  }
#endif
  options.arithmetic = "abacus";
  CHECK(cuzk_device_open(&options, &device, &error) == CUZK_INVALID_ARGUMENT);
  CHECK(std::string(error.text).find("arithmetic") != std::string::npos);
  options.arithmetic = nullptr;
  options.threads = -1;
  CHECK(cuzk_device_open(&options, &device, nullptr) == CUZK_INVALID_ARGUMENT);
  CHECK(cuzk_device_open(nullptr, &device, nullptr) == CUZK_INVALID_ARGUMENT);

  Device opened("portable", 3);
  cuzk_device_limit_threads(opened, 1);
  cuzk_device_limit_threads(nullptr, 1);
  cuzk_device_properties properties;
  REQUIRE(cuzk_device_describe(opened, &properties, nullptr) == CUZK_OK);
  CHECK(std::string(properties.arithmetic) == "portable");
  CHECK(properties.multiprocessors == 3);
  CHECK(properties.memory_total > 0);
  CHECK(properties.memory_free > 0);
}
#endif

TEST_CASE("pinned memory is aligned and zeroed") {
  Device device("auto", 1);
  void *memory;
  REQUIRE(cuzk_pinned_allocate(device, 1000, &memory, nullptr) == CUZK_OK);
  CHECK(reinterpret_cast<uintptr_t>(memory) % 64 == 0);
  const uint8_t *bytes = static_cast<const uint8_t *>(memory);
  for (int i = 0; i < 1000; i++) REQUIRE(bytes[i] == 0);
  cuzk_pinned_free(device, memory, 1000);
  CHECK(cuzk_pinned_allocate(device, 0, &memory, nullptr) == CUZK_INVALID_ARGUMENT);
  cuzk_pinned_free(device, nullptr, 0);
}

// The dimensions of a PoRep partition of 32 GiB, every query full.
cuzk_shape largeShape() {
  cuzk_shape shape = {};
  shape.curve = CUZK_BLS12_381;
  shape.quotient = CUZK_QUOTIENT_MONOMIAL;
  shape.domain_log2 = 27;
  shape.public_inputs = 328;
  shape.variables = 130278542;
  shape.entries = 400000000;
  shape.counts[CUZK_QUERY_A] = shape.variables - 1000;
  shape.counts[CUZK_QUERY_B1] = shape.counts[CUZK_QUERY_B2] = shape.variables - 2000;
  shape.counts[CUZK_QUERY_L] = shape.variables - 329;
  shape.counts[CUZK_QUERY_H] = (uint64_t{1} << 27) - 1;
  return shape;
}

TEST_CASE("plans shrink with the memory of a GPU, and either library knows them") {
  const cuzk_shape shape = largeShape();
  const uint64_t GIB = uint64_t{1} << 30;
  cuzk_error error;
  uint64_t before = UINT64_MAX;
  bool streamed = false;
  for (uint64_t memory : {1000 * GIB, 130 * GIB, 80 * GIB, 48 * GIB, 24 * GIB, 19 * GIB, 15 * GIB}) {
    cuzk_plan plan = {CUZK_BACKEND_CUDA, 1, 4, 0, 0, 0};
    cuzk_needs needs, again;
    REQUIRE_MESSAGE(cuzk_plan_choose(&shape, memory, &plan, &needs, &error) == CUZK_OK, error.text);
    const uint64_t bytes = needs.key_bytes + needs.proof_bytes;
    CHECK(bytes <= memory);
    CHECK(bytes <= before);
    before = bytes;
    CHECK(plan.backend == CUZK_BACKEND_CUDA);
    CHECK(plan.batch <= 4);
    if (streamed) CHECK(plan.resident_key == 0);
    streamed = plan.resident_key == 0;
    REQUIRE(cuzk_plan_needs(&shape, &plan, &again, &error) == CUZK_OK);
    CHECK(again.key_bytes == needs.key_bytes);
    CHECK(again.proof_bytes == needs.proof_bytes);
  }
  CHECK(streamed);
  cuzk_plan plan = {CUZK_BACKEND_CUDA, 1, 1, 0, 0, 0};
  cuzk_needs needs;
  CHECK(cuzk_plan_choose(&shape, GIB, &plan, &needs, &error) == CUZK_OUT_OF_DEVICE_MEMORY);
  CHECK(error.detail == needs.key_bytes + needs.proof_bytes);
  CHECK(error.detail > GIB);
  plan = {CUZK_BACKEND_CPU, 1, 1, 0, 0, 0};
  CHECK(cuzk_plan_choose(&shape, GIB, &plan, &needs, &error) == CUZK_OUT_OF_HOST_MEMORY);
  plan.backend = 3;
  CHECK(cuzk_plan_choose(&shape, GIB, &plan, &needs, &error) == CUZK_INVALID_ARGUMENT);
  plan = {CUZK_BACKEND_CUDA, 0, 1, 0, 0, 0};
  CHECK(cuzk_plan_needs(&shape, &plan, &needs, &error) == CUZK_INVALID_ARGUMENT);
}

TEST_CASE("the CPU's plan has as many multiples of a point as are wished for and fit") {
  const cuzk_shape shape = largeShape();
  cuzk_plan none = {CUZK_BACKEND_CPU, 1, 1, 0, 0, 0};
  cuzk_needs needs, fewer;
  REQUIRE(cuzk_plan_needs(&shape, &none, &fewer, nullptr) == CUZK_OK);
  const uint64_t least = fewer.key_bytes + fewer.proof_bytes;
  for (uint64_t memory : {least, 3 * least, 5 * least}) {
    cuzk_plan plan = {CUZK_BACKEND_CPU, 1, 1, 3, 0, 0};
    REQUIRE(cuzk_plan_choose(&shape, memory, &plan, &needs, nullptr) == CUZK_OK);
    CHECK(needs.key_bytes + needs.proof_bytes <= memory);
    if (memory == least) CHECK(plan.table_levels == 0);
    if (memory == 5 * least) CHECK(plan.table_levels == 3);
    cuzk_needs again;
    REQUIRE(cuzk_plan_needs(&shape, &plan, &again, nullptr) == CUZK_OK);
    CHECK(again.key_bytes == needs.key_bytes);
    CHECK(again.proof_bytes == needs.proof_bytes);
  }
}

TEST_CASE("impossible shapes are refused") {
  TrapdoorKey<Curve> key(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 3, 7, 1, 2);
  cuzk_needs needs;
  REQUIRE(cuzk_plan_needs(&key.shape, nullptr, &needs, nullptr) == CUZK_OK);
  auto refused = [&](auto change) {
    cuzk_shape shape = key.shape;
    change(shape);
    return cuzk_plan_needs(&shape, nullptr, &needs, nullptr) == CUZK_INVALID_ARGUMENT;
  };
  CHECK(refused([](cuzk_shape &s) { s.curve = 2; }));
  CHECK(refused([](cuzk_shape &s) { s.quotient = -1; }));
  CHECK(refused([](cuzk_shape &s) { s.domain_log2 = 28; }));
  CHECK(refused([](cuzk_shape &s) { s.domain_log2 = 0; }));
  CHECK(refused([](cuzk_shape &s) { s.variables = 0; }));
  CHECK(refused([](cuzk_shape &s) { s.public_inputs = 7; }));
  CHECK(refused([](cuzk_shape &s) { s.counts[CUZK_QUERY_A]++; }));
  CHECK(refused([](cuzk_shape &s) { s.counts[CUZK_QUERY_B2]--; }));
  CHECK(refused([](cuzk_shape &s) { s.counts[CUZK_QUERY_L]--; }));
  CHECK(refused([](cuzk_shape &s) { s.counts[CUZK_QUERY_H]--; }));
  CHECK(refused([](cuzk_shape &s) { s.entries = UINT64_MAX; }));
}

class OpenKey {
 public:
  OpenKey(cuzk_device *device, const TrapdoorKey<Curve> &key) {
    auto singles = key.singlePoints();
    REQUIRE(cuzk_key_create(device, &key.shape, nullptr, CUZK_POINTS_MONTGOMERY_LE, singles.data(), singles.size(),
                            &handle, nullptr) == CUZK_OK);
  }
  ~OpenKey() { cuzk_key_destroy(handle); }
  cuzk_key *handle = nullptr;
};

TEST_CASE("keys: pieces in order, right sizes, points on the curve") {
  TrapdoorKey<Curve> key(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 3, 7, 1, 2);
  Device device("auto", 1);
  OpenKey open(device, key);
  cuzk_error error;
  auto points = key.points(CUZK_QUERY_A);
  CHECK(cuzk_key_append(open.handle, CUZK_QUERY_A, 1, 1, points.data(), 64, &error) == CUZK_INVALID_ARGUMENT);
  CHECK(cuzk_key_append(open.handle, CUZK_QUERY_A, 0, 1, points.data(), 63, &error) == CUZK_INVALID_ARGUMENT);
  CHECK(cuzk_key_append(open.handle, 5, 0, 1, points.data(), 64, &error) == CUZK_INVALID_ARGUMENT);
  CHECK(cuzk_key_append(open.handle, CUZK_QUERY_A, 0, 8, points.data(), 8 * 64, &error) == CUZK_INVALID_ARGUMENT);
  CHECK(cuzk_key_append(open.handle, CUZK_QUERY_A, 0, UINT64_MAX, points.data(), 64, &error) == CUZK_INVALID_ARGUMENT);
  REQUIRE(cuzk_key_append(open.handle, CUZK_QUERY_A, 0, 2, points.data(), 128, &error) == CUZK_OK);
  auto wrong = points;
  wrong[5 * 64] ^= 1;
  CHECK(cuzk_key_append(open.handle, CUZK_QUERY_A, 2, 5, wrong.data() + 128, 5 * 64, &error) == CUZK_INVALID_POINT);
  CHECK(error.detail == 5);
  CHECK(cuzk_key_finish(open.handle, &error) == CUZK_INCOMPLETE);
  cuzk_proof_request request = {};
  request.witness = points.data();
  cuzk_job *job;
  CHECK(cuzk_proofs_submit(device, open.handle, &request, 1, &job, &error) == CUZK_INCOMPLETE);
  CHECK(cuzk_sparse_product(open.handle, 0, points.data(), wrong.data(), &error) == CUZK_INCOMPLETE);
}

TEST_CASE("keys: single points are checked") {
  TrapdoorKey<Curve> key(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 3, 7, 1, 2);
  Device device("auto", 1);
  auto singles = key.singlePoints();
  cuzk_key *handle;
  cuzk_error error;
  singles[3 * 64 + 128] ^= 1;
  CHECK(cuzk_key_create(device, &key.shape, nullptr, CUZK_POINTS_MONTGOMERY_LE, singles.data(), singles.size(), &handle,
                        &error) == CUZK_INVALID_POINT);
  CHECK(error.detail == 4);
  CHECK(cuzk_key_create(device, &key.shape, nullptr, CUZK_POINTS_MONTGOMERY_LE, singles.data(), singles.size() - 1,
                        &handle, &error) == CUZK_INVALID_ARGUMENT);
  CHECK(cuzk_key_create(device, &key.shape, nullptr, 7, singles.data(), singles.size(), &handle, &error) ==
        CUZK_INVALID_ARGUMENT);
}

TEST_CASE("keys: matrix entries are checked") {
  TrapdoorKey<Curve> key(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 3, 7, 1, 2);
  Device device("auto", 1);
  OpenKey open(device, key);
  cuzk_error error;
  cuzk_entry entries[3] = {{0, 0, 0, {1}}, {1, 7, 6, {1}}, {0, 8, 0, {1}}};
  auto append = [&](uint64_t count) {
    return cuzk_key_append_entries(open.handle, CUZK_SCALARS_CANONICAL_LE, count, entries, &error);
  };
  CHECK(append(3) == CUZK_INDEX_OUT_OF_RANGE);
  CHECK(error.detail == 2);
  entries[2] = {0, 0, 7, {1}};
  CHECK(append(3) == CUZK_INDEX_OUT_OF_RANGE);
  entries[0].matrix = 3;
  CHECK(append(3) == CUZK_INDEX_OUT_OF_RANGE);
  CHECK(error.detail == 0);  // a call that fails takes nothing
  entries[0].matrix = 0;
  REQUIRE(append(2) == CUZK_OK);
  std::memset(entries[1].value, 0xff, 32);
  CHECK(append(2) == CUZK_INVALID_SCALAR);
  CHECK(error.detail == 3);  // entries are counted through all calls
  CHECK(append(key.shape.entries + 1) == CUZK_INVALID_ARGUMENT);
}

TEST_CASE("primitives: arguments are checked") {
  Device device("auto", 1);
  auto g = Curve::generatorG1();
  uint64_t scalar[4] = {1};
  uint8_t result[64];
  cuzk_error error;
  CHECK(cuzk_msm(device, CUZK_BN254, CUZK_G1, 0, nullptr, nullptr, 0, result, nullptr, &error) == CUZK_OK);
  for (uint8_t byte : result) CHECK(byte == 0);
  CHECK(cuzk_msm(device, CUZK_BN254, 2, 0, &g, scalar, 1, result, nullptr, &error) == CUZK_INVALID_ARGUMENT);
  CHECK(cuzk_msm(device, 2, CUZK_G1, 0, &g, scalar, 1, result, nullptr, &error) == CUZK_INVALID_ARGUMENT);
  CHECK(cuzk_msm(device, CUZK_BN254, CUZK_G1, 0, nullptr, scalar, 1, result, nullptr, &error) == CUZK_INVALID_ARGUMENT);
  scalar[3] = UINT64_MAX;
  CHECK(cuzk_msm(device, CUZK_BN254, CUZK_G1, 0, &g, scalar, 1, result, nullptr, &error) == CUZK_INVALID_SCALAR);
  CHECK(cuzk_fixed_base(device, CUZK_BN254, CUZK_G1, &g, scalar, 1, result, &error) == CUZK_INVALID_SCALAR);
  auto off = g;
  off.x = off.x + off.x;
  scalar[3] = 0;
  CHECK(cuzk_msm(device, CUZK_BN254, CUZK_G1, 0, &off, scalar, 1, result, nullptr, &error) == CUZK_INVALID_POINT);
  CHECK(cuzk_fixed_base(device, CUZK_BN254, CUZK_G1, &off, scalar, 1, result, &error) == CUZK_INVALID_POINT);
  uint64_t zero[4] = {};
  CHECK(cuzk_ntt(device, CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 0, 29, nullptr, scalar, nullptr, &error) ==
        CUZK_INVALID_ARGUMENT);
  CHECK(cuzk_ntt(device, CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 0, 0, zero, scalar, nullptr, &error) ==
        CUZK_INVALID_ARGUMENT);
  scalar[3] = UINT64_MAX;
  CHECK(cuzk_ntt(device, CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 0, 0, nullptr, scalar, nullptr, &error) ==
        CUZK_INVALID_SCALAR);
}

TEST_CASE("submissions: handles and blinding scalars are checked") {
  TrapdoorKey<Curve> key(CUZK_BN254, CUZK_QUOTIENT_ODD_COSET, 3, 7, 1, 2);
  Device device("auto", 1), other("auto", 1);
  LoadedKey<Curve> loaded(device, key);
  auto witness = canonicalWords(key.witness);
  cuzk_proof_request request = {};
  request.witness = witness.data();
  cuzk_job *job;
  cuzk_error error;
  CHECK(cuzk_proofs_submit(other, loaded, &request, 1, &job, &error) == CUZK_INVALID_ARGUMENT);
  CHECK(cuzk_proofs_submit(device, loaded, &request, 0, &job, &error) == CUZK_INVALID_ARGUMENT);
  std::memset(request.s, 0xff, 32);
  CHECK(cuzk_proofs_submit(device, loaded, &request, 1, &job, &error) == CUZK_INVALID_ARGUMENT);
  request.witness = nullptr;
  CHECK(cuzk_proofs_submit(device, loaded, &request, 1, &job, &error) == CUZK_INVALID_ARGUMENT);
  CHECK(cuzk_proofs_wait(nullptr, nullptr, nullptr, &error) == CUZK_INVALID_ARGUMENT);
  CHECK(cuzk_key_finish(loaded, &error) == CUZK_INVALID_ARGUMENT);
  cuzk_proofs_cancel(nullptr);
  cuzk_key_destroy(nullptr);
  cuzk_device_close(nullptr);
}

}  // namespace
}  // namespace test
}  // namespace cuzk
