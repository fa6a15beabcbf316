// SPDX-License-Identifier: Apache-2.0
#include "test/support.hpp"

namespace cuzk {
namespace test {
namespace {

// Arithmetic modulo P by shifting and subtracting: slow, and shares nothing with what it checks.
template <class P>
struct Reference {
  static constexpr unsigned N = P::LIMBS;
  uint64_t limb[N];

  static bool atLeastModulus(const uint64_t *x) {
    for (unsigned i = N; i-- > 0;) {
      if (x[i] != P::MODULUS[i]) return x[i] > P::MODULUS[i];
    }
    return true;
  }
  static Reference add(const Reference &x, const Reference &y) {
    Reference z;
    unsigned carry = 0;
    for (unsigned i = 0; i < N; i++) {
      uint64_t s = x.limb[i] + y.limb[i];
      unsigned overflow = s < x.limb[i];
      z.limb[i] = s + carry;
      overflow += z.limb[i] < s;
      carry = overflow;
    }
    if (!atLeastModulus(z.limb)) return z;
    uint64_t borrow = 0;
    for (unsigned i = 0; i < N; i++) {
      uint64_t d = z.limb[i] - P::MODULUS[i];
      uint64_t next = z.limb[i] < P::MODULUS[i] || d < borrow;
      z.limb[i] = d - borrow;
      borrow = next;
    }
    return z;
  }
  static Reference multiply(const Reference &x, const Reference &y) {
    Reference z = {};
    for (unsigned i = 64 * N; i-- > 0;) {
      z = add(z, z);
      if ((y.limb[i / 64] >> (i % 64)) & 1) z = add(z, x);
    }
    return z;
  }
};

template <class F>
std::vector<Reference<typename F::Parameters>> samples(Random &random) {
  using P = typename F::Parameters;
  using R = Reference<P>;
  R zero = {}, one = {}, last, half = {};
  one.limb[0] = 1;
  for (unsigned i = 0; i < R::N; i++) last.limb[i] = P::MODULUS[i];
  last.limb[0] -= 1;
  half.limb[R::N - 1] = P::MODULUS[R::N - 1] >> 1;
  R ones;
  for (unsigned i = 0; i < R::N; i++) ones.limb[i] = UINT64_MAX;
  ones.limb[R::N - 1] = P::MODULUS[R::N - 1] - 1;
  std::vector<R> values = {zero, one, last, half, ones};
  for (unsigned i = 0; i < R::N; i++) {
    R power = {};
    power.limb[i] = 1;
    values.push_back(power);
  }
  for (int i = 0; i < 20; i++) {
    R value;
    do {
      for (unsigned j = 0; j < R::N; j++) value.limb[j] = random();
      value.limb[R::N - 1] &= UINT64_MAX >> (64 * R::N - P::BITS);
    } while (R::atLeastModulus(value.limb));
    values.push_back(value);
  }
  return values;
}

template <class F, class R>
bool same(const F &x, const R &y) {
  uint64_t limbs[F::LIMBS];
  x.toCanonical(limbs);
  return std::memcmp(limbs, y.limb, sizeof limbs) == 0;
}

template <class F>
void checkField() {
  using R = Reference<typename F::Parameters>;
  Random random(7);
  auto values = samples<F>(random);
  for (const R &x : values) {
    F a = F::fromCanonical(x.limb);
    CHECK(same(a, x));
    CHECK(same(a.square(), R::multiply(x, x)));
    CHECK(same(a.twice(), R::add(x, x)));
    CHECK((a + -a).isZero());
    CHECK(F::isBelowModulus(a.limb));
    if (a.isZero()) {
      CHECK(a.inverse().isZero());
    } else {
      CHECK(a * a.inverse() == F::one());
    }
    for (const R &y : values) {
      F b = F::fromCanonical(y.limb);
      REQUIRE(same(a * b, R::multiply(x, y)));
      REQUIRE(same(a + b, R::add(x, y)));
      REQUIRE((a - b) + b == a);
      REQUIRE(F::isBelowModulus((a - b).limb));
    }
  }
  CHECK_FALSE(F::isBelowModulus(F::Parameters::MODULUS));
}

template <class F>
void checkExtension() {
  using E = Extension<F>;
  Random random(11);
  auto values = samples<F>(random);
  for (size_t i = 0; i < 300; i++) {
    // Extreme values, and elements whose limbs are extreme.
    auto pick = [&] {
      const uint64_t *limbs = values[random() % values.size()].limb;
      return random() % 2 == 0 ? F::fromCanonical(limbs) : F::fromLimbs(limbs);
    };
    E x = {pick(), pick()}, y = {pick(), pick()};
    CHECK(x * y == E{x.c0 * y.c0 - x.c1 * y.c1, x.c0 * y.c1 + x.c1 * y.c0});
    CHECK(x.square() == x * x);
    CHECK((x - y) + y == x);
    CHECK((x + -x).isZero());
    if (!x.isZero()) CHECK(x * x.inverse() == E::one());
  }
}

template <class A>
void checkFields() {
  checkField<typename Bn254<A>::Fr>();
  checkField<typename Bn254<A>::Fp>();
  checkField<typename Bls12381<A>::Fr>();
  checkField<typename Bls12381<A>::Fp>();
  checkExtension<typename Bn254<A>::Fp>();
  checkExtension<typename Bls12381<A>::Fp>();
}

TEST_CASE("fields agree with shift-and-subtract arithmetic: portable") {
  checkFields<Portable>();
}

#if defined(__x86_64__)
TEST_CASE("fields agree with shift-and-subtract arithmetic: adx") {
  if (Adx::supported()) checkFields<Adx>();
}
#endif

}  // namespace
}  // namespace test
}  // namespace cuzk
