// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "field/arithmetic_portable.hpp"
#include "field/inversion.hpp"

namespace cuzk {

// An element of the prime field of order P::MODULUS in Montgomery form (value times R = 2^(64 LIMBS)), always fully
// reduced, so equal elements have equal bytes. A supplies the limb arithmetic.
template <class P, class A>
struct Field {
  using Parameters = P;
  using Arithmetic = A;
  using Base = Field;  // the prime field below: itself
  static constexpr unsigned LIMBS = P::LIMBS;
  static constexpr size_t BYTES = 8 * P::LIMBS;
  // Cost of a multiplication relative to one in the prime field; for choosing window sizes.
  static constexpr unsigned DEGREE = 1;

  uint64_t limb[LIMBS];

  CUZK_HD static CUZK_INLINE Field zero() { return Field{}; }
  CUZK_HD static CUZK_INLINE Field one() { return oneOf(std::make_index_sequence<LIMBS>()); }
  // R^2 as limbs, for conversions: not the element R^2, but that of R.
  CUZK_HD static CUZK_INLINE Field rSquared() { return rSquaredOf(std::make_index_sequence<LIMBS>()); }
  // The limbs of p itself, which is no element.
  CUZK_HD static CUZK_INLINE Field modulus() { return modulusOf(std::make_index_sequence<LIMBS>()); }

  // Takes limbs that already are in Montgomery form.
  CUZK_HD static CUZK_INLINE Field fromLimbs(const uint64_t *limbs) {
    Field z;
    for (unsigned i = 0; i < LIMBS; i++) z.limb[i] = limbs[i];
    return z;
  }

  // Canonical integer below the modulus -> Montgomery form.
  CUZK_HD static Field fromCanonical(const uint64_t *limbs) { return fromLimbs(limbs) * rSquared(); }
  CUZK_HD static Field fromInteger(uint64_t value) {
    uint64_t limbs[LIMBS] = {value};
    return fromCanonical(limbs);
  }
  CUZK_HD void toCanonical(uint64_t *limbs) const {
    uint64_t unit[LIMBS] = {1};
    A::template mul<P>(limbs, limb, unit);
  }

  CUZK_HD CUZK_INLINE bool isZero() const {
    uint64_t any = 0;
    for (unsigned i = 0; i < LIMBS; i++) any |= limb[i];
    return any == 0;
  }
  CUZK_HD CUZK_INLINE friend bool operator==(const Field &x, const Field &y) {
    uint64_t any = 0;
    for (unsigned i = 0; i < LIMBS; i++) any |= x.limb[i] ^ y.limb[i];
    return any == 0;
  }
  CUZK_HD CUZK_INLINE friend bool operator!=(const Field &x, const Field &y) { return !(x == y); }

  CUZK_HD CUZK_INLINE friend Field operator+(const Field &x, const Field &y) {
    Field z;
    A::template add<P>(z.limb, x.limb, y.limb);
    return z;
  }
  CUZK_HD CUZK_INLINE friend Field operator-(const Field &x, const Field &y) {
    Field z;
    A::template sub<P>(z.limb, x.limb, y.limb);
    return z;
  }
  CUZK_HD CUZK_INLINE friend Field operator*(const Field &x, const Field &y) {
    Field z;
    A::template mul<P>(z.limb, x.limb, y.limb);
    return z;
  }
  CUZK_HD CUZK_INLINE Field square() const {
    Field z;
    A::template sqr<P>(z.limb, limb);
    return z;
  }
  CUZK_HD CUZK_INLINE Field twice() const { return *this + *this; }
  CUZK_HD CUZK_INLINE Field operator-() const { return zero() - *this; }
  // -x or x, without a branch: the signs of an MSM's digits cannot be predicted.
  CUZK_HD CUZK_INLINE Field negatedIf(bool condition) const {
    Field negated = -*this;
    uint64_t mask = 0 - static_cast<uint64_t>(condition);
    for (unsigned i = 0; i < LIMBS; i++) negated.limb[i] = (negated.limb[i] & mask) | (limb[i] & ~mask);
    return negated;
  }

  // Exponent: `count` little-endian words.
  CUZK_HD CUZK_NOINLINE Field power(const uint64_t *exponent, unsigned count) const {
    Field result = one();
    for (unsigned i = 64 * count; i-- > 0;) {
      result = result.square();
      if ((exponent[i / 64] >> (i % 64)) & 1) result = result * *this;
    }
    return result;
  }
  CUZK_HD Field power(uint64_t exponent) const { return power(&exponent, 1); }

  // 1/x, and 0 for 0.
  CUZK_HD Field inverse() const {
    Field z;
    BinaryInversion<P>::invert(limb, z.limb);
    return z * inversionFactorOf(std::make_index_sequence<LIMBS>());
  }

  // Whether little-endian limbs are an integer below the modulus.
  CUZK_HD static CUZK_INLINE bool isBelowModulus(const uint64_t *limbs) {
    const Field p = modulus();
    for (unsigned i = LIMBS; i-- > 0;) {
      if (limbs[i] != p.limb[i]) return limbs[i] < p.limb[i];
    }
    return false;
  }

 private:
  // Device code can use the words of a constant array, but not the array: it lies in the host's memory.
  template <size_t I>
  static constexpr uint64_t ONE_WORD = P::R[I];
  template <size_t I>
  static constexpr uint64_t SQUARE_WORD = P::R2[I];
  template <size_t I>
  static constexpr uint64_t MODULUS_WORD = P::MODULUS[I];
  template <size_t I>
  static constexpr uint64_t INVERSION_WORD = P::INVERSION_FACTOR[I];

  template <size_t... I>
  CUZK_HD static CUZK_INLINE Field oneOf(std::index_sequence<I...>) {
    return {{ONE_WORD<I>...}};
  }
  template <size_t... I>
  CUZK_HD static CUZK_INLINE Field rSquaredOf(std::index_sequence<I...>) {
    return {{SQUARE_WORD<I>...}};
  }
  template <size_t... I>
  CUZK_HD static CUZK_INLINE Field inversionFactorOf(std::index_sequence<I...>) {
    return {{INVERSION_WORD<I>...}};
  }
  template <size_t... I>
  CUZK_HD static CUZK_INLINE Field modulusOf(std::index_sequence<I...>) {
    return {{MODULUS_WORD<I>...}};
  }
};

// Whether an arithmetic brings products in the quadratic extension of its own.
template <class A, class = void>
struct MultipliesExtensions : std::false_type {};
template <class A>
struct MultipliesExtensions<A, std::enable_if_t<A::MULTIPLIES_EXTENSIONS>> : std::true_type {};

// Fp[u]/(u^2 + 1): both curves' quadratic extension.
template <class F>
struct Extension {
  using Base = F;
  static constexpr size_t BYTES = 2 * F::BYTES;
  static constexpr unsigned DEGREE = 2;

  F c0, c1;

  CUZK_HD static CUZK_INLINE Extension zero() { return {F::zero(), F::zero()}; }
  CUZK_HD static CUZK_INLINE Extension one() { return {F::one(), F::zero()}; }

  CUZK_HD CUZK_INLINE bool isZero() const { return c0.isZero() && c1.isZero(); }
  CUZK_HD CUZK_INLINE friend bool operator==(const Extension &x, const Extension &y) {
    return x.c0 == y.c0 && x.c1 == y.c1;
  }
  CUZK_HD CUZK_INLINE friend bool operator!=(const Extension &x, const Extension &y) { return !(x == y); }
  CUZK_HD CUZK_INLINE friend Extension operator+(const Extension &x, const Extension &y) {
    return {x.c0 + y.c0, x.c1 + y.c1};
  }
  CUZK_HD CUZK_INLINE friend Extension operator-(const Extension &x, const Extension &y) {
    return {x.c0 - y.c0, x.c1 - y.c1};
  }
  // Karatsuba: three multiplications.
  CUZK_HD CUZK_INLINE friend Extension operator*(const Extension &x, const Extension &y) {
    using A = typename F::Arithmetic;
    if constexpr (MultipliesExtensions<A>::value) {
      Extension z;
      A::template multiplyExtension<typename F::Parameters>(z.c0.limb, z.c1.limb, x.c0.limb, x.c1.limb, y.c0.limb,
                                                            y.c1.limb);
      return z;
    } else {
      F low = x.c0 * y.c0;
      F high = x.c1 * y.c1;
      F cross = (x.c0 + x.c1) * (y.c0 + y.c1);
      return {low - high, cross - low - high};
    }
  }
  CUZK_HD CUZK_INLINE Extension square() const {
    F product = c0 * c1;
    return {(c0 + c1) * (c0 - c1), product.twice()};
  }
  CUZK_HD CUZK_INLINE Extension twice() const { return {c0.twice(), c1.twice()}; }
  CUZK_HD CUZK_INLINE Extension operator-() const { return {-c0, -c1}; }
  CUZK_HD CUZK_INLINE Extension negatedIf(bool condition) const {
    return {c0.negatedIf(condition), c1.negatedIf(condition)};
  }
  CUZK_HD Extension inverse() const {
    F norm = (c0.square() + c1.square()).inverse();
    return {c0 * norm, -(c1 * norm)};
  }
};

}  // namespace cuzk
