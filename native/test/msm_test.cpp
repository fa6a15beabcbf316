// SPDX-License-Identifier: Apache-2.0
#include "test/support.hpp"

namespace cuzk {
namespace test {
namespace {

// Points with known logarithms, so that a whole sum is checked by one multiplication. Repeated points, opposite points
// and infinity are sprinkled in.
template <class G>
struct Points {
  using F = typename G::Field;
  using Fr = typename G::Curve::Fr;

  explicit Points(size_t count, uint64_t seed) {
    Random random(seed);
    Xyzz<F> running = Xyzz<F>::infinity();
    auto g = generator<typename G::Curve, F>();
    std::vector<Affine<F>> distinct;
    for (int i = 0; i < 40; i++) {
      running.add(g);
      distinct.push_back(running.toAffine());
    }
    for (size_t i = 0; i < count; i++) {
      size_t which = random() % distinct.size();
      Fr logarithm = Fr::fromInteger(which + 1);
      switch (random() % 8) {
        case 0:
          add(Affine<F>::infinity(), Fr::zero());
          break;
        case 1:
          add(-distinct[which], -logarithm);
          break;
        default:
          add(distinct[which], logarithm);
      }
    }
  }
  void add(const Affine<F> &point, const Fr &logarithm) {
    points.push_back(point);
    logarithms.push_back(logarithm);
  }

  std::vector<Affine<F>> points;
  std::vector<Fr> logarithms;
};

enum class Mix { DENSE, SPRINKLED, BITS };

template <class Fr>
Fr scalarOf(Mix mix, Random &random) {
  if (mix == Mix::BITS) return random() % 50 == 0 ? randomScalar<Fr>(random) : Fr::fromInteger(random() % 2);
  if (mix == Mix::SPRINKLED) {
    switch (random() % 6) {
      case 0:
        return Fr::zero();
      case 1:
        return Fr::one();
      case 2:
        return -Fr::one();
      case 3:
        return Fr::fromInteger(random() % 100000);
    }
  }
  return randomScalar<Fr>(random);
}

template <class G>
void checkSum(cuzk_device *device, const Points<G> &points, size_t count, Mix mix, uint64_t seed) {
  using Fr = typename G::Curve::Fr;
  Random random(seed);
  std::vector<Fr> scalars;
  Fr logarithm = Fr::zero();
  for (size_t i = 0; i < count; i++) {
    scalars.push_back(scalarOf<Fr>(mix, random));
    logarithm = logarithm + scalars[i] * points.logarithms[i];
  }
  auto words = canonicalWords(scalars);
  auto expected = canonicalBytes(multiple(generator<typename G::Curve, typename G::Field>(), logarithm));
  std::vector<uint8_t> result(expected.size());
  cuzk_error error;
  cuzk_status status = cuzk_msm(device, G::curve, G::group, CUZK_POINTS_MONTGOMERY_LE, points.points.data(),
                                words.data(), count, result.data(), nullptr, &error);
  REQUIRE_MESSAGE(status == CUZK_OK, error.text);
  CAPTURE(count);
  REQUIRE(result == expected);
}

TEST_CASE_TEMPLATE("sums of up to 300 points", G, Bn254G1, Bn254G2, Bls12381G1, Bls12381G2) {
  Points<G> points(300, 1);
  for (const char *arithmetic : arithmetics()) {
    Device device(arithmetic);
    bool best = arithmetic == arithmetics().back();
    for (size_t count = 0; count <= 300; count += best ? 1 : 37) {
      checkSum(device, points, count, Mix::SPRINKLED, count);
    }
  }
}

TEST_CASE_TEMPLATE("sums around powers of two", G, Bn254G1, Bn254G2, Bls12381G1, Bls12381G2) {
  Points<G> points((1 << 12) + 1, 2);
  Device device("auto", 3);
  for (int log = 9; log <= 12; log++) {
    for (int difference = -1; difference <= 1; difference++) {
      size_t count = static_cast<size_t>((1 << log) + difference);
      checkSum(device, points, count, Mix::DENSE, count);
      checkSum(device, points, count, Mix::BITS, count);
    }
  }
}

TEST_CASE("a long sum on one thread and on several") {
  Points<Bn254G1> points(40000, 3);
  for (int threads : {1, 2, 5}) {
    Device device("auto", threads);
    checkSum(device, points, 40000, Mix::DENSE, 5);
    checkSum(device, points, 40000, Mix::BITS, 5);
  }
}

TEST_CASE_TEMPLATE("the same point many times", G, Bn254G1, Bls12381G2) {
  using F = typename G::Field;
  using Fr = typename G::Curve::Fr;
  auto g = generator<typename G::Curve, F>();
  Device device("auto");
  size_t count = 3000;
  std::vector<Affine<F>> points(count, g);
  for (const Fr &scalar : {Fr::one(), -Fr::one(), Fr::fromInteger(12345), Fr::fromInteger(3).inverse()}) {
    auto words = canonicalWords(std::vector<Fr>(count, scalar));
    std::vector<uint8_t> result(sizeof g);
    REQUIRE(cuzk_msm(device, G::curve, G::group, CUZK_POINTS_MONTGOMERY_LE, points.data(), words.data(), count,
                     result.data(), nullptr, nullptr) == CUZK_OK);
    CHECK(result == canonicalBytes(multiple(g, scalar * Fr::fromInteger(count))));
  }
}

TEST_CASE_TEMPLATE("multiples of a fixed base", G, Bn254G1, Bn254G2, Bls12381G1, Bls12381G2) {
  using F = typename G::Field;
  using Fr = typename G::Curve::Fr;
  auto base = multiple(generator<typename G::Curve, F>(), Fr::fromInteger(77));
  Random random(4);
  std::vector<Fr> scalars = {Fr::zero(), Fr::one(), -Fr::one(), Fr::fromInteger(1 << 20)};
  while (scalars.size() < 70) scalars.push_back(randomScalar<Fr>(random));
  auto words = canonicalWords(scalars);
  for (const char *arithmetic : arithmetics()) {
    Device device(arithmetic);
    for (size_t count : {size_t{0}, size_t{1}, size_t{5}, scalars.size()}) {
      std::vector<Affine<F>> points(count);
      REQUIRE(cuzk_fixed_base(device, G::curve, G::group, &base, words.data(), count, points.data(), nullptr) ==
              CUZK_OK);
      for (size_t i = 0; i < count; i++) CHECK(points[i] == multiple(base, scalars[i]));
    }
  }
}

TEST_CASE("many multiples of a fixed base over several blocks") {
  using G = Bn254G1;
  using Fr = G::Curve::Fr;
  auto base = generator<G::Curve, G::Field>();
  Random random(6);
  std::vector<Fr> scalars;
  while (scalars.size() < 2500) scalars.push_back(randomScalar<Fr>(random));
  auto words = canonicalWords(scalars);
  Device device("auto");
  std::vector<Affine<G::Field>> points(scalars.size());
  REQUIRE(cuzk_fixed_base(device, G::curve, G::group, &base, words.data(), scalars.size(), points.data(), nullptr) ==
          CUZK_OK);
  for (size_t i = 0; i < scalars.size(); i += 97) CHECK(points[i] == multiple(base, scalars[i]));
}

}  // namespace
}  // namespace test
}  // namespace cuzk
