// SPDX-License-Identifier: Apache-2.0
#include "curve/batch_affine.hpp"
#include "curve/fixed_multiples.hpp"
#include "groth16/combination.hpp"
#include "test/support.hpp"

namespace cuzk {
namespace test {
namespace {

// The textbook's chord and tangent.
template <class F>
Affine<F> plainSum(const Affine<F> &p, const Affine<F> &q) {
  if (p.isInfinity()) return q;
  if (q.isInfinity()) return p;
  F slope;
  if (p.x == q.x) {
    if (p.y != q.y || p.y.isZero()) return Affine<F>::infinity();
    slope = (p.x.square().twice() + p.x.square()) * p.y.twice().inverse();
  } else {
    slope = (q.y - p.y) * (q.x - p.x).inverse();
  }
  F x = slope.square() - p.x - q.x;
  return {x, slope * (p.x - x) - p.y};
}

// 0, G, ..., and negatives, so that sums meet doublings, opposites and infinity.
template <class G>
std::vector<Affine<typename G::Field>> smallMultiples(int count) {
  using F = typename G::Field;
  std::vector<Affine<F>> points = {Affine<F>::infinity()};
  for (int i = 1; i < count; i++) points.push_back(plainSum(points.back(), generator<typename G::Curve, F>()));
  for (int i = 1; i < count; i++) points.push_back(-points[static_cast<size_t>(i)]);
  return points;
}

TEST_CASE_TEMPLATE("XYZZ sums agree with chord and tangent", G, Bn254G1, Bn254G2, Bls12381G1, Bls12381G2) {
  using F = typename G::Field;
  auto points = smallMultiples<G>(6);
  for (const auto &p : points) {
    CHECK(p.isOnCurve(G::Curve::template coefficientB<F>()));
    Xyzz<F> doubled = Xyzz<F>::fromAffine(p);
    doubled.twice();
    CHECK(doubled.toAffine() == plainSum(p, p));
    for (const auto &q : points) {
      Xyzz<F> mixed = Xyzz<F>::fromAffine(p);
      mixed.add(q);
      CHECK(mixed.toAffine() == plainSum(p, q));
      // A summand whose zz is not one.
      Xyzz<F> left = doubled, right = Xyzz<F>::fromAffine(q);
      right.twice();
      left.add(right);
      CHECK(left.toAffine() == plainSum(plainSum(p, p), plainSum(q, q)));
    }
  }
}

TEST_CASE_TEMPLATE("the generators have the group's order", G, Bn254G1, Bn254G2, Bls12381G1, Bls12381G2) {
  using F = typename G::Field;
  using Fr = typename G::Curve::Fr;
  auto g = generator<typename G::Curve, F>();
  CHECK(multiple(g, -Fr::one()) == -g);
  CHECK_FALSE(multiple(g, Fr::fromInteger(2)) == -g);
}

template <class G>
void checkBatchedSums() {
  using F = typename G::Field;
  auto points = smallMultiples<G>(5);
  std::vector<Affine<F>> lefts, rights, expected;
  std::vector<bool> negated[2];
  for (const auto &p : points) {
    for (const auto &q : points) {
      for (unsigned signs = 0; signs < 4; signs++) {
        lefts.push_back(p);
        rights.push_back(q);
        negated[0].push_back((signs & 1) != 0);
        negated[1].push_back((signs & 2) != 0);
        expected.push_back(plainSum(signs & 1 ? -p : p, signs & 2 ? -q : q));
      }
    }
  }
  for (size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{47}, size_t{48}, size_t{49}, size_t{63}, lefts.size()}) {
    for (bool inPlace : {false, true}) {
      auto sums = lefts, others = lefts;
      std::vector<PointPair> pairs;
      for (size_t i = 0; i < count; i++) {
        const Affine<F> *left = inPlace ? &sums[i] : &others[i];
        pairs.push_back({summand(left, negated[0][i]), summand(&rights[i], negated[1][i]), &sums[i]});
      }
      std::vector<uint64_t> scratch(additionWords<F>(count));
      addPointPairs<F>(pairs.data(), count, scratch.data());
      for (size_t i = 0; i < sums.size(); i++) CHECK(sums[i] == (i < count ? expected[i] : lefts[i]));
    }
  }
}

TEST_CASE_TEMPLATE("prepared multiples and sums of two agree with doubling and adding", G, Bn254G1, Bn254G2, Bls12381G1,
                   Bls12381G2) {
  using F = typename G::Field;
  using Fr = typename G::Curve::Fr;
  Random random(11);
  const auto g = generator<typename G::Curve, F>();
  const auto p = multiple(g, randomScalar<Fr>(random));
  const FixedMultiples<F> prepared(p);
  std::vector<Fr> scalars = {Fr::zero(), Fr::one(), Fr::fromInteger(15), Fr::fromInteger(16), -Fr::one()};
  for (int i = 0; i < 5; i++) scalars.push_back(randomScalar<Fr>(random));
  for (const Fr &n : scalars) {
    uint64_t words[4];
    n.toCanonical(words);
    CHECK(prepared.multiply(words).toAffine() == multiple(p, n));
    for (const Fr &m : {Fr::zero(), n, -n, scalars.back()}) {
      uint64_t others[4];
      m.toCanonical(others);
      for (const auto &q : {g, p, -p, Affine<F>::infinity()}) {
        CHECK(sumOfMultiples(p, words, q, others).toAffine() == plainSum(multiple(p, n), multiple(q, m)));
      }
    }
  }
}

TEST_CASE_TEMPLATE("batched affine sums agree with chord and tangent", G, Bn254G1, Bn254G2, Bls12381G1, Bls12381G2) {
  checkBatchedSums<G>();
}

template <class C>
struct InLanesG1 {
  using Curve = C;
  using Field = typename C::Fp;
};
template <class C>
struct InLanesG2 {
  using Curve = C;
  using Field = typename C::Fp2;
};
TEST_CASE_TEMPLATE("batched affine sums in emulated lanes", G, InLanesG1<Bn254<EmulatedIfma>>,
                   InLanesG2<Bn254<EmulatedIfma>>, InLanesG1<Bls12381<EmulatedIfma>>,
                   InLanesG2<Bls12381<EmulatedIfma>>) {
  checkBatchedSums<G>();
}

template <class F>
void bigEndian(const F &element, std::vector<uint8_t> &bytes) {
  if constexpr (F::DEGREE == 2) {
    bigEndian(element.c1, bytes);
    bigEndian(element.c0, bytes);
  } else {
    uint8_t little[F::BYTES];
    writeCanonical(element, little);
    for (size_t i = F::BYTES; i-- > 0;) bytes.push_back(little[i]);
  }
}

TEST_CASE_TEMPLATE("points are read in both encodings and refused if malformed", G, Bn254G1, Bn254G2, Bls12381G1,
                   Bls12381G2) {
  using F = typename G::Field;
  const F b = G::Curve::template coefficientB<F>();
  Affine<F> read;
  for (const auto &p : smallMultiples<G>(4)) {
    std::vector<uint8_t> montgomery(sizeof p), uncompressed;
    std::memcpy(montgomery.data(), static_cast<const void *>(&p), sizeof p);
    CHECK(readPoint(PointEncoding::MONTGOMERY_LE, montgomery.data(), b, read));
    CHECK(read == p);
    bigEndian(p.x, uncompressed);
    bigEndian(p.y, uncompressed);
    if (p.isInfinity()) {
      CHECK_FALSE(readPoint(PointEncoding::UNCOMPRESSED_BE, uncompressed.data(), b, read));
      uncompressed[0] = 0x40;
    }
    CHECK(readPoint(PointEncoding::UNCOMPRESSED_BE, uncompressed.data(), b, read));
    CHECK(read == p);
    for (uint8_t flag : {0x80, 0x40}) {
      auto wrong = uncompressed;
      wrong[0] ^= flag;
      CHECK_FALSE(readPoint(PointEncoding::UNCOMPRESSED_BE, wrong.data(), b, read));
    }
    auto off = montgomery;
    off[0] ^= 1;
    CHECK_FALSE(readPoint(PointEncoding::MONTGOMERY_LE, off.data(), b, read));
    std::memset(off.data(), 0xff, F::Base::BYTES);
    CHECK_FALSE(readPoint(PointEncoding::MONTGOMERY_LE, off.data(), b, read));
  }
}

}  // namespace
}  // namespace test
}  // namespace cuzk
