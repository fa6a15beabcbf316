// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "curve/encoding.hpp"
#include "groth16/combination.hpp"
#include "groth16/needs.hpp"
#include "r1cs/compact_matrices.hpp"

namespace cuzk {

// Reads and checks `count` points; throws Failure(CUZK_INVALID_POINT) naming the first bad one, counted from `first`.
template <class Curve, class F>
void readPoints(const Context &context, PointEncoding encoding, const void *bytes, uint64_t first, uint64_t count,
                Affine<F> *points) {
  FirstIndex bad;
  const F b = Curve::template coefficientB<F>();
  const uint8_t *source = static_cast<const uint8_t *>(bytes);
  context.forRange(count, 1 << 11, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
      if (readPoint(encoding, source + i * sizeof(Affine<F>), b, points[i])) continue;
      bad.report(i);
      return;
    }
  });
  if (bad.any()) {
    throw Failure(CUZK_INVALID_POINT, "the point is not on the curve or a coordinate is not below the modulus",
                  first + bad.value());
  }
}

// What a proving key is besides the places of its points and matrices: shape, single points, the order in which pieces
// come, and the matrices while they are collected. Keys on the CPU and on GPUs are made of it.
template <class Curve>
class KeyParts {
 public:
  using Fr = typename Curve::Fr;
  using G1 = typename Curve::G1;
  using G2 = typename Curve::G2;

  static constexpr size_t SINGLE_BYTES = 3 * sizeof(G1) + 2 * sizeof(G2);
  static constexpr uint32_t ABSENT = UINT32_MAX;

  KeyParts(const Context &context, const cuzk_shape &shape, PointEncoding encoding, const void *singlePoints)
      : shape(shape), encoding(encoding), singles(readSingles(context, encoding, singlePoints)) {}

  // Before a piece of a query is stored; `loaded` follows when it is.
  void checkPlace(cuzk_query query, uint64_t first, uint64_t count) const {
    require(!finished_, "the key is finished already");
    require(query >= 0 && query < CUZK_QUERIES, "unknown query");
    require(first == loaded_[query], "pieces of a query must come in order, without gaps");
    require(count <= shape.counts[query] - first, "more points than the key's shape says");
  }
  void checkPiece(cuzk_query query, uint64_t first, uint64_t count, const void *points, uint64_t bytes) const {
    checkPlace(query, first, count);
    require(bytes == count * pointBytes(query), "the number of bytes does not fit the number of points");
    require(points != nullptr || count == 0, "no points");
  }
  static size_t pointBytes(cuzk_query query) { return query == CUZK_QUERY_B2 ? sizeof(G2) : sizeof(G1); }
  void loaded(cuzk_query query, uint64_t count) { loaded_[query] += count; }

  // In pieces: all threads look at the entries and find their coefficients' numbers, one adds those that are new.
  void appendEntries(const Context &context, cuzk_scalar_encoding encoding, uint64_t count, const cuzk_entry *entries) {
    require(!finished_, "the key is finished already");
    require(!isCompact_, "the key has compact matrices already");
    require(encoding == CUZK_SCALARS_CANONICAL_LE || encoding == CUZK_SCALARS_MONTGOMERY_SQUARED_LE,
            "unknown scalar encoding");
    require(entries != nullptr || count == 0, "no entries");
    // Entries are counted through all pieces, so that the caller can name the place in its file.
    const uint64_t offset = matrixBuilder_.count();
    require(count <= shape.entries - offset, "more matrix entries than the key's shape says");
    if (offset == 0) matrixBuilder_.reserve(shape.entries);
    const EntrySource source{reinterpret_cast<const uint8_t *>(entries), encoding};
    std::vector<EntrySlice> slices((count + ENTRIES_A_TASK - 1) / ENTRIES_A_TASK);
    std::vector<uint32_t> numbers(count);
    FirstIndex bad;
    context.forRange(count, ENTRIES_A_TASK, [&](size_t begin, size_t end) {
      EntrySlice &slice = slices[begin / ENTRIES_A_TASK];
      for (size_t i = begin; i < end; i++) {
        const cuzk_entry entry = source.entry(i);
        if (!isInRange(entry) || !EntrySource::isCanonical(entry)) {
          bad.report(i);
          return;
        }
        slice.counts[entry.matrix]++;
        numbers[i] = coefficients_.find(source.value(entry));
        if (numbers[i] == Coefficients<Fr>::UNKNOWN) slice.unknown.push_back(i);
      }
    });
    if (bad.any()) {
      if (isInRange(source.entry(bad.value()))) {
        throw Failure(CUZK_INVALID_SCALAR, "a coefficient is not below the group order", offset + bad.value());
      }
      throw Failure(CUZK_INDEX_OUT_OF_RANGE, "matrix, row or column of an entry is out of range", offset + bad.value());
    }
    for (const EntrySlice &slice : slices) {
      for (size_t i : slice.unknown) numbers[i] = coefficients_.add(source.value(source.entry(i)));
    }
    store(context, source, numbers, slices);
  }

  // All entries at once, see r1cs/compact_matrices.hpp.
  void appendMatrices(const Context &context, const void *matrices, uint64_t bytes) {
    require(!finished_, "the key is finished already");
    require(!isCompact_ && matrixBuilder_.count() == 0, "the key has matrix entries already");
    CompactMatrices<Fr> compact(matrices, bytes, shape);
    compact.expand(context, rows(), coefficients_, matrices_);
    isCompact_ = true;
  }

  // Sorts the matrices; nothing may be appended afterwards.
  void finishParts(const Context &context) {
    require(!finished_, "the key is finished already");
    for (unsigned query = 0; query < CUZK_QUERIES; query++) {
      if (loaded_[query] != shape.counts[query]) {
        throw Failure(CUZK_INCOMPLETE, "points are missing in query " + std::to_string(query));
      }
    }
    if (!isCompact_) {
      if (matrixBuilder_.count() != shape.entries) throw Failure(CUZK_INCOMPLETE, "matrix entries are missing");
      for (unsigned i = 0; i < MatrixBuilder<Fr>::MATRICES; i++) {
        matrices_[i] = matrixBuilder_.build(context, i, rows());
      }
    }
    coefficients_.finish();
    positionsA_ = positions(context, CUZK_QUERY_A, matrices_[0]);
    positionsB_ = positions(context, CUZK_QUERY_B1, matrices_[1]);
    finished_ = true;
  }

  bool isFinished() const { return finished_; }
  size_t rows() const { return size_t{1} << shape.domain_log2; }
  const SparseMatrix<Fr> &matrix(unsigned i) const { return matrices_[i]; }
  const Coefficients<Fr> &coefficients() const { return coefficients_; }

  // What the key holds outside of arrays that a memory account counts.
  uint64_t uncountedBytes() const { return coefficients_.bytes() + matrixBuilder_.bytes(); }

  const cuzk_shape shape;
  const PointEncoding encoding;
  const SinglePoints<Curve> singles;

 protected:
  // The place of each variable's point in the queries A, and B1 and B2; empty where every variable has one.
  Array<uint32_t> positionsA_, positionsB_;
  Coefficients<Fr> coefficients_;
  SparseMatrix<Fr> matrices_[MatrixBuilder<Fr>::MATRICES];

 private:
  static SinglePoints<Curve> readSingles(const Context &context, PointEncoding encoding, const void *bytes) {
    G1 g1[3];
    G2 g2[2];
    readPoints<Curve>(context, encoding, bytes, 0, 3, g1);
    readPoints<Curve>(context, encoding, static_cast<const uint8_t *>(bytes) + sizeof g1, 3, 2, g2);
    return {g1, g2};
  }

  // bellman keeps points only of variables that occur in the matrix. Empty where every variable has a point.
  Array<uint32_t> positions(const Context &context, cuzk_query query, const SparseMatrix<Fr> &matrix) const {
    if (shape.counts[query] == shape.variables) return {};
    Array<uint32_t> result(context.memory, shape.variables);
    uint32_t *places = result.data();
    context.forRange(result.size(), VARIABLES_A_TASK,
                     [&](size_t begin, size_t end) { std::fill(places + begin, places + end, ABSENT); });
    context.forRange(matrix.termCount(), VARIABLES_A_TASK, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; i++) __atomic_store_n(places + matrix.terms()[i].column, 0, __ATOMIC_RELAXED);
    });
    std::vector<uint32_t> before((result.size() + VARIABLES_A_TASK - 1) / VARIABLES_A_TASK + 1);
    context.forRange(result.size(), VARIABLES_A_TASK, [&](size_t begin, size_t end) {
      before[begin / VARIABLES_A_TASK + 1] =
          static_cast<uint32_t>(std::count(places + begin, places + end, uint32_t{0}));
    });
    for (size_t i = 1; i < before.size(); i++) before[i] += before[i - 1];
    require(before.back() == shape.counts[query],
            "a query's points are neither one a variable nor one a variable that occurs");
    context.forRange(result.size(), VARIABLES_A_TASK, [&](size_t begin, size_t end) {
      uint32_t next = before[begin / VARIABLES_A_TASK];
      for (size_t i = begin; i < end; i++) {
        if (places[i] != ABSENT) places[i] = next++;
      }
    });
    return result;
  }

  // Entries as the caller has them, perhaps unaligned.
  struct EntrySource {
    const uint8_t *bytes;
    cuzk_scalar_encoding encoding;

    cuzk_entry entry(size_t i) const {
      cuzk_entry result;
      std::memcpy(&result, bytes + i * sizeof result, sizeof result);
      return result;
    }
    static bool isCanonical(const cuzk_entry &entry) {
      uint64_t limbs[4];
      std::memcpy(limbs, entry.value, sizeof limbs);
      return Fr::isBelowModulus(limbs);
    }
    // Times R^2.
    Fr value(const cuzk_entry &entry) const {
      uint64_t limbs[4];
      std::memcpy(limbs, entry.value, sizeof limbs);
      const Fr value = Fr::fromLimbs(limbs), squared = Fr::fromLimbs(Fr::Parameters::R2);
      return encoding == CUZK_SCALARS_CANONICAL_LE ? value * squared * squared : value;
    }
  };
  // What one task found: entries of each matrix, and which have coefficients without a number.
  struct EntrySlice {
    size_t counts[MatrixBuilder<Fr>::MATRICES] = {};
    std::vector<size_t> unknown;
  };

  bool isInRange(const cuzk_entry &entry) const {
    return entry.matrix < MatrixBuilder<Fr>::MATRICES && entry.row < rows() && entry.column < shape.variables;
  }

  // In their order, each slice at its place.
  void store(const Context &context, const EntrySource &source, const std::vector<uint32_t> &numbers,
             std::vector<EntrySlice> &slices) {
    using Staged = typename MatrixBuilder<Fr>::Staged;
    Staged *places[MatrixBuilder<Fr>::MATRICES];
    for (unsigned m = 0; m < MatrixBuilder<Fr>::MATRICES; m++) {
      size_t total = 0;
      for (EntrySlice &slice : slices) {
        const size_t here = slice.counts[m];
        slice.counts[m] = total;  // from now on where the slice's next one goes
        total += here;
      }
      places[m] = matrixBuilder_.extend(m, total);
    }
    context.forRange(numbers.size(), ENTRIES_A_TASK, [&](size_t begin, size_t end) {
      EntrySlice &slice = slices[begin / ENTRIES_A_TASK];
      for (size_t i = begin; i < end; i++) {
        const cuzk_entry entry = source.entry(i);
        places[entry.matrix][slice.counts[entry.matrix]++] = {entry.row, {entry.column, numbers[i]}};
      }
    });
  }

  static constexpr size_t ENTRIES_A_TASK = size_t{1} << 12;
  static constexpr size_t VARIABLES_A_TASK = size_t{1} << 16;

  MatrixBuilder<Fr> matrixBuilder_;
  uint64_t loaded_[CUZK_QUERIES] = {};
  bool isCompact_ = false, finished_ = false;
};

}  // namespace cuzk
