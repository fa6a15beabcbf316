// SPDX-License-Identifier: Apache-2.0
#include "test/circuit.hpp"

namespace cuzk {
namespace test {
namespace {

using Curve = Bls12381<Portable>;
using Fr = Curve::Fr;

constexpr uint32_t AUXILIARY = uint32_t{1} << 31, ARGUMENT = uint32_t{1} << 30;
constexpr uint32_t PLACES = 3, PUBLICS = 1, VARIABLES = 1 + PUBLICS + PLACES;

void put(std::vector<uint8_t> &bytes, uint64_t value, size_t size) {
  const uint8_t *raw = reinterpret_cast<const uint8_t *>(&value);
  bytes.insert(bytes.end(), raw, raw + size);
}
void putWords(std::vector<uint8_t> &bytes, std::initializer_list<uint32_t> words) {
  for (uint32_t word : words) put(bytes, word, 4);
}

// One gadget at three places: (argument 0 + 5 ONE)(own) = own, and (own)(argument 1) = own. The first place's arguments
// are the input and ONE, the others' the variables of the places before and the input.
std::vector<uint8_t> matrices() {
  std::vector<uint8_t> bytes;
  for (uint64_t word : Fr::Parameters::MODULUS) put(bytes, word, 8);
  putWords(bytes, {PUBLICS, PLACES, 2, 1, 2, PLACES, 2 * PLACES});
  for (uint64_t coefficient : {1, 5}) {
    put(bytes, coefficient, 8);
    for (int i = 0; i < 3; i++) put(bytes, 0, 8);
  }
  putWords(bytes, {2, 7});
  putWords(bytes, {2, 3, 4, 5, 6, 7});
  putWords(bytes, {0, ARGUMENT, AUXILIARY, AUXILIARY, AUXILIARY, ARGUMENT | 1, AUXILIARY});
  for (uint64_t number : {1, 0, 0, 0, 0, 0, 0}) put(bytes, number, 2);
  putWords(bytes, {0, 0, 0});     // gadgets
  putWords(bytes, {0, 2, 4, 6});  // first constraints
  putWords(bytes, {0, 1, 2});     // private variables before
  putWords(bytes, {0, 0, 0});     // inputs before
  putWords(bytes, {0, 2, 4});     // first arguments
  putWords(bytes, {1, 0, AUXILIARY, 1, AUXILIARY | 1, 1});
  return bytes;
}

// The same by hand.
std::vector<cuzk_entry> entries() {
  std::vector<cuzk_entry> result;
  const auto add = [&](uint32_t matrix, uint32_t row, uint32_t column, uint8_t value) {
    cuzk_entry entry = {matrix, row, column, {}};
    entry.value[0] = value;
    result.push_back(entry);
  };
  const uint32_t first[PLACES] = {1, 2, 3}, second[PLACES] = {0, 1, 1};
  for (uint32_t place = 0; place < PLACES; place++) {
    const uint32_t own = 2 + place;
    add(0, 2 * place, 0, 5);
    add(0, 2 * place, first[place], 1);
    add(1, 2 * place, own, 1);
    add(0, 2 * place + 1, own, 1);
    add(1, 2 * place + 1, second[place], 1);
  }
  for (uint32_t i = 0; i <= PUBLICS; i++) add(0, 2 * PLACES + i, i, 1);
  return result;
}

// A key of that shape with any points.
class Key {
 public:
  explicit Key(cuzk_device *device) {
    cuzk_shape shape = {};
    shape.curve = CUZK_BLS12_381;
    shape.quotient = CUZK_QUOTIENT_MONOMIAL;
    shape.domain_log2 = 3;
    shape.public_inputs = PUBLICS;
    shape.variables = VARIABLES;
    shape.entries = entries().size();
    shape.counts[CUZK_QUERY_A] = VARIABLES;
    shape.counts[CUZK_QUERY_B1] = shape.counts[CUZK_QUERY_B2] = VARIABLES;
    shape.counts[CUZK_QUERY_L] = VARIABLES - PUBLICS - 1;
    shape.counts[CUZK_QUERY_H] = 8;
    TrapdoorKey<Curve> trapdoor(CUZK_BLS12_381, CUZK_QUOTIENT_MONOMIAL, 3, 5, 1, 7);
    const auto singles = trapdoor.singlePoints();
    REQUIRE(cuzk_key_create(device, &shape, nullptr, CUZK_POINTS_MONTGOMERY_LE, singles.data(), singles.size(), &key_,
                            nullptr) == CUZK_OK);
    for (int query = 0; query < CUZK_QUERIES; query++) {
      std::vector<uint64_t> scalars(4 * shape.counts[query]);
      for (size_t i = 0; i < scalars.size(); i += 4) scalars[i] = i + 2;
      REQUIRE(cuzk_key_append_multiples(key_, query, 0, shape.counts[query], scalars.data(), nullptr) == CUZK_OK);
    }
  }
  ~Key() { cuzk_key_destroy(key_); }
  Key(const Key &) = delete;
  Key &operator=(const Key &) = delete;
  operator cuzk_key *() const { return key_; }

 private:
  cuzk_key *key_ = nullptr;
};

cuzk_status append(cuzk_key *key, const std::vector<uint8_t> &bytes, cuzk_error *error = nullptr) {
  return cuzk_key_append_matrices(key, bytes.data(), bytes.size(), error);
}

TEST_CASE("compact matrices expand to the entries that they stand for") {
  Device device("auto");
  Key compact(device), plain(device), unsorted(device);
  REQUIRE(append(compact, matrices()) == CUZK_OK);
  CHECK(append(compact, matrices()) == CUZK_INVALID_ARGUMENT);
  const auto all = entries();
  CHECK(cuzk_key_append_entries(compact, CUZK_SCALARS_CANONICAL_LE, 1, all.data(), nullptr) == CUZK_INVALID_ARGUMENT);
  REQUIRE(cuzk_key_append_entries(plain, CUZK_SCALARS_CANONICAL_LE, all.size(), all.data(), nullptr) == CUZK_OK);
  CHECK(append(plain, matrices()) == CUZK_INVALID_ARGUMENT);
  for (size_t i = all.size(); i-- > 0;) {
    REQUIRE(cuzk_key_append_entries(unsorted, CUZK_SCALARS_CANONICAL_LE, 1, &all[i], nullptr) == CUZK_OK);
  }
  REQUIRE(cuzk_key_finish(unsorted, nullptr) == CUZK_OK);
  REQUIRE(cuzk_key_finish(compact, nullptr) == CUZK_OK);
  REQUIRE(cuzk_key_finish(plain, nullptr) == CUZK_OK);
  std::vector<uint64_t> witness(4 * VARIABLES);
  for (size_t i = 0; i < witness.size(); i += 4) witness[i] = 3 * i + 1;
  for (uint32_t matrix = 0; matrix < 3; matrix++) {
    std::vector<uint64_t> rows[3];
    cuzk_key *const keys[] = {compact, plain, unsorted};
    for (int i = 0; i < 3; i++) {
      rows[i].resize(4 * 8);
      REQUIRE(cuzk_sparse_product(keys[i], matrix, witness.data(), rows[i].data(), nullptr) == CUZK_OK);
    }
    CHECK(rows[0] == rows[1]);
    CHECK(rows[0] == rows[2]);
  }
}

TEST_CASE("compact matrices that end too early, go on too long or name what is not there are refused") {
  Device device("auto");
  Key key(device);
  const auto good = matrices();
  for (size_t length = 0; length < good.size(); length++) {
    CAPTURE(length);
    std::vector<uint8_t> bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length));
    bytes.reserve(1);
    REQUIRE(append(key, bytes) == CUZK_INVALID_ARGUMENT);
  }
  auto longer = good;
  longer.push_back(0);
  CHECK(append(key, longer) == CUZK_INVALID_ARGUMENT);
  // From the counts on every 32-bit word means something; the highest value is always wrong.
  for (size_t at = 32; at + 4 <= good.size(); at += 4) {
    const bool isCoefficient = at >= 60 && at < 124;
    // Nothing goes by the constraints of all gadgets, nor by the terms of C.
    const bool isChecked = at != 48 && at != 168 && at != 180;
    if (isCoefficient || !isChecked) continue;
    CAPTURE(at);
    auto bytes = good;
    std::memset(bytes.data() + at, 0xff, 4);
    REQUIRE(append(key, bytes) == CUZK_INVALID_ARGUMENT);
  }
  auto bytes = good;
  std::memset(bytes.data() + 60, 0xff, 32);
  cuzk_error error;
  CHECK(append(key, bytes, &error) == CUZK_INVALID_SCALAR);
  CHECK(error.detail == 0);
  CHECK(append(key, good) == CUZK_OK);
}

}  // namespace
}  // namespace test
}  // namespace cuzk
