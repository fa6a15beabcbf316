// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "field/field.hpp"

namespace cuzk {

#ifdef __CUDA_ARCH__
namespace carry {
// One instruction each. The carry flag lives between them, so a chain must stay inside one basic block; `volatile`
// keeps the order.
__device__ __forceinline__ uint32_t add_start(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ uint32_t add_go(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ uint32_t add_end(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ uint32_t sub_start(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ uint32_t sub_go(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ uint32_t sub_end(uint32_t a, uint32_t b) {
  uint32_t r;
  asm volatile("subc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ __forceinline__ uint32_t inverted(uint32_t a) {
  uint32_t r;
  asm volatile("not.b32 %0, %1;" : "=r"(r) : "r"(a));
  return r;
}
// 0 or 0xffffffff: the borrow of the chain.
__device__ __forceinline__ uint32_t borrow_mask() {
  uint32_t r;
  asm volatile("subc.u32 %0, 0, 0;" : "=r"(r));
  return r;
}
// (low, high) += a b, taking and giving a carry.
__device__ __forceinline__ void multiply_add_go(uint32_t &low, uint32_t &high, uint32_t a, uint32_t b) {
  asm volatile("madc.lo.cc.u32 %0, %2, %3, %0; madc.hi.cc.u32 %1, %2, %3, %1;"
               : "+r"(low), "+r"(high)
               : "r"(a), "r"(b));
}
__device__ __forceinline__ void multiply_add_start(uint32_t &low, uint32_t &high, uint32_t a, uint32_t b) {
  asm volatile("mad.lo.cc.u32 %0, %2, %3, %0; madc.hi.cc.u32 %1, %2, %3, %1;" : "+r"(low), "+r"(high) : "r"(a), "r"(b));
}
// (low, high) = a b + (from_low, from_high), taking and giving a carry.
__device__ __forceinline__ void multiply_shift_go(uint32_t &low, uint32_t &high, uint32_t a, uint32_t b,
                                                  uint32_t from_low, uint32_t from_high) {
  asm volatile("madc.lo.cc.u32 %0, %2, %3, %4; madc.hi.cc.u32 %1, %2, %3, %5;"
               : "=r"(low), "=r"(high)
               : "r"(a), "r"(b), "r"(from_low), "r"(from_high));
}
// (low, high) = a b + low, taking a carry; high is written only.
__device__ __forceinline__ void multiply_shift_top(uint32_t &low, uint32_t &high, uint32_t a, uint32_t b) {
  asm volatile("madc.lo.cc.u32 %0, %2, %3, %0; madc.hi.u32 %1, %2, %3, 0;" : "+r"(low), "=r"(high) : "r"(a), "r"(b));
}
__device__ __forceinline__ void multiply_shift_end(uint32_t &low, uint32_t &high, uint32_t a, uint32_t b) {
  asm volatile("madc.lo.cc.u32 %0, %2, %3, 0; madc.hi.u32 %1, %2, %3, 0;" : "=r"(low), "=r"(high) : "r"(a), "r"(b));
}
}  // namespace carry

// The modulus of P in 32-bit words, least significant first. Device code may use a static constexpr array by value
// only, so the words are spelled out into a local array, which the compiler turns into immediates.
template <class P>
struct Words {
  uint32_t word[2 * P::LIMBS];

  __device__ __forceinline__ static Words modulus() { return spell(std::make_index_sequence<2 * P::LIMBS>()); }

 private:
  template <size_t I>
  static constexpr uint32_t at = uint32_t(P::MODULUS[I / 2] >> (32 * (I % 2)));
  template <size_t... I>
  __device__ __forceinline__ static Words spell(std::index_sequence<I...>) {
    return {{at<I>...}};
  }
};
#endif  // __CUDA_ARCH__

// Limb arithmetic on the device, for Field. Host passes of the compiler get the portable one.
//
// The multiplier is Montgomery's word-by-word method, arranged for the GPU's 32 x 32 + 64 multiply-add with carry: the
// products of x's even and of its odd words go into two rows, so that each row is one unbroken carry chain of wide
// multiply-adds; the rows change places with every word of y, which makes the shift by one word free. Both curves'
// moduli leave at least one bit of the top word free, so sums of two values and the rows never overflow.
struct Cuda {
  static constexpr const char *NAME = "cuda";
#ifdef __CUDA_ARCH__
  template <class P>
  __device__ __forceinline__ static void add(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    constexpr int N = 2 * P::LIMBS;
    uint32_t a[N], b[N], sum[N];
    split<N>(a, x);
    split<N>(b, y);
    sum[0] = carry::add_start(a[0], b[0]);
#pragma unroll
    for (int i = 1; i < N - 1; i++) sum[i] = carry::add_go(a[i], b[i]);
    sum[N - 1] = carry::add_end(a[N - 1], b[N - 1]);
    reduceOnce<P>(sum);
    join<N>(z, sum);
  }

  template <class P>
  __device__ __forceinline__ static void sub(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    constexpr int N = 2 * P::LIMBS;
    const Words<P> p = Words<P>::modulus();
    uint32_t a[N], b[N], difference[N];
    split<N>(a, x);
    split<N>(b, y);
    difference[0] = carry::sub_start(a[0], b[0]);
#pragma unroll
    for (int i = 1; i < N; i++) difference[i] = carry::sub_go(a[i], b[i]);
    const uint32_t mask = carry::borrow_mask();
    difference[0] = carry::add_start(difference[0], p.word[0] & mask);
#pragma unroll
    for (int i = 1; i < N - 1; i++) difference[i] = carry::add_go(difference[i], p.word[i] & mask);
    difference[N - 1] = carry::add_end(difference[N - 1], p.word[N - 1] & mask);
    join<N>(z, difference);
  }

  template <class P>
  __device__ __forceinline__ static void mul(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    constexpr int N = 2 * P::LIMBS;
    uint32_t a[N], b[N], even[N], odd[N];
    split<N>(a, x);
    split<N>(b, y);
    firstRow<N>(even, a, b[0]);
    firstRow<N>(odd, a + 1, b[0]);
    reduceRow<P>(even, odd);
#pragma unroll
    for (int i = 1; i < N; i += 2) {
      nextRow<N>(odd, even, a, b[i]);
      reduceRow<P>(odd, even);
      if (i + 1 < N) {
        nextRow<N>(even, odd, a, b[i + 1]);
        reduceRow<P>(even, odd);
      }
    }
    // N is even, so `odd` is now the lower row, its word 0 cleared, and `even` stands one word higher.
    uint32_t product[N];
    product[0] = carry::add_start(even[0], odd[1]);
#pragma unroll
    for (int i = 1; i < N - 1; i++) product[i] = carry::add_go(even[i], odd[i + 1]);
    product[N - 1] = carry::add_end(even[N - 1], 0);
    reduceOnce<P>(product);
    join<N>(z, product);
  }

  template <class P>
  __device__ __forceinline__ static void sqr(uint64_t *z, const uint64_t *x) {
    constexpr int N = 2 * P::LIMBS;
    uint32_t a[N], wide[2 * N], result[N];
    split<N>(a, x);
    wideSquare<N>(wide, a);
    reduceWide<P>(result, wide);
    join<N>(z, result);
  }

  // z0 + z1 u = (x0 + x1 u)(y0 + y1 u) with u^2 = -1, by Karatsuba's method on products of full length: three
  // multiplications, but two reductions.
  static constexpr bool MULTIPLIES_EXTENSIONS = true;
  template <class P>
  __device__ __forceinline__ static void multiplyExtension(uint64_t *z0, uint64_t *z1, const uint64_t *x0,
                                                           const uint64_t *x1, const uint64_t *y0, const uint64_t *y1) {
    constexpr int N = 2 * P::LIMBS;
    const Words<P> p = Words<P>::modulus();
    uint32_t a0[N], a1[N], b0[N], b1[N], low[2 * N], high[2 * N], result[N];
    split<N>(a0, x0);
    split<N>(a1, x1);
    split<N>(b0, y0);
    split<N>(b1, y1);
    wideProduct<N>(low, a0, b0);
    wideProduct<N>(high, a1, b1);
    uint32_t sum[2 * N], difference[2 * N];
    addWords<2 * N>(sum, low, high);
    // Plus p R where negative: between 0 and p R in any case, which is all that the reduction asks for.
    difference[0] = carry::sub_start(low[0], high[0]);
#pragma unroll
    for (int i = 1; i < 2 * N; i++) difference[i] = carry::sub_go(low[i], high[i]);
    const uint32_t mask = carry::borrow_mask();
    difference[N] = carry::add_start(difference[N], p.word[0] & mask);
#pragma unroll
    for (int i = 1; i < N - 1; i++) difference[N + i] = carry::add_go(difference[N + i], p.word[i] & mask);
    difference[2 * N - 1] = carry::add_end(difference[2 * N - 1], p.word[N - 1] & mask);
    reduceWide<P>(result, difference);
    join<N>(z0, result);
    // Below 2 p each, which still fits.
    addWords<N>(a0, a0, a1);
    addWords<N>(b0, b0, b1);
    wideProduct<N>(low, a0, b0);
    low[0] = carry::sub_start(low[0], sum[0]);
#pragma unroll
    for (int i = 1; i < 2 * N - 1; i++) low[i] = carry::sub_go(low[i], sum[i]);
    low[2 * N - 1] = carry::sub_end(low[2 * N - 1], sum[2 * N - 1]);
    reduceWide<P>(result, low);
    join<N>(z1, result);
  }

 private:
  template <int N>
  __device__ __forceinline__ static void addWords(uint32_t *z, const uint32_t *x, const uint32_t *y) {
    z[0] = carry::add_start(x[0], y[0]);
#pragma unroll
    for (int i = 1; i < N - 1; i++) z[i] = carry::add_go(x[i], y[i]);
    z[N - 1] = carry::add_end(x[N - 1], y[N - 1]);
  }
  // z = even + odd 2^32, of 2 N words; odd has 2 N - 1.
  template <int N>
  __device__ __forceinline__ static void joinRows(uint32_t *z, const uint32_t *even, const uint32_t *odd) {
    z[0] = even[0];
    z[1] = carry::add_start(even[1], odd[0]);
#pragma unroll
    for (int i = 2; i < 2 * N - 1; i++) z[i] = carry::add_go(even[i], odd[i - 1]);
    z[2 * N - 1] = carry::add_end(even[2 * N - 1], odd[2 * N - 2]);
  }
  // row[0 ... N - 1] += words 0, 2, ... of a, times b; what comes out above, 0 or 1, goes to row[N].
  template <int N>
  __device__ __forceinline__ static void addRow(uint32_t *row, const uint32_t *a, uint32_t b) {
    carry::multiply_add_start(row[0], row[1], a[0], b);
#pragma unroll
    for (int i = 2; i < N; i += 2) carry::multiply_add_go(row[i], row[i + 1], a[i], b);
    row[N] = carry::add_end(0, 0);
  }
  // The same where row[N - 1] holds nothing yet, so that nothing can come out above.
  template <int N>
  __device__ __forceinline__ static void addTopRow(uint32_t *row, const uint32_t *a, uint32_t b) {
    carry::multiply_add_start(row[0], row[1], a[0], b);
#pragma unroll
    for (int i = 2; i < N - 2; i += 2) carry::multiply_add_go(row[i], row[i + 1], a[i], b);
    carry::multiply_shift_top(row[N - 2], row[N - 1], a[N - 2], b);
  }
  // z = x y, of 2 N words. As in mul, products at even and at odd places are summed apart.
  template <int N>
  __device__ __forceinline__ static void wideProduct(uint32_t *z, const uint32_t *x, const uint32_t *y) {
    uint32_t even[2 * N], odd[2 * N];
    firstRow<N>(even, x, y[0]);
    firstRow<N>(odd, x + 1, y[0]);
    even[N] = 0;
#pragma unroll
    for (int i = 1; i < N; i++) {
      if (i & 1) {
        addTopRow<N>(even + i + 1, x + 1, y[i]);
        addRow<N>(odd + i - 1, x, y[i]);
      } else {
        addRow<N>(even + i, x, y[i]);
        addTopRow<N>(odd + i, x + 1, y[i]);
      }
    }
    joinRows<N>(z, even, odd);
  }
  // z = x^2: products of different words once, doubled; then the squares.
  template <int N>
  __device__ __forceinline__ static void wideSquare(uint32_t *z, const uint32_t *x) {
    uint32_t even[2 * N], odd[2 * N];
#pragma unroll
    for (int i = 0; i < 2 * N; i++) even[i] = odd[i] = 0;
    // Row i: x[i] times the words above it. Those at an odd distance go to `odd`, whose place is one lower.
#pragma unroll
    for (int i = 0; i < N - 1; i++) {
      squareRow<N>(odd + 2 * i, x, i, i + 1);
      if (i + 2 < N) squareRow<N>(even + 2 * i + 2, x, i, i + 2);
    }
    joinRows<N>(z, even, odd);
    z[0] = 0;
#pragma unroll
    for (int i = 2 * N - 1; i > 0; i--) z[i] = __funnelshift_l(z[i - 1], z[i], 1);
    carry::multiply_add_start(z[0], z[1], x[0], x[0]);
#pragma unroll
    for (int i = 1; i < N; i++) carry::multiply_add_go(z[2 * i], z[2 * i + 1], x[i], x[i]);
  }
  // row[0 ...] += x[first], x[first + 2], ... times x[i].
  template <int N>
  __device__ __forceinline__ static void squareRow(uint32_t *row, const uint32_t *x, int i, int first) {
    carry::multiply_add_start(row[0], row[1], x[first], x[i]);
#pragma unroll
    for (int k = first + 2; k < N; k += 2) carry::multiply_add_go(row[k - first], row[k - first + 1], x[k], x[i]);
    const int end = (N - first + 1) / 2 * 2;
    row[end] = carry::add_end(row[end], 0);
  }
  // z = wide / R mod p, for wide < p R: the lower half is cleared as in mul, the upper half is added at the end.
  template <class P>
  __device__ __forceinline__ static void reduceWide(uint32_t *z, const uint32_t *wide) {
    constexpr int N = 2 * P::LIMBS;
    const Words<P> p = Words<P>::modulus();
    uint32_t even[2 * N], odd[2 * N];
#pragma unroll
    for (int i = 0; i < N; i++) even[i] = wide[i];
#pragma unroll
    for (int i = N; i < 2 * N; i++) even[i] = 0;
#pragma unroll
    for (int i = 0; i < 2 * N; i++) odd[i] = 0;
    clearWord<P>(even, odd, p);
#pragma unroll
    for (int i = 1; i < N; i++) {
      // The word at place i is the sum of one of either row; its carry goes into the row above.
      if (i & 1) {
        odd[i - 1] = carry::add_start(odd[i - 1], even[i]);
        clearWordGo<P>(odd + i - 1, even + i + 1, p);
      } else {
        even[i] = carry::add_start(even[i], odd[i - 1]);
        clearWordGo<P>(even + i, odd + i, p);
      }
    }
    uint32_t sum[N];
    addWords<N>(sum, even + N, odd + N - 1);
    addWords<N>(z, sum, wide + N);
    reduceOnce<P>(z);
  }
  // low[0] = 0 by adding a multiple of p, whose odd words go to `high`.
  template <class P>
  __device__ __forceinline__ static void clearWord(uint32_t *low, uint32_t *high, const Words<P> &p) {
    constexpr int N = 2 * P::LIMBS;
    const uint32_t m = low[0] * uint32_t(P::NEGATIVE_INVERSE);
    firstRow<N>(high, p.word + 1, m);
    addRow<N>(low, p.word, m);
  }
  // The same, with a carry into high[0]; high[N - 1] and low[N] hold nothing yet.
  template <class P>
  __device__ __forceinline__ static void clearWordGo(uint32_t *low, uint32_t *high, const Words<P> &p) {
    constexpr int N = 2 * P::LIMBS;
    const uint32_t m = low[0] * uint32_t(P::NEGATIVE_INVERSE);
#pragma unroll
    for (int i = 0; i < N - 2; i += 2) carry::multiply_add_go(high[i], high[i + 1], p.word[i + 1], m);
    carry::multiply_shift_top(high[N - 2], high[N - 1], p.word[N - 1], m);
    addRow<N>(low, p.word, m);
  }
  template <int N>
  __device__ __forceinline__ static void split(uint32_t *words, const uint64_t *limbs) {
#pragma unroll
    for (int i = 0; i < N; i++) words[i] = uint32_t(limbs[i / 2] >> (32 * (i % 2)));
  }
  template <int N>
  __device__ __forceinline__ static void join(uint64_t *limbs, const uint32_t *words) {
#pragma unroll
    for (int i = 0; i < N; i += 2) limbs[i / 2] = words[i] | uint64_t(words[i + 1]) << 32;
  }
  template <class P>
  __device__ __forceinline__ static void reduceOnce(uint32_t *value) {
    constexpr int N = 2 * P::LIMBS;
    const Words<P> p = Words<P>::modulus();
    uint32_t less[N];
    less[0] = carry::sub_start(value[0], p.word[0]);
#pragma unroll
    for (int i = 1; i < N; i++) less[i] = carry::sub_go(value[i], p.word[i]);
    const uint32_t below = carry::borrow_mask();
#pragma unroll
    for (int i = 0; i < N; i++) value[i] = below ? value[i] : less[i];
  }
  // row = words 0, 2, ... of a, times b.
  template <int N>
  __device__ __forceinline__ static void firstRow(uint32_t *row, const uint32_t *a, uint32_t b) {
#pragma unroll
    for (int i = 0; i < N; i += 2) {
      const uint64_t product = uint64_t(a[i]) * b;
      row[i] = uint32_t(product);
      row[i + 1] = uint32_t(product >> 32);
    }
  }
  // Shifts both rows down by one word and adds a b: the former higher row becomes `low`; `high`, the former lower row,
  // moves by two words within itself, and its word 1, which falls out, is added to `low`.
  template <int N>
  __device__ __forceinline__ static void nextRow(uint32_t *low, uint32_t *high, const uint32_t *a, uint32_t b) {
    low[0] = carry::add_start(low[0], high[1]);
#pragma unroll
    for (int i = 0; i < N - 2; i += 2)
      carry::multiply_shift_go(high[i], high[i + 1], a[i + 1], b, high[i + 2], high[i + 3]);
    carry::multiply_shift_end(high[N - 2], high[N - 1], a[N - 1], b);
    carry::multiply_add_start(low[0], low[1], a[0], b);
#pragma unroll
    for (int i = 2; i < N; i += 2) carry::multiply_add_go(low[i], low[i + 1], a[i], b);
    high[N - 1] = carry::add_end(high[N - 1], 0);
  }
  // Adds the multiple of p that clears word 0 of `low`.
  template <class P>
  __device__ __forceinline__ static void reduceRow(uint32_t *low, uint32_t *high) {
    constexpr int N = 2 * P::LIMBS;
    const Words<P> p = Words<P>::modulus();
    if constexpr (P::MODULUS[0] % (uint64_t{1} << 32) == 1) {
      // The scalar field of BLS12-381: m = -low[0], and the product with the lowest word needs no multiplication. A
      // plain negation would be folded into the multiplications, whose halves the assembler then keeps apart.
      const uint32_t m = carry::add_start(carry::inverted(low[0]), 1);
      carry::multiply_add_start(high[0], high[1], p.word[1], m);
#pragma unroll
      for (int i = 2; i < N; i += 2) carry::multiply_add_go(high[i], high[i + 1], p.word[i + 1], m);
      low[0] = carry::add_start(low[0], m);
      low[1] = carry::add_go(low[1], 0);
#pragma unroll
      for (int i = 2; i < N; i += 2) carry::multiply_add_go(low[i], low[i + 1], p.word[i], m);
      high[N - 1] = carry::add_end(high[N - 1], 0);
      return;
    }
    const uint32_t m = low[0] * uint32_t(P::NEGATIVE_INVERSE);
    carry::multiply_add_start(high[0], high[1], p.word[1], m);
#pragma unroll
    for (int i = 2; i < N; i += 2) carry::multiply_add_go(high[i], high[i + 1], p.word[i + 1], m);
    carry::multiply_add_start(low[0], low[1], p.word[0], m);
#pragma unroll
    for (int i = 2; i < N; i += 2) carry::multiply_add_go(low[i], low[i + 1], p.word[i], m);
    high[N - 1] = carry::add_end(high[N - 1], 0);
  }
#else
  template <class P>
  static void add(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    Portable::add<P>(z, x, y);
  }
  template <class P>
  static void sub(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    Portable::sub<P>(z, x, y);
  }
  template <class P>
  static void mul(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    Portable::mul<P>(z, x, y);
  }
  template <class P>
  static void sqr(uint64_t *z, const uint64_t *x) {
    Portable::sqr<P>(z, x);
  }
#endif
};

// The same with multiplications as calls: where they do not dominate, or where inlining forty of them costs more in
// instruction cache and compile time than calls do. Fields over either have the same bytes.
struct CudaCalls : Cuda {
#ifdef __CUDA_ARCH__
  template <class P>
  struct Value {
    uint64_t limb[P::LIMBS];
  };
  // By value, so that operands travel in registers.
  template <class P>
  __device__ __noinline__ static Value<P> product(Value<P> x, Value<P> y) {
    Value<P> z;
    Cuda::mul<P>(z.limb, x.limb, y.limb);
    return z;
  }
  template <class P>
  __device__ __forceinline__ static void mul(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    Value<P> a, b;
#pragma unroll
    for (unsigned i = 0; i < P::LIMBS; i++) a.limb[i] = x[i], b.limb[i] = y[i];
    const Value<P> c = product<P>(a, b);
#pragma unroll
    for (unsigned i = 0; i < P::LIMBS; i++) z[i] = c.limb[i];
  }
  template <class P>
  __device__ __forceinline__ static void sqr(uint64_t *z, const uint64_t *x) {
    mul<P>(z, x, x);
  }

  template <class P>
  struct Pair {
    Value<P> c0, c1;
  };
  template <class P>
  __device__ __noinline__ static Pair<P> extensionProduct(Pair<P> x, Pair<P> y) {
    Pair<P> z;
    Cuda::multiplyExtension<P>(z.c0.limb, z.c1.limb, x.c0.limb, x.c1.limb, y.c0.limb, y.c1.limb);
    return z;
  }
  template <class P>
  __device__ __forceinline__ static void multiplyExtension(uint64_t *z0, uint64_t *z1, const uint64_t *x0,
                                                           const uint64_t *x1, const uint64_t *y0, const uint64_t *y1) {
    Pair<P> a, b;
#pragma unroll
    for (unsigned i = 0; i < P::LIMBS; i++) {
      a.c0.limb[i] = x0[i], a.c1.limb[i] = x1[i];
      b.c0.limb[i] = y0[i], b.c1.limb[i] = y1[i];
    }
    const Pair<P> c = extensionProduct<P>(a, b);
#pragma unroll
    for (unsigned i = 0; i < P::LIMBS; i++) z0[i] = c.c0.limb[i], z1[i] = c.c1.limb[i];
  }
#endif
};

// F over CudaCalls.
template <class F>
struct CallsOf;
template <class P, class A>
struct CallsOf<Field<P, A>> {
  using Type = Field<P, CudaCalls>;
};
template <class F>
struct CallsOf<Extension<F>> {
  using Type = Extension<typename CallsOf<F>::Type>;
};
template <class F>
using WithCalls = typename CallsOf<F>::Type;

}  // namespace cuzk
