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
    mul<P>(z, x, x);
  }

 private:
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
