// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "field/arithmetic_portable.hpp"

namespace cuzk {

// 1/y modulo an odd prime by the binary GCD with approximations (Pornin, "Optimized Binary GCD for Modular Inversion",
// 2020, algorithm 2). Invariants: a = y u 2^(33 t) and b = y v 2^(33 t) modulo p after t rounds; at the end b = 1.
//
// A round does 31 steps of the binary GCD on 64-bit stand-ins of a and b (their 33 leading and 31 trailing bits), and
// collects them as small factors f, g: a' = (a f0 + b g0) / 2^31, b' = (a f1 + b g1) / 2^31. The same factors go to u
// and v, where one word of Montgomery reduction divides by 2^64 instead: hence 2^33 a round, which the caller's last
// multiplication makes good.
template <class P>
class BinaryInversion {
 public:
  // 2 BITS - 1 steps always suffice.
  static constexpr unsigned ROUNDS = (2 * P::BITS - 1 + 30) / 31;

  // result = y^-1 2^(-33 ROUNDS) mod p for 0 < y < p; 0 for 0.
  CUZK_HD static CUZK_NOINLINE void invert(const uint64_t *y, uint64_t *result) {
    uint64_t a[N], b[N], u[N] = {1}, v[N] = {};
    const Words p = modulus();
    for (unsigned i = 0; i < N; i++) {
      a[i] = y[i];
      b[i] = p.word[i];
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
      Factors factors = steps(a, b);
      uint64_t nextA[N], nextB[N];
      if (combine(a, b, factors.f0, factors.g0, nextA)) {
        factors.f0 = -factors.f0;
        factors.g0 = -factors.g0;
      }
      if (combine(a, b, factors.f1, factors.g1, nextB)) {
        factors.f1 = -factors.f1;
        factors.g1 = -factors.g1;
      }
      uint64_t nextU[N], nextV[N];
      combineReduced(u, v, factors.f0, factors.g0, nextU);
      combineReduced(u, v, factors.f1, factors.g1, nextV);
      for (unsigned i = 0; i < N; i++) {
        a[i] = nextA[i];
        b[i] = nextB[i];
        u[i] = nextU[i];
        v[i] = nextV[i];
      }
    }
    for (unsigned i = 0; i < N; i++) result[i] = v[i];
  }

 private:
  static constexpr unsigned N = P::LIMBS;
  static constexpr uint64_t LOW = 0x7fffffff;

  struct Factors {
    int64_t f0, g0, f1, g1;
  };

  // The modulus by value: device code can use the words of a constant array, but not the array.
  struct Words {
    uint64_t word[N];
  };
  template <size_t I>
  static constexpr uint64_t MODULUS_WORD = P::MODULUS[I];
  template <size_t... I>
  CUZK_HD static CUZK_INLINE Words wordsOf(std::index_sequence<I...>) {
    return {{MODULUS_WORD<I>...}};
  }
  CUZK_HD static CUZK_INLINE Words modulus() { return wordsOf(std::make_index_sequence<N>()); }

  CUZK_HD static Factors steps(const uint64_t *a, const uint64_t *b) {
    unsigned top = N - 1;
    while (top > 0 && (a[top] | b[top]) == 0) top--;
    uint64_t x = a[0], y = b[0];
    if (top > 0) {
      unsigned shift = leadingZeros(a[top] | b[top]);
      x = (leading(a, top, shift) & ~LOW) | (a[0] & LOW);
      y = (leading(b, top, shift) & ~LOW) | (b[0] & LOW);
    }
    // f in the lower, g in the upper half of one word; both stay within 2^31.
    uint64_t first = 1, second = uint64_t{1} << 32;
    for (unsigned i = 0; i < 31; i++) {
      uint64_t odd = 0 - (x & 1);
      uint64_t swap = odd & (0 - static_cast<uint64_t>(x < y));
      uint64_t t = (x ^ y) & swap;
      x ^= t;
      y ^= t;
      t = (first ^ second) & swap;
      first ^= t;
      second ^= t;
      x -= y & odd;
      first -= second & odd;
      x >>= 1;
      second <<= 1;
    }
    return {low(first), high(first), low(second), high(second)};
  }

  // Of a value that is not zero.
  CUZK_HD static unsigned leadingZeros(uint64_t value) {
#ifdef __CUDA_ARCH__
    return static_cast<unsigned>(__clzll(static_cast<long long>(value)));
#else
    return static_cast<unsigned>(__builtin_clzll(value));
#endif
  }

  CUZK_HD static uint64_t leading(const uint64_t *x, unsigned top, unsigned shift) {
    return shift == 0 ? x[top] : x[top] << shift | x[top - 1] >> (64 - shift);
  }

  // Halves of a packed pair: a bias makes both non-negative, so that neither borrows from the other.
  static constexpr uint64_t BIAS = 0x7fffffff7fffffff;
  CUZK_HD static int64_t low(uint64_t packed) {
    return static_cast<int64_t>((packed + BIAS) & 0xffffffff) - static_cast<int64_t>(LOW);
  }
  CUZK_HD static int64_t high(uint64_t packed) {
    return static_cast<int64_t>((packed + BIAS) >> 32) - static_cast<int64_t>(LOW);
  }

  // z = |x f + y g| / 2^31, exactly divisible; returns whether it was negative.
  CUZK_HD static bool combine(const uint64_t *x, const uint64_t *y, int64_t f, int64_t g, uint64_t *z) {
    uint64_t sum[N + 1];
    sum[N] = linear(x, y, f, g, sum);
    bool negative = static_cast<int64_t>(sum[N]) < 0;
    uint64_t mask = negative ? ~uint64_t{0} : 0, carry = negative ? 1 : 0;
    for (unsigned i = 0; i <= N; i++) {
      uint64_t inverted = sum[i] ^ mask;
      sum[i] = inverted + carry;
      carry = sum[i] < inverted ? 1 : 0;
    }
    for (unsigned i = 0; i < N; i++) z[i] = sum[i] >> 31 | sum[i + 1] << 33;
    return negative;
  }

  // z = (x f + y g) / 2^64 mod p.
  CUZK_HD static void combineReduced(const uint64_t *x, const uint64_t *y, int64_t f, int64_t g, uint64_t *z) {
    const Words p = modulus();
    uint64_t sum[N + 1];
    sum[N] = linear(x, y, f, g, sum);
    uint64_t m = sum[0] * P::NEGATIVE_INVERSE;
    unsigned __int128 carry = (static_cast<unsigned __int128>(m) * p.word[0] + sum[0]) >> 64;
    for (unsigned i = 1; i < N; i++) {
      carry += static_cast<unsigned __int128>(m) * p.word[i] + sum[i];
      z[i - 1] = static_cast<uint64_t>(carry);
      carry >>= 64;
    }
    z[N - 1] = static_cast<uint64_t>(carry) + sum[N];
    // Between -p and 2p: the sum's absolute value is below 2^32 p.
    if (static_cast<int64_t>(z[N - 1]) < 0) {
      unsigned __int128 sumWithModulus = 0;
      for (unsigned i = 0; i < N; i++) {
        sumWithModulus += static_cast<unsigned __int128>(z[i]) + p.word[i];
        z[i] = static_cast<uint64_t>(sumWithModulus);
        sumWithModulus >>= 64;
      }
    } else {
      subtractModulusOnce(z, p);
    }
  }

  // z mod p for z < 2p.
  CUZK_HD static void subtractModulusOnce(uint64_t *z, const Words &p) {
    uint64_t reduced[N], borrow = 0;
    for (unsigned i = 0; i < N; i++) {
      unsigned __int128 d = static_cast<unsigned __int128>(z[i]) - p.word[i] - borrow;
      reduced[i] = static_cast<uint64_t>(d);
      borrow = static_cast<uint64_t>(d >> 64) & 1;
    }
    uint64_t keep = 0 - borrow;
    for (unsigned i = 0; i < N; i++) z[i] = (z[i] & keep) | (reduced[i] & ~keep);
  }

  // The low N words of x f + y g; returns the (signed) word above.
  CUZK_HD static uint64_t linear(const uint64_t *x, const uint64_t *y, int64_t f, int64_t g, uint64_t *low) {
    __int128 carry = 0;
    for (unsigned i = 0; i < N; i++) {
      carry += static_cast<__int128>(x[i]) * f + static_cast<__int128>(y[i]) * g;
      low[i] = static_cast<uint64_t>(carry);
      carry >>= 64;
    }
    return static_cast<uint64_t>(carry);
  }
};

}  // namespace cuzk
