// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/arithmetic_portable.hpp"

#if defined(__x86_64__)

#include <cpuid.h>

namespace cuzk {

// Limb arithmetic with MULX (BMI2) and the two carry chains of ADCX and ADOX. The instructions stand in inline
// assembly, so the surrounding code is compiled for the baseline processor and nothing that a linker might share
// between translation units contains them.
struct Adx {
  static constexpr const char *NAME = "adx";

  static bool supported() {
    unsigned a, b, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
    constexpr unsigned bmi2 = 1u << 8, adx = 1u << 19;
    return (b & bmi2) && (b & adx);
  }

// First round: t = x * y[0]. A takes the limb above t. ADCX's chain stays unused.
#define CUZK_ROUND_FIRST_HEAD \
  "movq (%[y]), %%rdx\n\t"    \
  "xorl %%eax, %%eax\n\t"     \
  "mulxq (%[x]), %[t0], %[t1]\n\t"
#define CUZK_ROUND_FIRST_STEP(offset, low, high) \
  "mulxq " #offset "(%[x]), %%rax, %[" #high     \
  "]\n\t"                                        \
  "adoxq %%rax, %[" #low "]\n\t"
#define CUZK_ROUND_FIRST_TAIL \
  "movl $0, %%eax\n\t"        \
  "adoxq %%rax, %[A]\n\t"

// Later rounds: t += x * y[i].
#define CUZK_ROUND_HEAD(offset)   \
  "movq " #offset                 \
  "(%[y]), %%rdx\n\t"             \
  "xorl %%eax, %%eax\n\t"         \
  "mulxq (%[x]), %%rax, %[A]\n\t" \
  "adoxq %%rax, %[t0]\n\t"
#define CUZK_ROUND_STEP(offset, limb) \
  "adcxq %[A], %[" #limb              \
  "]\n\t"                             \
  "mulxq " #offset                    \
  "(%[x]), %%rax, %[A]\n\t"           \
  "adoxq %%rax, %[" #limb "]\n\t"
#define CUZK_ROUND_TAIL   \
  "movl $0, %%eax\n\t"    \
  "adcxq %%rax, %[A]\n\t" \
  "adoxq %%rax, %[A]\n\t"

// t = (t + m p) / 2^64 with m = -t / p mod 2^64, A being t's limb above.
#define CUZK_REDUCE_HEAD         \
  "movq %[inverse], %%rdx\n\t"   \
  "imulq %[t0], %%rdx\n\t"       \
  "xorl %%eax, %%eax\n\t"        \
  "mulxq %[p0], %%rax, %[h]\n\t" \
  "adcxq %[t0], %%rax\n\t"       \
  "movq %[h], %[t0]\n\t"
#define CUZK_REDUCE_STEP(index, low, limb) \
  "adcxq %[" #limb "], %[" #low            \
  "]\n\t"                                  \
  "mulxq %[p" #index "], %%rax, %[" #limb  \
  "]\n\t"                                  \
  "adoxq %%rax, %[" #low "]\n\t"
#define CUZK_REDUCE_TAIL(limb) \
  "movl $0, %%eax\n\t"         \
  "adcxq %%rax, %[" #limb      \
  "]\n\t"                      \
  "adoxq %[A], %[" #limb "]\n\t"

#define CUZK_REDUCE_4                                                                                  \
  CUZK_REDUCE_HEAD CUZK_REDUCE_STEP(1, t0, t1) CUZK_REDUCE_STEP(2, t1, t2) CUZK_REDUCE_STEP(3, t2, t3) \
      CUZK_REDUCE_TAIL(t3)
#define CUZK_ROUND_4(offset) \
  CUZK_ROUND_HEAD(offset)    \
  CUZK_ROUND_STEP(8, t1) CUZK_ROUND_STEP(16, t2) CUZK_ROUND_STEP(24, t3) CUZK_ROUND_TAIL CUZK_REDUCE_4
#define CUZK_REDUCE_6                                                                                  \
  CUZK_REDUCE_HEAD CUZK_REDUCE_STEP(1, t0, t1) CUZK_REDUCE_STEP(2, t1, t2) CUZK_REDUCE_STEP(3, t2, t3) \
      CUZK_REDUCE_STEP(4, t3, t4) CUZK_REDUCE_STEP(5, t4, t5) CUZK_REDUCE_TAIL(t5)
#define CUZK_ROUND_6(offset) \
  CUZK_ROUND_HEAD(offset)    \
  CUZK_ROUND_STEP(8, t1)     \
  CUZK_ROUND_STEP(16, t2)    \
  CUZK_ROUND_STEP(24, t3) CUZK_ROUND_STEP(32, t4) CUZK_ROUND_STEP(40, t5) CUZK_ROUND_TAIL CUZK_REDUCE_6

// A round of a product of full length: of the limbs r0 .. r3 from limb `offset` / 8 on, r0 is complete then and goes to
// memory, and `top` takes the limb above r3.
#define CUZK_WIDE_STEP(offset, limb, top) \
  "adcxq %[" #top "], %[" #limb           \
  "]\n\t"                                 \
  "mulxq " #offset "(%[x]), %%rax, %[" #top "]\n\tadoxq %%rax, %[" #limb "]\n\t"
#define CUZK_WIDE_HEAD(offset, r0, top)                                                \
  "movq " #offset "(%[y]), %%rdx\n\txorl %%eax, %%eax\n\tmulxq (%[x]), %%rax, %[" #top \
  "]\n\t"                                                                              \
  "adoxq %%rax, %[" #r0 "]\n\tmovq %[" #r0 "], " #offset "(%[z])\n\t"
#define CUZK_WIDE_TAIL(top) "movl $0, %%eax\n\tadcxq %%rax, %[" #top "]\n\tadoxq %%rax, %[" #top "]\n\t"
#define CUZK_WIDE_4(offset, r0, r1, r2, r3, top) \
  CUZK_WIDE_HEAD(offset, r0, top)                \
  CUZK_WIDE_STEP(8, r1, top) CUZK_WIDE_STEP(16, r2, top) CUZK_WIDE_STEP(24, r3, top) CUZK_WIDE_TAIL(top)
#define CUZK_WIDE_6(offset, r0, r1, r2, r3, r4, r5, top) \
  CUZK_WIDE_HEAD(offset, r0, top)                        \
  CUZK_WIDE_STEP(8, r1, top)                             \
  CUZK_WIDE_STEP(16, r2, top)                            \
  CUZK_WIDE_STEP(24, r3, top) CUZK_WIDE_STEP(32, r4, top) CUZK_WIDE_STEP(40, r5, top) CUZK_WIDE_TAIL(top)

  static constexpr bool MULTIPLIES_EXTENSIONS = true;

  // (z0 + z1 u) = (x0 + x1 u) (y0 + y1 u) with u^2 = -1: Karatsuba's three products, unreduced, and two reductions.
  // Factors below p have sums below R, products below p^2, and p^2 < p R / 4.
  template <class P>
  static CUZK_NOINLINE void multiplyExtension(uint64_t *z0, uint64_t *z1, const uint64_t *x0, const uint64_t *x1,
                                              const uint64_t *y0, const uint64_t *y1) {
    constexpr unsigned N = P::LIMBS;
    uint64_t low[2 * N], high[2 * N], cross[2 * N], x[N], y[N];
    addLimbs<N>(x, x0, x1);
    addLimbs<N>(y, y0, y1);
    multiplyWide<P>(low, x0, y0);
    multiplyWide<P>(high, x1, y1);
    multiplyWide<P>(cross, x, y);
    subtractLimbs<2 * N>(cross, cross, low);
    subtractLimbs<2 * N>(cross, cross, high);
    // A negative difference becomes one below p R.
    const uint64_t mask = subtractLimbs<2 * N>(low, low, high);
    uint64_t modulus[N];
    for (unsigned i = 0; i < N; i++) modulus[i] = P::MODULUS[i] & mask;
    addLimbs<N>(low + N, low + N, modulus);
    reduceWide<P>(z0, low);
    reduceWide<P>(z1, cross);
  }

  // z = x y / R mod p.
  template <class P>
  static CUZK_INLINE void mul(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    if constexpr (P::LIMBS == 4) {
      mul4<P>(z, x, y);
    } else {
      mul6<P>(z, x, y);
    }
  }

  template <class P>
  static CUZK_INLINE void sqr(uint64_t *z, const uint64_t *x) {
    mul<P>(z, x, x);
  }

  template <class P>
  static CUZK_INLINE void add(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    if constexpr (P::LIMBS == 4) {
      uint64_t t0 = x[0], t1 = x[1], t2 = x[2], t3 = x[3];
      asm("addq %[y0], %[t0]\n\tadcq %[y1], %[t1]\n\tadcq %[y2], %[t2]\n\tadcq %[y3], %[t3]\n\t"
          : [t0] "+r"(t0), [t1] "+r"(t1), [t2] "+r"(t2), [t3] "+r"(t3)
          : [y0] "rm"(y[0]), [y1] "rm"(y[1]), [y2] "rm"(y[2]), [y3] "rm"(y[3])
          : "cc");
      reduce4<P>(z, t0, t1, t2, t3);
    } else {
      uint64_t t0 = x[0], t1 = x[1], t2 = x[2], t3 = x[3], t4 = x[4], t5 = x[5];
      asm("addq %[y0], %[t0]\n\tadcq %[y1], %[t1]\n\tadcq %[y2], %[t2]\n\tadcq %[y3], %[t3]\n\t"
          "adcq %[y4], %[t4]\n\tadcq %[y5], %[t5]\n\t"
          : [t0] "+r"(t0), [t1] "+r"(t1), [t2] "+r"(t2), [t3] "+r"(t3), [t4] "+r"(t4), [t5] "+r"(t5)
          : [y0] "m"(y[0]), [y1] "m"(y[1]), [y2] "m"(y[2]), [y3] "m"(y[3]), [y4] "m"(y[4]), [y5] "m"(y[5])
          : "cc");
      reduce6<P>(z, t0, t1, t2, t3, t4, t5);
    }
  }

  template <class P>
  static CUZK_INLINE void sub(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    if constexpr (P::LIMBS == 4) {
      uint64_t t0 = x[0], t1 = x[1], t2 = x[2], t3 = x[3];
      uint64_t m0 = P::MODULUS[0], m1 = P::MODULUS[1], m2 = P::MODULUS[2], m3 = P::MODULUS[3], zero = 0;
      asm("subq %[y0], %[t0]\n\tsbbq %[y1], %[t1]\n\tsbbq %[y2], %[t2]\n\tsbbq %[y3], %[t3]\n\t"
          "cmovncq %[zero], %[m0]\n\tcmovncq %[zero], %[m1]\n\tcmovncq %[zero], %[m2]\n\tcmovncq %[zero], %[m3]\n\t"
          "addq %[m0], %[t0]\n\tadcq %[m1], %[t1]\n\tadcq %[m2], %[t2]\n\tadcq %[m3], %[t3]\n\t"
          : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [m0] "+&r"(m0), [m1] "+&r"(m1),
            [m2] "+&r"(m2), [m3] "+&r"(m3)
          : [y0] "m"(y[0]), [y1] "m"(y[1]), [y2] "m"(y[2]), [y3] "m"(y[3]), [zero] "r"(zero)
          : "cc");
      z[0] = t0, z[1] = t1, z[2] = t2, z[3] = t3;
    } else {
      uint64_t t0 = x[0], t1 = x[1], t2 = x[2], t3 = x[3], t4 = x[4], t5 = x[5], mask;
      asm("subq %[y0], %[t0]\n\tsbbq %[y1], %[t1]\n\tsbbq %[y2], %[t2]\n\tsbbq %[y3], %[t3]\n\t"
          "sbbq %[y4], %[t4]\n\tsbbq %[y5], %[t5]\n\tsbbq %[mask], %[mask]\n\t"
          : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [t4] "+&r"(t4), [t5] "+&r"(t5),
            [mask] "=&r"(mask)
          : [y0] "m"(y[0]), [y1] "m"(y[1]), [y2] "m"(y[2]), [y3] "m"(y[3]), [y4] "m"(y[4]), [y5] "m"(y[5])
          : "cc");
      uint64_t m0 = P::MODULUS[0] & mask, m1 = P::MODULUS[1] & mask, m2 = P::MODULUS[2] & mask;
      uint64_t m3 = P::MODULUS[3] & mask, m4 = P::MODULUS[4] & mask, m5 = P::MODULUS[5] & mask;
      asm("addq %[m0], %[t0]\n\tadcq %[m1], %[t1]\n\tadcq %[m2], %[t2]\n\tadcq %[m3], %[t3]\n\t"
          "adcq %[m4], %[t4]\n\tadcq %[m5], %[t5]\n\t"
          : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [t4] "+&r"(t4), [t5] "+&r"(t5)
          : [m0] "rm"(m0), [m1] "rm"(m1), [m2] "rm"(m2), [m3] "rm"(m3), [m4] "rm"(m4), [m5] "rm"(m5)
          : "cc");
      z[0] = t0, z[1] = t1, z[2] = t2, z[3] = t3, z[4] = t4, z[5] = t5;
    }
  }

 private:
#define CUZK_LIMB(operation, offset) \
  "movq " #offset "(%[x]), %%rax\n\t" operation " " #offset "(%[y]), %%rax\n\tmovq %%rax, " #offset "(%[z])\n\t"
#define CUZK_LIMBS_4(first, next) CUZK_LIMB(first, 0) CUZK_LIMB(next, 8) CUZK_LIMB(next, 16) CUZK_LIMB(next, 24)
#define CUZK_LIMBS_6(first, next) CUZK_LIMBS_4(first, next) CUZK_LIMB(next, 32) CUZK_LIMB(next, 40)
#define CUZK_LIMBS_8(first, next) CUZK_LIMBS_6(first, next) CUZK_LIMB(next, 48) CUZK_LIMB(next, 56)
#define CUZK_LIMBS_12(first, next) \
  CUZK_LIMBS_8(first, next) CUZK_LIMB(next, 64) CUZK_LIMB(next, 72) CUZK_LIMB(next, 80) CUZK_LIMB(next, 88)
#define CUZK_LIMBS_OPERANDS \
  [z] "r"(z), [x] "r"(x), [y] "r"(y), "m"(*reinterpret_cast<Words<N>>(x)), "m"(*reinterpret_cast<Words<N>>(y))

  // z = x + y, whose carry is lost.
  template <unsigned N>
  static CUZK_INLINE void addLimbs(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    auto &result = *reinterpret_cast<Result<N>>(z);
    if constexpr (N == 4) {
      asm(CUZK_LIMBS_4("addq", "adcq") : "+m"(result) : CUZK_LIMBS_OPERANDS : "rax", "cc");
    } else {
      asm(CUZK_LIMBS_6("addq", "adcq") : "+m"(result) : CUZK_LIMBS_OPERANDS : "rax", "cc");
    }
  }
  // z = x - y of double length; all bits if that is negative, else none.
  template <unsigned N>
  static CUZK_INLINE uint64_t subtractLimbs(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    auto &result = *reinterpret_cast<Result<N>>(z);
    uint64_t mask;
    if constexpr (N == 8) {
      asm(CUZK_LIMBS_8("subq", "sbbq") "sbbq %[mask], %[mask]\n\t"
          : "+m"(result), [mask] "=&r"(mask)
          : CUZK_LIMBS_OPERANDS
          : "rax", "cc");
    } else {
      asm(CUZK_LIMBS_12("subq", "sbbq") "sbbq %[mask], %[mask]\n\t"
          : "+m"(result), [mask] "=&r"(mask)
          : CUZK_LIMBS_OPERANDS
          : "rax", "cc");
    }
    return mask;
  }

  // z = x y, all limbs.
  template <class P>
  static CUZK_INLINE void multiplyWide(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    if constexpr (P::LIMBS == 4) {
      uint64_t t0, t1, t2, t3, A;
      asm(CUZK_ROUND_FIRST_HEAD CUZK_ROUND_FIRST_STEP(8, t1, t2) CUZK_ROUND_FIRST_STEP(16, t2, t3)
              CUZK_ROUND_FIRST_STEP(24, t3, A) CUZK_ROUND_FIRST_TAIL "movq %[t0], (%[z])\n\t" CUZK_WIDE_4(
                  8, t1, t2, t3, A, t0) CUZK_WIDE_4(16, t2, t3, A, t0, t1) CUZK_WIDE_4(24, t3, A, t0, t1, t2)
          : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [A] "=&r"(A),
            "=m"(*reinterpret_cast<Result<4>>(z))
          : [x] "r"(x), [y] "r"(y), [z] "r"(z), "m"(*reinterpret_cast<Words<4>>(x)), "m"(*reinterpret_cast<Words<4>>(y))
          : "rax", "rdx", "cc");
      z[4] = A, z[5] = t0, z[6] = t1, z[7] = t2;
    } else {
      uint64_t t0, t1, t2, t3, t4, t5, A;
      asm(CUZK_ROUND_FIRST_HEAD CUZK_ROUND_FIRST_STEP(8, t1, t2) CUZK_ROUND_FIRST_STEP(16, t2, t3)
              CUZK_ROUND_FIRST_STEP(24, t3, t4) CUZK_ROUND_FIRST_STEP(32, t4, t5) CUZK_ROUND_FIRST_STEP(40, t5, A)
                  CUZK_ROUND_FIRST_TAIL "movq %[t0], (%[z])\n\t" CUZK_WIDE_6(8, t1, t2, t3, t4, t5, A, t0)
                      CUZK_WIDE_6(16, t2, t3, t4, t5, A, t0, t1) CUZK_WIDE_6(24, t3, t4, t5, A, t0, t1, t2)
                          CUZK_WIDE_6(32, t4, t5, A, t0, t1, t2, t3) CUZK_WIDE_6(40, t5, A, t0, t1, t2, t3, t4)
          : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4), [t5] "=&r"(t5), [A] "=&r"(A)
          : [x] "r"(x), [y] "r"(y), [z] "r"(z)
          : "rax", "rdx", "cc", "memory");  // operands for the memory would take a register each
      z[6] = A, z[7] = t0, z[8] = t1, z[9] = t2, z[10] = t3, z[11] = t4;
    }
  }

  // z = t / R mod p for t below p R: the lower half becomes at most p, the upper half is below p.
  template <class P>
  static CUZK_INLINE void reduceWide(uint64_t *z, const uint64_t *t) {
    uint64_t lower[P::LIMBS];
    if constexpr (P::LIMBS == 4) {
      uint64_t t0 = t[0], t1 = t[1], t2 = t[2], t3 = t[3], A = 0, h;
      asm(CUZK_REDUCE_4 CUZK_REDUCE_4 CUZK_REDUCE_4 CUZK_REDUCE_4
          : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [h] "=&r"(h)
          : [A] "r"(A), [p0] "m"(P::MODULUS[0]), [p1] "m"(P::MODULUS[1]), [p2] "m"(P::MODULUS[2]),
            [p3] "m"(P::MODULUS[3]), [inverse] "m"(P::NEGATIVE_INVERSE)
          : "rax", "rdx", "cc");
      lower[0] = t0, lower[1] = t1, lower[2] = t2, lower[3] = t3;
    } else {
      uint64_t t0 = t[0], t1 = t[1], t2 = t[2], t3 = t[3], t4 = t[4], t5 = t[5], A = 0, h;
      asm(CUZK_REDUCE_6 CUZK_REDUCE_6 CUZK_REDUCE_6 CUZK_REDUCE_6 CUZK_REDUCE_6 CUZK_REDUCE_6
          : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [t4] "+&r"(t4), [t5] "+&r"(t5), [h] "=&r"(h)
          : [A] "r"(A), [p0] "m"(P::MODULUS[0]), [p1] "m"(P::MODULUS[1]), [p2] "m"(P::MODULUS[2]),
            [p3] "m"(P::MODULUS[3]), [p4] "m"(P::MODULUS[4]), [p5] "m"(P::MODULUS[5]),
            [inverse] "m"(P::NEGATIVE_INVERSE)
          : "rax", "rdx", "cc");
      lower[0] = t0, lower[1] = t1, lower[2] = t2, lower[3] = t3, lower[4] = t4, lower[5] = t5;
    }
    add<P>(z, lower, t + P::LIMBS);
  }

  template <class P>
  static CUZK_INLINE void mul4(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    uint64_t t0, t1, t2, t3, A, h;
    asm(CUZK_ROUND_FIRST_HEAD CUZK_ROUND_FIRST_STEP(8, t1, t2) CUZK_ROUND_FIRST_STEP(16, t2, t3) CUZK_ROUND_FIRST_STEP(
            24, t3, A) CUZK_ROUND_FIRST_TAIL CUZK_REDUCE_4 CUZK_ROUND_4(8) CUZK_ROUND_4(16) CUZK_ROUND_4(24)
        : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [A] "=&r"(A), [h] "=&r"(h)
        : [x] "r"(x), [y] "r"(y), [p0] "m"(P::MODULUS[0]), [p1] "m"(P::MODULUS[1]), [p2] "m"(P::MODULUS[2]),
          [p3] "m"(P::MODULUS[3]), [inverse] "m"(P::NEGATIVE_INVERSE), "m"(*reinterpret_cast<Words<4>>(x)),
          "m"(*reinterpret_cast<Words<4>>(y))
        : "rax", "rdx", "cc");
    reduce4<P>(z, t0, t1, t2, t3);
  }

  template <class P>
  static CUZK_INLINE void mul6(uint64_t *z, const uint64_t *x, const uint64_t *y) {
    uint64_t t0, t1, t2, t3, t4, t5, A, h;
    asm(CUZK_ROUND_FIRST_HEAD CUZK_ROUND_FIRST_STEP(8, t1, t2) CUZK_ROUND_FIRST_STEP(16, t2, t3)
            CUZK_ROUND_FIRST_STEP(24, t3, t4) CUZK_ROUND_FIRST_STEP(32, t4, t5) CUZK_ROUND_FIRST_STEP(40, t5, A)
                CUZK_ROUND_FIRST_TAIL CUZK_REDUCE_6 CUZK_ROUND_6(8) CUZK_ROUND_6(16) CUZK_ROUND_6(24) CUZK_ROUND_6(32)
                    CUZK_ROUND_6(40)
        : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [t4] "=&r"(t4), [t5] "=&r"(t5), [A] "=&r"(A),
          [h] "=&r"(h)
        : [x] "r"(x), [y] "r"(y), [p0] "m"(P::MODULUS[0]), [p1] "m"(P::MODULUS[1]), [p2] "m"(P::MODULUS[2]),
          [p3] "m"(P::MODULUS[3]), [p4] "m"(P::MODULUS[4]), [p5] "m"(P::MODULUS[5]), [inverse] "m"(P::NEGATIVE_INVERSE),
          "m"(*reinterpret_cast<Words<6>>(x)), "m"(*reinterpret_cast<Words<6>>(y))
        : "rax", "rdx", "cc");
    reduce6<P>(z, t0, t1, t2, t3, t4, t5);
  }

  // Names, as an operand, the memory that an assembly block reads through a pointer.
  template <unsigned N>
  using Words = const uint64_t (*)[N];
  template <unsigned N>
  using Result = uint64_t (*)[N];

  template <class P>
  static CUZK_INLINE void reduce4(uint64_t *z, uint64_t t0, uint64_t t1, uint64_t t2, uint64_t t3) {
    uint64_t s0 = t0, s1 = t1, s2 = t2, s3 = t3;
    asm("subq %[p0], %[s0]\n\tsbbq %[p1], %[s1]\n\tsbbq %[p2], %[s2]\n\tsbbq %[p3], %[s3]\n\t"
        "cmovcq %[t0], %[s0]\n\tcmovcq %[t1], %[s1]\n\tcmovcq %[t2], %[s2]\n\tcmovcq %[t3], %[s3]\n\t"
        : [s0] "+&r"(s0), [s1] "+&r"(s1), [s2] "+&r"(s2), [s3] "+&r"(s3)
        : [t0] "r"(t0), [t1] "r"(t1), [t2] "r"(t2), [t3] "r"(t3), [p0] "m"(P::MODULUS[0]), [p1] "m"(P::MODULUS[1]),
          [p2] "m"(P::MODULUS[2]), [p3] "m"(P::MODULUS[3])
        : "cc");
    z[0] = s0, z[1] = s1, z[2] = s2, z[3] = s3;
  }

  template <class P>
  static CUZK_INLINE void reduce6(uint64_t *z, uint64_t t0, uint64_t t1, uint64_t t2, uint64_t t3, uint64_t t4,
                                  uint64_t t5) {
    uint64_t s0 = t0, s1 = t1, s2 = t2, s3 = t3, s4 = t4, s5 = t5;
    asm("subq %[p0], %[s0]\n\tsbbq %[p1], %[s1]\n\tsbbq %[p2], %[s2]\n\tsbbq %[p3], %[s3]\n\t"
        "sbbq %[p4], %[s4]\n\tsbbq %[p5], %[s5]\n\t"
        "cmovcq %[t0], %[s0]\n\tcmovcq %[t1], %[s1]\n\tcmovcq %[t2], %[s2]\n\tcmovcq %[t3], %[s3]\n\t"
        "cmovcq %[t4], %[s4]\n\tcmovcq %[t5], %[s5]\n\t"
        : [s0] "+&r"(s0), [s1] "+&r"(s1), [s2] "+&r"(s2), [s3] "+&r"(s3), [s4] "+&r"(s4), [s5] "+&r"(s5)
        : [t0] "rm"(t0), [t1] "rm"(t1), [t2] "rm"(t2), [t3] "rm"(t3), [t4] "rm"(t4), [t5] "rm"(t5),
          [p0] "m"(P::MODULUS[0]), [p1] "m"(P::MODULUS[1]), [p2] "m"(P::MODULUS[2]), [p3] "m"(P::MODULUS[3]),
          [p4] "m"(P::MODULUS[4]), [p5] "m"(P::MODULUS[5])
        : "cc");
    z[0] = s0, z[1] = s1, z[2] = s2, z[3] = s3, z[4] = s4, z[5] = s5;
  }

#undef CUZK_ROUND_FIRST_HEAD
#undef CUZK_ROUND_FIRST_STEP
#undef CUZK_ROUND_FIRST_TAIL
#undef CUZK_ROUND_HEAD
#undef CUZK_ROUND_STEP
#undef CUZK_ROUND_TAIL
#undef CUZK_REDUCE_HEAD
#undef CUZK_REDUCE_STEP
#undef CUZK_REDUCE_TAIL
#undef CUZK_REDUCE_4
#undef CUZK_ROUND_4
#undef CUZK_REDUCE_6
#undef CUZK_WIDE_STEP
#undef CUZK_WIDE_HEAD
#undef CUZK_WIDE_TAIL
#undef CUZK_WIDE_4
#undef CUZK_WIDE_6
#undef CUZK_LIMB
#undef CUZK_LIMBS_4
#undef CUZK_LIMBS_6
#undef CUZK_LIMBS_8
#undef CUZK_LIMBS_12
#undef CUZK_LIMBS_OPERANDS
#undef CUZK_ROUND_6
};

}  // namespace cuzk

#endif  // __x86_64__
