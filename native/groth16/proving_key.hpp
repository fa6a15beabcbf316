// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "groth16/key_parts.hpp"

namespace cuzk {

// A Groth16 proving key in the CPU's memory, filled piece by piece.
template <class Curve>
class ProvingKey : public KeyParts<Curve> {
 public:
  using Fp = typename Curve::Fp;
  using Fp2 = typename Curve::Fp2;
  using G1 = typename Curve::G1;
  using G2 = typename Curve::G2;
  using Parts = KeyParts<Curve>;
  using Parts::shape;

  ProvingKey(const Context &context, const cuzk_shape &shape, PointEncoding encoding, const void *singlePoints)
      : Parts(context, shape, encoding, singlePoints),
        a_(context.memory, shape.counts[CUZK_QUERY_A]),
        b1_(context.memory, shape.counts[CUZK_QUERY_B1]),
        l_(context.memory, shape.counts[CUZK_QUERY_L]),
        h_(context.memory, shape.counts[CUZK_QUERY_H]),
        b2_(context.memory, shape.counts[CUZK_QUERY_B2]),
        domain_(context, shape.domain_log2,
                shape.quotient == CUZK_QUOTIENT_ODD_COSET ? RootOfUnity::ODD_COSET : RootOfUnity::MONOMIAL) {}

  void append(const Context &context, cuzk_query query, uint64_t first, uint64_t count, const void *points,
              uint64_t bytes) {
    Parts::checkPiece(query, first, count, points, bytes);
    if (query == CUZK_QUERY_B2) {
      readPoints<Curve>(context, Parts::encoding, points, first, count, b2_.data() + first);
    } else {
      readPoints<Curve>(context, Parts::encoding, points, first, count, queryG1(query).data() + first);
    }
    Parts::loaded(query, count);
  }

  void finish(const Context &context) {
    Parts::finishParts(context);
    for (cuzk_query query : {CUZK_QUERY_A, CUZK_QUERY_B1, CUZK_QUERY_L, CUZK_QUERY_H}) {
      markInfinite(context, queryG1(query), infinite_[query]);
    }
    markInfinite(context, b2_, infinite_[CUZK_QUERY_B2]);
  }

  const Domain<Curve> &domain() const { return domain_; }

  PointSource<Fp> a() const { return {a_.data(), Parts::positionsA_.data(), 0, infinite_[CUZK_QUERY_A].data()}; }
  PointSource<Fp> b1() const { return {b1_.data(), Parts::positionsB_.data(), 0, infinite_[CUZK_QUERY_B1].data()}; }
  PointSource<Fp2> b2() const { return {b2_.data(), Parts::positionsB_.data(), 0, infinite_[CUZK_QUERY_B2].data()}; }
  PointSource<Fp> l() const {
    return {l_.data(), nullptr, uint64_t{shape.public_inputs} + 1, infinite_[CUZK_QUERY_L].data()};
  }
  PointSource<Fp> h() const { return {h_.data(), nullptr, 0, infinite_[CUZK_QUERY_H].data()}; }

 private:
  Array<G1> &queryG1(cuzk_query query) {
    return query == CUZK_QUERY_A ? a_ : query == CUZK_QUERY_B1 ? b1_ : query == CUZK_QUERY_L ? l_ : h_;
  }

  // A bit a point: snarkjs keys have a point at infinity for every variable that a matrix does not use.
  template <class Point>
  static void markInfinite(const Context &context, const Array<Point> &points, Array<uint64_t> &marks) {
    marks = Array<uint64_t>(context.memory, (points.size() + 63) / 64);
    context.forRange(marks.size(), 1 << 8, [&](size_t begin, size_t end) {
      for (size_t word = begin; word < end; word++) {
        uint64_t bits = 0;
        size_t count = std::min<size_t>(64, points.size() - 64 * word);
        for (size_t i = 0; i < count; i++) bits |= static_cast<uint64_t>(points[64 * word + i].isInfinity()) << i;
        marks[word] = bits;
      }
    });
  }

  Array<G1> a_, b1_, l_, h_;
  Array<G2> b2_;
  Array<uint64_t> infinite_[CUZK_QUERIES];
  Domain<Curve> domain_;
};

}  // namespace cuzk
