// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/field.hpp"

namespace cuzk {

// 1/x for a single element, by the binary extended Euclidean algorithm (Menezes, van Oorschot, Vanstone, Handbook of
// Applied Cryptography, 14.61): some 1.4 times the modulus' bits in steps of shifts and additions, where a power takes
// 1.5 times as many products, each waiting for the one before. 0 for 0. Not constant-time.
template <class P, class A>
CUZK_HD Field<P, A> inverseByShifts(const Field<P, A> &element) {
  constexpr unsigned N = P::LIMBS;
  using F = Field<P, A>;
  if (element.isZero()) return element;
  F modulus = F::modulus();
  // u = s x and v = t x modulo p throughout; u and v shrink, and one of them ends at 1.
  F u = element, v = modulus, s = F::zero(), t = F::zero();
  s.limb[0] = 1;
  const auto isUnit = [](const F &value) {
    uint64_t rest = value.limb[0] ^ 1;
    for (unsigned i = 1; i < N; i++) rest |= value.limb[i];
    return rest == 0;
  };
  const auto halve = [&](F &value) {
    for (unsigned i = 0; i + 1 < N; i++) value.limb[i] = value.limb[i] >> 1 | value.limb[i + 1] << 63;
    value.limb[N - 1] >>= 1;
  };
  // Halves modulo p: an odd value becomes even by adding p, which the spare top bit has room for.
  const auto halveModulo = [&](F &value) {
    if (value.limb[0] & 1) {
      uint64_t carry = 0;
      for (unsigned i = 0; i < N; i++) {
        const uint64_t sum = value.limb[i] + modulus.limb[i];
        const uint64_t total = sum + carry;
        carry = (sum < value.limb[i]) | (total < sum);
        value.limb[i] = total;
      }
    }
    halve(value);
  };
  // x -= y where it does not go below zero; says whether it did not.
  const auto subtractIfNotLess = [](F &x, const F &y) {
    F difference;
    uint64_t borrow = 0;
    for (unsigned i = 0; i < N; i++) {
      const uint64_t part = x.limb[i] - y.limb[i];
      difference.limb[i] = part - borrow;
      borrow = (x.limb[i] < y.limb[i]) | (part < borrow);
    }
    if (borrow) return false;
    x = difference;
    return true;
  };
  while (!isUnit(u) && !isUnit(v)) {
    while (!(u.limb[0] & 1)) halve(u), halveModulo(s);
    while (!(v.limb[0] & 1)) halve(v), halveModulo(t);
    if (subtractIfNotLess(u, v)) {
      s = s - t;
    } else {
      subtractIfNotLess(v, u);
      t = t - s;
    }
  }
  // The element was x R; its inverse is x^-1 R^-1 here, and two products with R^2 make that x^-1 R.
  const F inverse = isUnit(u) ? s : t;
  return inverse * F::rSquared() * F::rSquared();
}

template <class F>
CUZK_HD Extension<F> inverseByShifts(const Extension<F> &element) {
  const F norm = inverseByShifts(element.c0.square() + element.c1.square());
  return {element.c0 * norm, -(element.c1 * norm)};
}

}  // namespace cuzk
