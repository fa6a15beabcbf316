// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

#include "lanes/lanes.hpp"

namespace cuzk {

// body(index) for index 0 .. N-1, each a constant, without a loop: limbs stay in registers.
template <class Body, size_t... I>
CUZK_LANE_INLINE void unrolledOver(const Body &body, std::index_sequence<I...>) {
  (body(std::integral_constant<unsigned, I>()), ...);
}
template <unsigned N, class Body>
CUZK_LANE_INLINE void unrolled(const Body &body) {
  unrolledOver(body, std::make_index_sequence<N>());
}
#define CUZK_UNROLLED [&](auto i) CUZK_LANE_LAMBDA

// Eight elements of the prime field of P, one a lane, in 52-bit limbs.
//
// Products are Montgomery products for R' = 2^(52 LIMBS), while memory holds x R mod p with R = 2^(64 P::LIMBS): lanes
// take these values as they are, and who multiplies sees to the powers of two (RATIO_BITS: the logarithm of R'/R).
//
// "Normal" limbs lie in [0, 2^52), which factors must; sums and differences may have any signed limbs until `normal`.
// A product of factors below a p and b p lies below 2p as long as a b p < R'.
template <class V, class P>
struct LaneField {
  using Lanes = V;
  static constexpr unsigned LIMBS = (P::BITS + 2 + 51) / 52;
  static constexpr unsigned RATIO_BITS = 52 * LIMBS - 64 * P::LIMBS;
  static constexpr size_t WORDS = LIMBS * V::COUNT;

  V limb[LIMBS];

  // The words of an integer below 2^(64 P::LIMBS), word i of all lanes in words[i].
  static CUZK_LANE_INLINE LaneField fromWords(const V *words) {
    LaneField z;
    unrolled<LIMBS>(CUZK_UNROLLED {
      constexpr unsigned word = 52 * i / 64, shift = 52 * i % 64;
      V value = words[word].template shiftRight<shift>();
      if constexpr (shift > 12 && word + 1 < P::LIMBS) value = value | words[word + 1].template shiftLeft<64 - shift>();
      z.limb[i] = value & low();
    });
    return z;
  }
  // Of normal limbs.
  CUZK_LANE_INLINE void toWords(V *words) const {
    unrolled<P::LIMBS>(CUZK_UNROLLED {
      constexpr unsigned first = 64 * i / 52, shift = 64 * i % 52;
      V value = limb[first].template shiftRight<shift>();
      if constexpr (first + 1 < LIMBS) value = value | limb[first + 1].template shiftLeft<52 - shift>();
      if constexpr (104 - shift < 64 && first + 2 < LIMBS) {
        value = value | limb[first + 2].template shiftLeft<104 - shift>();
      }
      words[i] = value;
    });
  }
  static CUZK_LANE_INLINE LaneField load(const uint64_t *words) {
    LaneField z;
    unrolled<LIMBS>(CUZK_UNROLLED { z.limb[i] = V::load(words + V::COUNT * i); });
    return z;
  }
  CUZK_LANE_INLINE void store(uint64_t *words) const {
    unrolled<LIMBS>(CUZK_UNROLLED { limb[i].store(words + V::COUNT * i); });
  }
  static CUZK_LANE_INLINE LaneField one() {
    LaneField z;
    unrolled<LIMBS>(CUZK_UNROLLED { z.limb[i] = i == 0 ? V::all(1) : V::zero(); });
    return z;
  }
  static CUZK_LANE_INLINE LaneField zero() {
    LaneField z;
    unrolled<LIMBS>(CUZK_UNROLLED { z.limb[i] = V::zero(); });
    return z;
  }
  static CUZK_LANE_INLINE LaneField select(typename V::Mask mask, const LaneField &clear, const LaneField &set) {
    LaneField z;
    unrolled<LIMBS>(CUZK_UNROLLED { z.limb[i] = V::select(mask, clear.limb[i], set.limb[i]); });
    return z;
  }

  // Limb by limb, not normal.
  friend CUZK_LANE_INLINE LaneField operator+(const LaneField &x, const LaneField &y) {
    LaneField z;
    unrolled<LIMBS>(CUZK_UNROLLED { z.limb[i] = x.limb[i] + y.limb[i]; });
    return z;
  }
  friend CUZK_LANE_INLINE LaneField operator-(const LaneField &x, const LaneField &y) {
    LaneField z;
    unrolled<LIMBS>(CUZK_UNROLLED { z.limb[i] = x.limb[i] - y.limb[i]; });
    return z;
  }
  template <unsigned MULTIPLE>
  CUZK_LANE_INLINE LaneField plusModulus() const {
    LaneField z;
    unrolled<LIMBS>(CUZK_UNROLLED { z.limb[i] = limb[i] + V::all(MULTIPLES<MULTIPLE>.limb[i]); });
    return z;
  }
  template <unsigned MULTIPLE>
  CUZK_LANE_INLINE LaneField minusModulus() const {
    LaneField z;
    unrolled<LIMBS>(CUZK_UNROLLED { z.limb[i] = limb[i] - V::all(MULTIPLES<MULTIPLE>.limb[i]); });
    return z;
  }
  // Carries; the top limb keeps the sign.
  CUZK_LANE_INLINE LaneField normal() const {
    LaneField z;
    V carry = V::zero();
    unrolled<LIMBS>(CUZK_UNROLLED {
      V sum = i == 0 ? limb[i] : limb[i] + carry;
      if constexpr (i + 1 < LIMBS) {
        carry = sum.template shiftRightSigned<52>();
        z.limb[i] = sum & low();
      } else {
        z.limb[i] = sum;
      }
    });
    return z;
  }
  // From normal limbs below 2 MULTIPLE p to such below MULTIPLE p.
  template <unsigned MULTIPLE>
  CUZK_LANE_INLINE LaneField reduced() const {
    LaneField difference = minusModulus<MULTIPLE>().normal();
    return select(difference.limb[LIMBS - 1].isNegative(), difference, *this);
  }
  CUZK_LANE_INLINE LaneField negatedIf(typename V::Mask mask) const {
    LaneField z;
    unrolled<LIMBS>(CUZK_UNROLLED { z.limb[i] = V::select(mask, limb[i], V::all(MULTIPLES<1>.limb[i]) - limb[i]); });
    return z;
  }
  // Normal limbs times 2^BITS, BITS < 52, normal again.
  template <unsigned BITS>
  CUZK_LANE_INLINE LaneField timesPowerOfTwo() const {
    LaneField z;
    unrolled<LIMBS>(CUZK_UNROLLED {
      V value = limb[i].template shiftLeft<BITS>();
      if constexpr (i + 1 < LIMBS) value = value & low();
      if constexpr (i > 0) value = value | limb[i - 1].template shiftRight<52 - BITS>();
      z.limb[i] = value;
    });
    return z;
  }

  // x y / R', below 2p.
  friend CUZK_LANE_INLINE LaneField operator*(const LaneField &x, const LaneField &y) {
    V sum[LIMBS + 1];
    clear(sum);
    unrolled<LIMBS>(CUZK_UNROLLED {
      addProduct(sum, x, y.limb[i]);
      reduceOnce(sum);
    });
    return finished(sum);
  }
  CUZK_LANE_INLINE LaneField square() const { return *this * *this; }
  // (x y + u v) / R' with one reduction, below 2p if x y + u v < p R'.
  static CUZK_LANE_INLINE LaneField sumOfProducts(const LaneField &x, const LaneField &y, const LaneField &u,
                                                  const LaneField &v) {
    V sum[LIMBS + 1];
    clear(sum);
    unrolled<LIMBS>(CUZK_UNROLLED {
      addProduct(sum, x, y.limb[i]);
      addProduct(sum, u, v.limb[i]);
      reduceOnce(sum);
    });
    return finished(sum);
  }

 private:
  static constexpr uint64_t LOW = (uint64_t{1} << 52) - 1;
  static CUZK_LANE_INLINE V low() { return V::all(LOW); }

  struct Words {
    uint64_t limb[LIMBS];
  };
  static constexpr Words multipleOfModulus(unsigned multiple) {
    uint64_t words[P::LIMBS + 1] = {};
    unsigned __int128 carry = 0;
    for (unsigned i = 0; i < P::LIMBS; i++) {
      carry += static_cast<unsigned __int128>(P::MODULUS[i]) * multiple;
      words[i] = static_cast<uint64_t>(carry);
      carry >>= 64;
    }
    words[P::LIMBS] = static_cast<uint64_t>(carry);
    Words z = {};
    for (unsigned i = 0; i < LIMBS; i++) {
      unsigned word = 52 * i / 64, shift = 52 * i % 64;
      uint64_t value = words[word] >> shift;
      if (shift > 12 && word < P::LIMBS) value |= words[word + 1] << (64 - shift);
      z.limb[i] = value & LOW;
    }
    return z;
  }
  template <unsigned MULTIPLE>
  static constexpr Words MULTIPLES = multipleOfModulus(MULTIPLE);

  static CUZK_LANE_INLINE void clear(V *sum) {
    unrolled<LIMBS + 1>(CUZK_UNROLLED { sum[i] = V::zero(); });
  }
  // Limbs grow by less than 2^53 each: after all rounds they are below 2^59.
  static CUZK_LANE_INLINE void addProduct(V *sum, const LaneField &x, const V &y) {
    unrolled<LIMBS>(CUZK_UNROLLED { sum[i] = V::addLowProduct(sum[i], x.limb[i], y); });
    unrolled<LIMBS>(CUZK_UNROLLED { sum[i + 1] = V::addHighProduct(sum[i + 1], x.limb[i], y); });
  }
  // sum = (sum + m p) / 2^52 with m = -sum / p mod 2^52.
  static CUZK_LANE_INLINE void reduceOnce(V *sum) {
    V factor = V::addLowProduct(V::zero(), sum[0], V::all(P::NEGATIVE_INVERSE & LOW));
    unrolled<LIMBS>(CUZK_UNROLLED { sum[i] = V::addLowProduct(sum[i], factor, V::all(MULTIPLES<1>.limb[i])); });
    V carry = sum[0].template shiftRight<52>();
    unrolled<LIMBS>(CUZK_UNROLLED { sum[i] = V::addHighProduct(sum[i + 1], factor, V::all(MULTIPLES<1>.limb[i])); });
    sum[0] = sum[0] + carry;
    sum[LIMBS] = V::zero();
  }
  static CUZK_LANE_INLINE LaneField finished(const V *sum) {
    LaneField z;
    unrolled<LIMBS>(CUZK_UNROLLED { z.limb[i] = sum[i]; });
    return z.normal();
  }
};

// Fp[u]/(u^2 + 1), eight elements; normal and bounded as their coefficients are. Of a product the right factor must lie
// at 2p or below.
template <class F>
struct LaneExtension {
  static constexpr size_t WORDS = 2 * F::WORDS;

  F c0, c1;

  static CUZK_LANE_INLINE LaneExtension load(const uint64_t *words) {
    return {F::load(words), F::load(words + F::WORDS)};
  }
  CUZK_LANE_INLINE void store(uint64_t *words) const {
    c0.store(words);
    c1.store(words + F::WORDS);
  }
  friend CUZK_LANE_INLINE LaneExtension operator+(const LaneExtension &x, const LaneExtension &y) {
    return {x.c0 + y.c0, x.c1 + y.c1};
  }
  friend CUZK_LANE_INLINE LaneExtension operator-(const LaneExtension &x, const LaneExtension &y) {
    return {x.c0 - y.c0, x.c1 - y.c1};
  }
  template <unsigned MULTIPLE>
  CUZK_LANE_INLINE LaneExtension plusModulus() const {
    return {c0.template plusModulus<MULTIPLE>(), c1.template plusModulus<MULTIPLE>()};
  }
  CUZK_LANE_INLINE LaneExtension normal() const { return {c0.normal(), c1.normal()}; }
  template <unsigned MULTIPLE>
  CUZK_LANE_INLINE LaneExtension reduced() const {
    return {c0.template reduced<MULTIPLE>(), c1.template reduced<MULTIPLE>()};
  }
  template <class Mask>
  CUZK_LANE_INLINE LaneExtension negatedIf(Mask mask) const {
    return {c0.negatedIf(mask), c1.negatedIf(mask)};
  }
  template <unsigned BITS>
  CUZK_LANE_INLINE LaneExtension timesPowerOfTwo() const {
    return {c0.template timesPowerOfTwo<BITS>(), c1.template timesPowerOfTwo<BITS>()};
  }
  template <class Mask>
  static CUZK_LANE_INLINE LaneExtension select(Mask mask, const LaneExtension &clear, const LaneExtension &set) {
    return {F::select(mask, clear.c0, set.c0), F::select(mask, clear.c1, set.c1)};
  }
  static CUZK_LANE_INLINE LaneExtension one() { return {F::one(), F::zero()}; }

  // Two reductions instead of Karatsuba's three products: adding products up costs lanes nothing.
  friend CUZK_LANE_INLINE LaneExtension operator*(const LaneExtension &x, const LaneExtension &y) {
    F negated = (F::zero() - y.c1).template plusModulus<2>().normal();
    return {F::sumOfProducts(x.c0, y.c0, x.c1, negated), F::sumOfProducts(x.c0, y.c1, x.c1, y.c0)};
  }
  // Of an element below 2p.
  CUZK_LANE_INLINE LaneExtension square() const {
    F sum = (c0 + c1).normal(), difference = (c0 - c1).template plusModulus<2>().normal();
    return {sum * difference, (c0 + c0).normal() * c1};
  }
};

}  // namespace cuzk
