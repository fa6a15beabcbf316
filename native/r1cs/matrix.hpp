// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "cpu/thread_pool.hpp"

namespace cuzk {

// The distinct coefficients of a circuit's matrices. Circuits use few (1, -1, powers of two, round constants), so an
// entry keeps a number instead of 32 bytes. Beyond HASHED_LIMIT distinct values new ones are no longer looked up.
template <class Fr>
class Coefficients {
 public:
  static constexpr uint32_t UNKNOWN = UINT32_MAX;

  // The number of a value, UNKNOWN if it has none yet. For several threads at a time, as long as none adds.
  uint32_t find(const Fr &value) const {
    if (slots_.empty()) return UNKNOWN;
    for (size_t slot = hash(value) & (SLOTS - 1); slots_[slot] != EMPTY; slot = (slot + 1) & (SLOTS - 1)) {
      if (values_[slots_[slot]] == value) return slots_[slot];
    }
    return UNKNOWN;
  }
  uint32_t add(const Fr &value) {
    if (slots_.empty()) slots_.assign(SLOTS, EMPTY);
    size_t slot = hash(value) & (SLOTS - 1);
    for (; slots_[slot] != EMPTY; slot = (slot + 1) & (SLOTS - 1)) {
      if (values_[slots_[slot]] == value) return slots_[slot];
    }
    if (values_.size() >= UINT32_MAX - 1) throw Failure(CUZK_INVALID_ARGUMENT, "too many matrix entries");
    uint32_t number = static_cast<uint32_t>(values_.size());
    values_.push_back(value);
    if (number < HASHED_LIMIT) slots_[slot] = number;
    return number;
  }
  void finish() {
    std::vector<uint32_t>().swap(slots_);
    values_.shrink_to_fit();
  }
  const Fr &operator[](uint32_t number) const { return values_[number]; }
  size_t count() const { return values_.size(); }
  const Fr *data() const { return values_.data(); }
  void clear() { std::vector<Fr>().swap(values_); }
  uint64_t bytes() const { return values_.capacity() * sizeof(Fr) + slots_.capacity() * sizeof(uint32_t); }

  static constexpr uint64_t HASH_BYTES = uint64_t{4} << 17;

 private:
  static constexpr size_t SLOTS = 1 << 17;
  static constexpr uint32_t HASHED_LIMIT = 1 << 16;
  static constexpr uint32_t EMPTY = UINT32_MAX;

  static size_t hash(const Fr &value) {
    uint64_t mixed = 0;
    for (unsigned i = 0; i < 4; i++) mixed = (mixed ^ value.limb[i]) * 0x9e3779b97f4a7c15ull;
    return static_cast<size_t>(mixed >> 32);
  }

  std::vector<Fr> values_;
  std::vector<uint32_t> slots_;
};

// One matrix, sorted by row.
template <class Fr>
class SparseMatrix {
 public:
  struct Term {
    uint32_t column, coefficient;
  };

  bool isEmpty() const { return terms_.size() == 0; }
  size_t termCount() const { return terms_.size(); }
  const Term *terms() const { return terms_.data(); }
  // One more than rows: the terms of row i are starts()[i] ... starts()[i + 1] - 1.
  const uint64_t *starts() const { return starts_.data(); }

  // rows[i] = sum_j M_ij w_j in Montgomery form. Coefficients are in Montgomery form twice over (times R^2), so their
  // Montgomery product with a canonical witness value comes out right.
  void multiply(const Context &context, const Coefficients<Fr> &coefficients, const Fr *canonicalWitness,
                size_t rowCount, Fr *rows) const {
    context.forRange(rowCount, ROWS_PER_TASK, [&](size_t begin, size_t end) {
      for (size_t row = begin; row < end; row++) {
        Fr sum = Fr::zero();
        if (!isEmpty()) {
          for (uint64_t i = starts_[row]; i < starts_[row + 1]; i++) {
            sum = sum + coefficients[terms_[i].coefficient] * canonicalWitness[terms_[i].column];
          }
        }
        rows[row] = sum;
      }
    });
  }

 private:
  template <class>
  friend class MatrixBuilder;
  template <class>
  friend class CompactMatrices;

  static constexpr size_t ROWS_PER_TASK = 512;

  Array<uint64_t> starts_;
  Array<Term> terms_;
};

// Takes entries of A, B and C in any order and sorts them at the end.
template <class Fr>
class MatrixBuilder {
 public:
  static constexpr unsigned MATRICES = 3;

  struct Staged {
    uint32_t row;
    typename SparseMatrix<Fr>::Term term;
  };

  // Room for so many more entries of a matrix, which the caller fills in.
  Staged *extend(unsigned matrix, size_t count) {
    const size_t before = staged_[matrix].size();
    staged_[matrix].resize(before + count);
    return staged_[matrix].data() + before;
  }
  uint64_t count() const { return staged_[0].size() + staged_[1].size() + staged_[2].size(); }
  uint64_t bytes() const {
    uint64_t total = 0;
    for (const auto &staged : staged_) total += staged.capacity() * sizeof(Staged);
    return total;
  }
  // Room for `entries` of A and B together, so that growing never doubles what is held.
  void reserve(uint64_t entries) {
    staged_[0].reserve(static_cast<size_t>(entries / 2 + entries / 8));
    staged_[1].reserve(static_cast<size_t>(entries / 2));
  }

  SparseMatrix<Fr> build(const Context &context, unsigned matrix, size_t rowCount) {
    std::vector<Staged> staged;
    staged.swap(staged_[matrix]);
    SparseMatrix<Fr> result;
    if (staged.empty()) return result;
    result.starts_ = Array<uint64_t>(context.memory, rowCount + 1);
    result.terms_ = Array<typename SparseMatrix<Fr>::Term>(context.memory, staged.size());
    if (isAscending(context, staged)) {
      take(context, staged, rowCount, result);
    } else {
      sort(staged, rowCount, result);
    }
    return result;
  }

 private:
  static constexpr size_t ENTRIES_A_TASK = size_t{1} << 16;

  // As snarkjs and every replay of a circuit write them.
  static bool isAscending(const Context &context, const std::vector<Staged> &staged) {
    std::atomic<bool> ascending{true};
    context.forRange(staged.size(), ENTRIES_A_TASK, [&](size_t begin, size_t end) {
      for (size_t i = std::max<size_t>(begin, 1); i < end; i++) {
        if (staged[i].row < staged[i - 1].row) ascending = false;
      }
    });
    return ascending;
  }

  static void take(const Context &context, const std::vector<Staged> &staged, size_t rowCount,
                   SparseMatrix<Fr> &result) {
    uint64_t *starts = result.starts_.data();
    context.forRange(staged.size(), ENTRIES_A_TASK, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; i++) {
        // The rows from the one after the entry before on begin here.
        for (size_t row = i == 0 ? 0 : size_t{staged[i - 1].row} + 1; row <= staged[i].row; row++) starts[row] = i;
        result.terms_[i] = staged[i].term;
      }
    });
    std::fill(starts + staged.back().row + 1, starts + rowCount + 1, staged.size());
  }

  static void sort(const std::vector<Staged> &staged, size_t rowCount, SparseMatrix<Fr> &result) {
    uint64_t *starts = result.starts_.data();
    std::fill(starts, starts + rowCount + 1, 0);
    for (const Staged &entry : staged) starts[entry.row + 1]++;
    for (size_t row = 0; row < rowCount; row++) starts[row + 1] += starts[row];
    // starts[row] runs from its row's begin to its end, which is the next row's begin; then all move back by one.
    for (const Staged &entry : staged) result.terms_[starts[entry.row]++] = entry.term;
    for (size_t row = rowCount; row > 0; row--) starts[row] = starts[row - 1];
    starts[0] = 0;
  }

  std::vector<Staged> staged_[MATRICES];
};

}  // namespace cuzk
