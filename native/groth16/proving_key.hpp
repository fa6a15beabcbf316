// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "curve/encoding.hpp"
#include "groth16/needs.hpp"

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

// A Groth16 proving key in memory, filled piece by piece.
template <class Curve>
class ProvingKey {
 public:
  using Fr = typename Curve::Fr;
  using Fp = typename Curve::Fp;
  using Fp2 = typename Curve::Fp2;
  using G1 = typename Curve::G1;
  using G2 = typename Curve::G2;

  static constexpr size_t SINGLE_BYTES = 3 * sizeof(G1) + 2 * sizeof(G2);

  ProvingKey(const Context &context, const cuzk_shape &shape, PointEncoding encoding, const void *singlePoints)
      : shape(shape),
        encoding_(encoding),
        a_(context.memory, shape.counts[CUZK_QUERY_A]),
        b1_(context.memory, shape.counts[CUZK_QUERY_B1]),
        l_(context.memory, shape.counts[CUZK_QUERY_L]),
        h_(context.memory, shape.counts[CUZK_QUERY_H]),
        b2_(context.memory, shape.counts[CUZK_QUERY_B2]),
        domain_(context, shape.domain_log2, root(shape)) {
    G1 g1[3];
    G2 g2[2];
    readPoints<Curve>(context, encoding, singlePoints, 0, 3, g1);
    readPoints<Curve>(context, encoding, static_cast<const uint8_t *>(singlePoints) + sizeof g1, 3, 2, g2);
    alpha1 = g1[0], beta1 = g1[1], delta1 = g1[2];
    beta2 = g2[0], delta2 = g2[1];
    matrixBuilder_.reserve(shape.entries);
  }

  void append(const Context &context, cuzk_query query, uint64_t first, uint64_t count, const void *points,
              uint64_t bytes) {
    require(!finished_, "the key is finished already");
    require(query >= 0 && query < CUZK_QUERIES, "unknown query");
    require(first == loaded_[query], "pieces of a query must come in order, without gaps");
    require(count <= shape.counts[query] - first, "more points than the key's shape says");
    size_t size = query == CUZK_QUERY_B2 ? sizeof(G2) : sizeof(G1);
    require(bytes == count * size, "the number of bytes does not fit the number of points");
    require(points != nullptr || count == 0, "no points");
    if (query == CUZK_QUERY_B2) {
      readPoints<Curve>(context, encoding_, points, first, count, b2_.data() + first);
    } else {
      readPoints<Curve>(context, encoding_, points, first, count, queryG1(query).data() + first);
    }
    loaded_[query] += count;
  }

  void appendEntries(cuzk_scalar_encoding encoding, uint64_t count, const cuzk_entry *entries) {
    require(!finished_, "the key is finished already");
    require(encoding == CUZK_SCALARS_CANONICAL_LE || encoding == CUZK_SCALARS_MONTGOMERY_SQUARED_LE,
            "unknown scalar encoding");
    require(entries != nullptr || count == 0, "no entries");
    require(count <= shape.entries - matrixBuilder_.count(), "more matrix entries than the key's shape says");
    const uint8_t *source = reinterpret_cast<const uint8_t *>(entries);
    const Fr squared = Fr::fromLimbs(Fr::Parameters::R2);
    // Entries are counted through all pieces, so that the caller can name the place in its file.
    const uint64_t first = matrixBuilder_.count();
    for (uint64_t i = 0; i < count; i++) {
      cuzk_entry entry;
      std::memcpy(&entry, source + i * sizeof entry, sizeof entry);
      uint64_t limbs[4];
      std::memcpy(limbs, entry.value, sizeof limbs);
      if (entry.matrix > 2 || entry.row >= domain_.size() || entry.column >= shape.variables) {
        throw Failure(CUZK_INDEX_OUT_OF_RANGE, "matrix, row or column of an entry is out of range", first + i);
      }
      if (!Fr::isBelowModulus(limbs))
        throw Failure(CUZK_INVALID_SCALAR, "a coefficient is not below the group order", first + i);
      Fr value = Fr::fromLimbs(limbs);
      if (encoding == CUZK_SCALARS_CANONICAL_LE) value = value * squared * squared;
      matrixBuilder_.add(entry.matrix, entry.row, entry.column, coefficients_.add(value));
    }
  }

  void finish(const Context &context) {
    require(!finished_, "the key is finished already");
    for (unsigned query = 0; query < CUZK_QUERIES; query++) {
      if (loaded_[query] != shape.counts[query]) {
        throw Failure(CUZK_INCOMPLETE, "points are missing in query " + std::to_string(query));
      }
    }
    if (matrixBuilder_.count() != shape.entries) throw Failure(CUZK_INCOMPLETE, "matrix entries are missing");
    coefficients_.finish();
    for (unsigned i = 0; i < MatrixBuilder<Fr>::MATRICES; i++) {
      matrices_[i] = matrixBuilder_.build(context.memory, i, domain_.size());
    }
    positionsA_ = positions(context, CUZK_QUERY_A, matrices_[0]);
    positionsB_ = positions(context, CUZK_QUERY_B1, matrices_[1]);
    finished_ = true;
  }

  bool isFinished() const { return finished_; }
  const Domain<Curve> &domain() const { return domain_; }
  const SparseMatrix<Fr> &matrix(unsigned i) const { return matrices_[i]; }
  const Coefficients<Fr> &coefficients() const { return coefficients_; }

  PointSource<Fp> a() const { return {a_.data(), positionsA_.data(), 0}; }
  PointSource<Fp> b1() const { return {b1_.data(), positionsB_.data(), 0}; }
  PointSource<Fp2> b2() const { return {b2_.data(), positionsB_.data(), 0}; }
  PointSource<Fp> l() const { return {l_.data(), nullptr, uint64_t{shape.public_inputs} + 1}; }
  PointSource<Fp> h() const { return {h_.data(), nullptr, 0}; }

  // What the key holds outside of arrays that a memory account counts.
  uint64_t uncountedBytes() const { return coefficients_.bytes() + matrixBuilder_.bytes(); }

  const cuzk_shape shape;
  G1 alpha1, beta1, delta1;
  G2 beta2, delta2;

 private:
  static RootOfUnity root(const cuzk_shape &shape) {
    return shape.quotient == CUZK_QUOTIENT_ODD_COSET ? RootOfUnity::ODD_COSET : RootOfUnity::MONOMIAL;
  }

  Array<G1> &queryG1(cuzk_query query) {
    return query == CUZK_QUERY_A ? a_ : query == CUZK_QUERY_B1 ? b1_ : query == CUZK_QUERY_L ? l_ : h_;
  }

  // bellman keeps points only of variables that occur in the matrix. Empty where every variable has a point.
  Array<uint32_t> positions(const Context &context, cuzk_query query, const SparseMatrix<Fr> &matrix) const {
    if (shape.counts[query] == shape.variables) return {};
    Array<uint32_t> result(context.memory, shape.variables);
    std::fill(result.data(), result.data() + result.size(), PointSource<Fp>::ABSENT);
    for (size_t i = 0; i < matrix.termCount(); i++) result[matrix.terms()[i].column] = 0;
    uint32_t next = 0;
    for (size_t i = 0; i < result.size(); i++) {
      if (result[i] != PointSource<Fp>::ABSENT) result[i] = next++;
    }
    require(next == shape.counts[query], "a query's points are neither one a variable nor one a variable that occurs");
    return result;
  }

  const PointEncoding encoding_;
  Array<G1> a_, b1_, l_, h_;
  Array<G2> b2_;
  Array<uint32_t> positionsA_, positionsB_;
  Domain<Curve> domain_;
  MatrixBuilder<Fr> matrixBuilder_;
  Coefficients<Fr> coefficients_;
  SparseMatrix<Fr> matrices_[MatrixBuilder<Fr>::MATRICES];
  uint64_t loaded_[CUZK_QUERIES] = {};
  bool finished_ = false;
};

}  // namespace cuzk
