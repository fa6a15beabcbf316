// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "groth16/key_parts.hpp"
#include "msm/point_table.hpp"

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

  // `tables`: the most multiples that may be kept of a point, beside itself.
  ProvingKey(const Context &context, const cuzk_shape &shape, unsigned tables, PointEncoding encoding,
             const void *singlePoints)
      : Parts(context, shape, encoding, singlePoints),
        tables(tables),
        a_(context.memory, places(CUZK_QUERY_A)),
        b1_(context.memory, places(CUZK_QUERY_B1)),
        l_(context.memory, places(CUZK_QUERY_L)),
        h_(context.memory, places(CUZK_QUERY_H)),
        b2_(context.memory, places(CUZK_QUERY_B2)),
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
      markInfinite(context, queryG1(query).data(), shape.counts[query], infinite_[query]);
      fillTable(context, queryG1(query).data(), shape.counts[query], windows(query));
    }
    markInfinite(context, b2_.data(), shape.counts[CUZK_QUERY_B2], infinite_[CUZK_QUERY_B2]);
    fillTable(context, b2_.data(), shape.counts[CUZK_QUERY_B2], windows(CUZK_QUERY_B2));
  }

  const Domain<Curve> &domain() const { return domain_; }

  PointSource<Fp> a() const { return source(CUZK_QUERY_A, a_, Parts::positionsA_.data(), 0); }
  PointSource<Fp> b1() const { return source(CUZK_QUERY_B1, b1_, Parts::positionsB_.data(), 0); }
  PointSource<Fp2> b2() const { return source(CUZK_QUERY_B2, b2_, Parts::positionsB_.data(), 0); }
  PointSource<Fp> l() const { return source(CUZK_QUERY_L, l_, nullptr, uint64_t{shape.public_inputs} + 1); }
  PointSource<Fp> h() const { return source(CUZK_QUERY_H, h_, nullptr, 0); }

  const unsigned tables;

 private:
  Windows windows(unsigned query) const { return needs::windows<Curve>(shape, query, tables); }
  size_t places(unsigned query) const { return shape.counts[query] * windows(query).levels; }
  template <class F>
  PointSource<F> source(unsigned query, const Array<Affine<F>> &points, const uint32_t *positions,
                        uint64_t offset) const {
    return {points.data(), positions, offset, infinite_[query].data(), windows(query).levelBits(), shape.counts[query]};
  }
  Array<G1> &queryG1(cuzk_query query) {
    return query == CUZK_QUERY_A ? a_ : query == CUZK_QUERY_B1 ? b1_ : query == CUZK_QUERY_L ? l_ : h_;
  }

  // A bit a point: snarkjs keys have a point at infinity for every variable that a matrix does not use.
  template <class Point>
  static void markInfinite(const Context &context, const Point *points, size_t count, Array<uint64_t> &marks) {
    marks = Array<uint64_t>(context.memory, (count + 63) / 64);
    context.forRange(marks.size(), 1 << 8, [&](size_t begin, size_t end) {
      for (size_t word = begin; word < end; word++) {
        uint64_t bits = 0;
        size_t here = std::min<size_t>(64, count - 64 * word);
        for (size_t i = 0; i < here; i++) bits |= static_cast<uint64_t>(points[64 * word + i].isInfinity()) << i;
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
