// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <thread>

#include "curve/curves.hpp"
#include "msm/msm.hpp"
#include "ntt/ntt.hpp"
#include "r1cs/matrix.hpp"

namespace cuzk {

// The formulas for what keys and proofs take on the CPU: the one place that cuzk_plan_needs, memory limits and the test
// that compares plans with allocations go by. Sizes do not depend on the arithmetic, so the portable one stands for
// all.

// Threads a device may have at most; per-thread scratch memory is planned for all of them.
inline unsigned maximumThreads() {
  return std::max(16u, std::thread::hardware_concurrency());
}

namespace needs {

// Entries are planned as if all coefficients were distinct; equal ones are stored once, so a key may take less by up to
// 32 bytes an entry.
inline uint64_t matrixBytes(const cuzk_shape &shape) {
  using Fr = Bn254<Portable>::Fr;
  using Term = SparseMatrix<Fr>::Term;
  uint64_t rows = (uint64_t{1} << shape.domain_log2) + 1;
  uint64_t matrices = shape.entries == 0 ? 0 : MatrixBuilder<Fr>::MATRICES;
  return matrices * rows * sizeof(uint64_t) + shape.entries * (sizeof(Term) + sizeof(Fr));
}

inline bool isPartial(const cuzk_shape &shape, unsigned query) {
  return shape.counts[query] != shape.variables;
}

// How the scalars of a query's sum are cut.
template <class Curve>
Windows windows(const cuzk_shape &shape, unsigned query, unsigned tables) {
  using Shared = SharedDigits<typename Curve::Fr>;
  return Shared::windows(query == CUZK_QUERY_H ? shape.counts[query] : shape.variables, tables);
}

// Multiples of a point, beside itself, that a key keeps where it may keep so many.
template <class Curve>
unsigned tablesKept(const cuzk_shape &shape, unsigned tables) {
  return std::max(windows<Curve>(shape, CUZK_QUERY_A, tables).levels,
                  windows<Curve>(shape, CUZK_QUERY_H, tables).levels) -
         1;
}

template <class Curve>
uint64_t keyBytes(const cuzk_shape &shape, unsigned tables) {
  const uint64_t levels = windows<Curve>(shape, CUZK_QUERY_A, tables).levels;
  uint64_t g1 = (shape.counts[CUZK_QUERY_A] + shape.counts[CUZK_QUERY_B1] + shape.counts[CUZK_QUERY_L]) * levels +
                shape.counts[CUZK_QUERY_H] * windows<Curve>(shape, CUZK_QUERY_H, tables).levels;
  uint64_t positions = (isPartial(shape, CUZK_QUERY_A) + isPartial(shape, CUZK_QUERY_B1)) * shape.variables * 4;
  uint64_t marks = 0;
  for (unsigned query = 0; query < CUZK_QUERIES; query++) marks += (shape.counts[query] + 63) / 64 * 8;
  return marks + g1 * sizeof(typename Curve::G1) + shape.counts[CUZK_QUERY_B2] * levels * sizeof(typename Curve::G2) +
         positions + matrixBytes(shape) + Domain<Curve>::bytes(shape.domain_log2);
}

// Of a thread, for the five sums.
template <class Curve>
size_t scratchBytes(uint64_t variables, uint64_t rows, unsigned tables) {
  using Fp = typename Curve::Fp;
  using Shared = SharedDigits<typename Curve::Fr>;
  return std::max({Shared::template scratchBytes<typename Curve::Fp2>(variables, tables),
                   Shared::template scratchBytes<Fp>(variables, tables),
                   Shared::template scratchBytes<Fp>(rows, tables)});
}

// A proof's worst moment is either the transforms (a, b and c at once) or the sums, all five at once.
template <class Curve>
uint64_t proofBytes(const cuzk_shape &shape, unsigned threads, unsigned tables) {
  using Fr = typename Curve::Fr;
  using Fp = typename Curve::Fp;
  using Shared = SharedDigits<Fr>;
  uint64_t domain = uint64_t{1} << shape.domain_log2, count = shape.variables, rows = shape.counts[CUZK_QUERY_H];
  uint64_t transforms = 3 * domain * sizeof(Fr) + Domain<Curve>::workBytes(shape.domain_log2, threads);
  uint64_t digits = Shared::bytes(count, threads, tables) + Shared::bytes(rows, threads, tables);
  uint64_t sums = 3 * Shared::template sumBytes<Fp>(count, tables) +
                  Shared::template sumBytes<typename Curve::Fp2>(count, tables) +
                  Shared::template sumBytes<Fp>(rows, tables) +
                  SumScheduler::bytes(threads, scratchBytes<Curve>(count, rows, tables));
  return std::max(transforms, digits + std::max(domain * sizeof(Fr), sums));
}

template <class Curve>
cuzk_needs of(const cuzk_shape &shape, unsigned tables = 0) {
  cuzk_needs result = {};
  result.key_bytes = keyBytes<Curve>(shape, tables);
  result.proof_bytes = proofBytes<Curve>(shape, maximumThreads(), tables);
  result.pinned_bytes = shape.variables * 32;
  // While a key is loaded: matrix entries before they are sorted (with their vectors' room to grow), and the table that
  // finds equal coefficients.
  result.host_bytes =
      shape.entries == 0 ? 0 : shape.entries * 24 + Coefficients<typename Curve::Fr>::HASH_BYTES + shape.entries * 32;
  return result;
}

}  // namespace needs

// Throws Failure(CUZK_INVALID_ARGUMENT) unless a key can have this shape.
inline void checkShape(const cuzk_shape &shape) {
  require(shape.curve == CUZK_BN254 || shape.curve == CUZK_BLS12_381, "shape: unknown curve");
  require(shape.quotient == CUZK_QUOTIENT_ODD_COSET || shape.quotient == CUZK_QUOTIENT_MONOMIAL,
          "shape: unknown quotient form");
  unsigned adicity = shape.curve == CUZK_BN254 ? Bn254Constants::TWO_ADICITY : Bls12381Constants::TWO_ADICITY;
  // The odd coset needs a root of unity of twice the domain's order.
  unsigned largest = shape.quotient == CUZK_QUOTIENT_ODD_COSET ? adicity - 1 : adicity;
  require(shape.domain_log2 >= 1 && shape.domain_log2 <= std::min(largest, 30u),
          "shape: the domain is larger than the field has roots of unity for");
  uint64_t rows = uint64_t{1} << shape.domain_log2;
  require(shape.variables >= 1 && shape.variables < (uint64_t{1} << 31), "shape: variables must be 1 to 2^31 - 1");
  require(shape.public_inputs < shape.variables, "shape: more public inputs than variables");
  require(shape.entries < (uint64_t{1} << 40), "shape: more matrix entries than can be addressed");
  require(shape.counts[CUZK_QUERY_A] <= shape.variables && shape.counts[CUZK_QUERY_B1] <= shape.variables,
          "shape: a query has more points than there are variables");
  require(shape.counts[CUZK_QUERY_B1] == shape.counts[CUZK_QUERY_B2],
          "shape: the B query has different numbers of points in G1 and G2");
  require(shape.counts[CUZK_QUERY_L] == shape.variables - shape.public_inputs - 1,
          "shape: the L query needs one point a private variable");
  bool odd = shape.quotient == CUZK_QUOTIENT_ODD_COSET;
  require(odd ? shape.counts[CUZK_QUERY_H] == rows
              : shape.counts[CUZK_QUERY_H] == rows || shape.counts[CUZK_QUERY_H] == rows - 1,
          "shape: the H query needs one point a row of the domain");
}

}  // namespace cuzk
