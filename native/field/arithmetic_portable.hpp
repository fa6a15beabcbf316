// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define CUZK_HD __host__ __device__
#else
#define CUZK_HD
#endif

#define CUZK_INLINE inline __attribute__((always_inline))
#define CUZK_NOINLINE __attribute__((noinline))

namespace cuzk {

// Limb arithmetic modulo P::MODULUS in plain C++; multiplication is a call, which costs little and compiles fast.
// Operands and results are fully reduced, little-endian limbs.
struct Portable {
  static constexpr const char *NAME = "portable";
  static bool supported() { return true; }

  template <class P>
  CUZK_HD static void add(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    constexpr unsigned n = P::LIMBS;
    uint64_t sum[n];
    unsigned __int128 carry = 0;
    for (unsigned i = 0; i < n; i++) {
      carry += static_cast<unsigned __int128>(x[i]) + y[i];
      sum[i] = static_cast<uint64_t>(carry);
      carry >>= 64;
    }
    subtractModulusOnce<P>(z, sum);
  }

  template <class P>
  CUZK_HD static void sub(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    constexpr unsigned n = P::LIMBS;
    uint64_t difference[n];
    uint64_t borrow = 0;
    for (unsigned i = 0; i < n; i++) {
      unsigned __int128 t = static_cast<unsigned __int128>(x[i]) - y[i] - borrow;
      difference[i] = static_cast<uint64_t>(t);
      borrow = static_cast<uint64_t>(t >> 64) & 1;
    }
    uint64_t mask = 0 - borrow;
    unsigned __int128 carry = 0;
    for (unsigned i = 0; i < n; i++) {
      carry += static_cast<unsigned __int128>(difference[i]) + (P::MODULUS[i] & mask);
      z[i] = static_cast<uint64_t>(carry);
      carry >>= 64;
    }
  }

  // z = x y / R. Coarsely integrated operand scanning; because the modulus leaves its top bit free, the sum of the two
  // carries of a round fits one word and no extra limb is needed.
  template <class P>
  CUZK_HD static CUZK_NOINLINE void mul(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    constexpr unsigned n = P::LIMBS;
    uint64_t t[n] = {};
    for (unsigned i = 0; i < n; i++) {
      unsigned __int128 product = static_cast<unsigned __int128>(x[0]) * y[i] + t[0];
      uint64_t low = static_cast<uint64_t>(product);
      uint64_t carryProduct = static_cast<uint64_t>(product >> 64);
      uint64_t m = low * P::NEGATIVE_INVERSE;
      uint64_t carryReduction = static_cast<uint64_t>((static_cast<unsigned __int128>(m) * P::MODULUS[0] + low) >> 64);
      for (unsigned j = 1; j < n; j++) {
        product = static_cast<unsigned __int128>(x[j]) * y[i] + t[j] + carryProduct;
        carryProduct = static_cast<uint64_t>(product >> 64);
        unsigned __int128 reduced =
            static_cast<unsigned __int128>(m) * P::MODULUS[j] + static_cast<uint64_t>(product) + carryReduction;
        carryReduction = static_cast<uint64_t>(reduced >> 64);
        t[j - 1] = static_cast<uint64_t>(reduced);
      }
      t[n - 1] = carryProduct + carryReduction;
    }
    subtractModulusOnce<P>(z, t);
  }

  template <class P>
  CUZK_HD static void sqr(uint64_t *z, const uint64_t *x) {
    mul<P>(z, x, x);
  }

  // z = t mod p for t < 2p.
  template <class P>
  CUZK_HD static void subtractModulusOnce(uint64_t *z, const uint64_t *t) {
    constexpr unsigned n = P::LIMBS;
    uint64_t reduced[n];
    uint64_t borrow = 0;
    for (unsigned i = 0; i < n; i++) {
      unsigned __int128 d = static_cast<unsigned __int128>(t[i]) - P::MODULUS[i] - borrow;
      reduced[i] = static_cast<uint64_t>(d);
      borrow = static_cast<uint64_t>(d >> 64) & 1;
    }
    uint64_t keep = 0 - borrow;
    for (unsigned i = 0; i < n; i++) z[i] = (t[i] & keep) | (reduced[i] & ~keep);
  }
};

}  // namespace cuzk
