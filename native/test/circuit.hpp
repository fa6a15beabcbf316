// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "test/support.hpp"

namespace cuzk {
namespace test {

// A small random circuit that its random witness satisfies, and a key for it whose trapdoor is known.
template <class C>
struct TrapdoorKey {
  using Curve = C;
  using Fr = typename C::Fr;
  using Fp = typename C::Fp;
  using Fp2 = typename C::Fp2;
  struct Entry {
    uint32_t matrix, row, column;
    Fr value;
  };

  TrapdoorKey(cuzk_curve curve, cuzk_quotient quotient, unsigned log, uint32_t variables, uint32_t publics,
              uint64_t seed)
      : random(seed), log(log), rows(size_t{1} << log) {
    for (Fr *secret : {&alpha, &beta, &delta, &tau}) *secret = randomScalar<Fr>(random);
    makeCircuit(variables, quotient == CUZK_QUOTIENT_MONOMIAL);
    evaluateColumns(quotient);
    shape.curve = curve;
    shape.quotient = quotient;
    shape.domain_log2 = log;
    shape.public_inputs = publics;
    shape.variables = variables;
    makeQueries(quotient);
    for (const Entry &entry : entries) shape.entries += quotient == CUZK_QUOTIENT_MONOMIAL || entry.matrix < 2;
  }

  // Of variable i: u_i(tau), v_i(tau), w_i(tau).
  std::vector<Fr> u, v, w;
  std::vector<Fr> witness;
  std::vector<Entry> entries;
  std::vector<Fr> queries[CUZK_QUERIES];  // logarithms of the points
  Fr alpha, beta, delta, tau;
  Random random;
  cuzk_shape shape = {};
  const unsigned log;
  const size_t rows;

  // alpha1, beta1, delta1, beta2, delta2 in Montgomery form.
  std::vector<uint8_t> singlePoints() const {
    std::vector<uint8_t> bytes;
    for (const Fr &k : {alpha, beta, delta}) append(bytes, multiple(C::generatorG1(), k));
    for (const Fr &k : {beta, delta}) append(bytes, multiple(C::generatorG2(), k));
    return bytes;
  }

  std::vector<uint8_t> points(int query) const {
    std::vector<uint8_t> bytes;
    for (const Fr &k : queries[query]) {
      if (query == CUZK_QUERY_B2) {
        append(bytes, multiple(C::generatorG2(), k));
      } else {
        append(bytes, multiple(C::generatorG1(), k));
      }
    }
    return bytes;
  }

  std::vector<cuzk_entry> encodedEntries(cuzk_scalar_encoding encoding) const {
    std::vector<cuzk_entry> result;
    const Fr squared = Fr::fromLimbs(Fr::Parameters::R2);
    for (const Entry &entry : entries) {
      if (shape.quotient == CUZK_QUOTIENT_ODD_COSET && entry.matrix == 2) continue;
      cuzk_entry encoded = {entry.matrix, entry.row, entry.column, {}};
      uint64_t words[4];
      // Montgomery form of value * R is value * R^2.
      Fr value = encoding == CUZK_SCALARS_CANONICAL_LE ? entry.value : entry.value * squared * squared;
      value.toCanonical(words);
      std::memcpy(encoded.value, words, 32);
      result.push_back(encoded);
    }
    return result;
  }

  // The proof that the blinding scalars must give: A and B by definition, C from the verification equation
  // A B = alpha beta + sum_public w_i (beta u_i + alpha v_i + w_i) + C delta.
  void expected(const Fr &r, const Fr &s, Fr &a, Fr &b, Fr &c) const {
    a = alpha + r * delta;
    b = beta + s * delta;
    Fr publics = Fr::zero();
    for (size_t i = 0; i < witness.size(); i++) {
      a = a + witness[i] * u[i];
      b = b + witness[i] * v[i];
      if (i <= shape.public_inputs) publics = publics + witness[i] * (beta * u[i] + alpha * v[i] + w[i]);
    }
    c = (a * b - alpha * beta - publics) * delta.inverse();
  }

 private:
  template <class F>
  static void append(std::vector<uint8_t> &bytes, const Affine<F> &point) {
    const uint8_t *raw = reinterpret_cast<const uint8_t *>(&point);
    bytes.insert(bytes.end(), raw, raw + sizeof point);
  }

  void makeCircuit(uint32_t variables, bool leaveOut) {
    witness.push_back(Fr::one());
    while (witness.size() < variables) {
      witness.push_back(random() % 3 == 0 ? Fr::fromInteger(random() % 2) : randomScalar<Fr>(random));
    }
    for (uint32_t row = 0; row < rows; row++) {
      Fr sides[2] = {Fr::zero(), Fr::zero()};
      for (uint32_t matrix = 0; matrix < 2; matrix++) {
        for (int i = 0; i < 3; i++) {
          uint32_t column = static_cast<uint32_t>(random() % variables);
          // Variables that never occur in B, so that bellman's form has fewer points there.
          if (leaveOut && matrix == 1 && column % 4 == 3) continue;
          Fr value = random() % 2 == 0 ? Fr::one() : randomScalar<Fr>(random);
          entries.push_back({matrix, row, column, value});
          sides[matrix] = sides[matrix] + value * witness[column];
        }
      }
      entries.push_back({2, row, 0, sides[0] * sides[1]});
    }
  }

  // L_row(tau) over the domain of the root's powers: w^row (tau^n - 1) / (n (tau - w^row)).
  std::vector<Fr> lagrange(size_t size, const Fr &root) const {
    std::vector<Fr> values;
    Fr numerator = (tau.power(size) - Fr::one()) * Fr::fromInteger(size).inverse(), x = Fr::one();
    for (size_t i = 0; i < size; i++, x = x * root) values.push_back(x * numerator * (tau - x).inverse());
    return values;
  }

  static Fr rootOf(cuzk_quotient quotient, unsigned order) {
    using K = typename C::Constants;
    Fr root = Fr::fromLimbs(quotient == CUZK_QUOTIENT_ODD_COSET ? K::ROOT_ODD_COSET : K::ROOT_MONOMIAL);
    for (unsigned i = order; i < K::TWO_ADICITY; i++) root = root.square();
    return root;
  }

  void evaluateColumns(cuzk_quotient quotient) {
    auto basis = lagrange(rows, rootOf(quotient, log));
    u.assign(witness.size(), Fr::zero());
    v = w = u;
    for (const Entry &entry : entries) {
      auto &column = entry.matrix == 0 ? u : entry.matrix == 1 ? v : w;
      column[entry.column] = column[entry.column] + entry.value * basis[entry.row];
    }
  }

  void makeQueries(cuzk_quotient quotient) {
    Fr inverse = delta.inverse();
    bool sparse = quotient == CUZK_QUOTIENT_MONOMIAL;
    for (size_t i = 0; i < witness.size(); i++) {
      if (!sparse || !u[i].isZero()) queries[CUZK_QUERY_A].push_back(u[i]);
      if (!sparse || !v[i].isZero()) queries[CUZK_QUERY_B1].push_back(v[i]);
      if (i > shape.public_inputs) queries[CUZK_QUERY_L].push_back((beta * u[i] + alpha * v[i] + w[i]) * inverse);
    }
    queries[CUZK_QUERY_B2] = queries[CUZK_QUERY_B1];
    if (sparse) {
      Fr power = (tau.power(rows) - Fr::one()) * inverse;
      for (size_t j = 0; j + 1 < rows; j++, power = power * tau) queries[CUZK_QUERY_H].push_back(power);
    } else {
      auto basis = lagrange(2 * rows, rootOf(quotient, log + 1));
      for (size_t j = 0; j < rows; j++) queries[CUZK_QUERY_H].push_back(basis[2 * j + 1] * inverse);
    }
    for (int query = 0; query < CUZK_QUERIES; query++) shape.counts[query] = queries[query].size();
  }
};

// How the points of a key come.
enum class PointsFrom { MEMORY, FILE, SCALARS };

// A file that is gone at the end of the scope.
class TemporaryFile {
 public:
  TemporaryFile() {
    const int descriptor = mkstemp(path_);
    REQUIRE(descriptor >= 0);
    close(descriptor);
  }
  ~TemporaryFile() { unlink(path_); }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  const char *path() const { return path_; }
  void write(const std::vector<uint8_t> &bytes) const {
    std::FILE *file = std::fopen(path_, "wb");
    REQUIRE(file != nullptr);
    CHECK(std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size());
    std::fclose(file);
  }

 private:
  char path_[32] = "/tmp/cuzk-test-XXXXXX";
};

// A key handle filled from a TrapdoorKey.
template <class C>
class LoadedKey {
 public:
  LoadedKey(cuzk_device *device, const TrapdoorKey<C> &key,
            cuzk_scalar_encoding encoding = CUZK_SCALARS_MONTGOMERY_SQUARED_LE, const cuzk_plan *plan = nullptr,
            PointsFrom from = PointsFrom::MEMORY) {
    cuzk_error error = {};
    auto singles = key.singlePoints();
    REQUIRE(cuzk_key_create(device, &key.shape, plan, CUZK_POINTS_MONTGOMERY_LE, singles.data(), singles.size(),
                            &handle_, &error) == CUZK_OK);
    std::vector<uint8_t> all(7);  // the queries begin at an odd offset
    for (int query = 0; query < CUZK_QUERIES; query++) {
      auto bytes = key.points(query);
      all.insert(all.end(), bytes.begin(), bytes.end());
    }
    file_.write(all);
    uint64_t offset = 7;
    for (int query = 0; query < CUZK_QUERIES; query++) {
      const uint64_t count = key.shape.counts[query],
                     size = query == CUZK_QUERY_B2 ? sizeof(typename C::G2) : sizeof(typename C::G1);
      const auto scalars = canonicalWords(key.queries[query]);
      // In two pieces.
      const uint64_t half = count / 3;
      for (auto [first, last] : {std::pair{uint64_t{0}, half}, std::pair{half, count}}) {
        const uint64_t place = offset + first * size;
        switch (from) {
          case PointsFrom::MEMORY:
            REQUIRE(cuzk_key_append(handle_, query, first, last - first, all.data() + place, (last - first) * size,
                                    &error) == CUZK_OK);
            break;
          case PointsFrom::FILE:
            REQUIRE(cuzk_key_append_file(handle_, query, first, last - first, file_.path(), place, &error) == CUZK_OK);
            break;
          case PointsFrom::SCALARS:
            REQUIRE(cuzk_key_append_multiples(handle_, query, first, last - first, scalars.data() + 4 * first,
                                              &error) == CUZK_OK);
        }
      }
      offset += count * size;
    }
    auto entries = key.encodedEntries(encoding);
    REQUIRE(cuzk_key_append_entries(handle_, encoding, entries.size(), entries.data(), &error) == CUZK_OK);
    cuzk_status status = cuzk_key_finish(handle_, &error);
    REQUIRE_MESSAGE(status == CUZK_OK, error.text);
  }
  ~LoadedKey() { cuzk_key_destroy(handle_); }
  LoadedKey(const LoadedKey &) = delete;
  LoadedKey &operator=(const LoadedKey &) = delete;
  operator cuzk_key *() const { return handle_; }
  const TemporaryFile &file() const { return file_; }

 private:
  cuzk_key *handle_ = nullptr;
  TemporaryFile file_;
};

}  // namespace test
}  // namespace cuzk
