// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "field/arithmetic_portable.hpp"

#if defined(__AVX512IFMA__)
#include <immintrin.h>
#define CUZK_LANE_INLINE CUZK_INLINE
#define CUZK_LANE_LAMBDA __attribute__((always_inline))
#else
// Emulated lanes are for tests: inlined throughout they would take minutes to compile.
#define CUZK_LANE_INLINE inline
#define CUZK_LANE_LAMBDA
#endif

namespace cuzk {

// Eight lanes of 64 bits, each its own computation. What is built on lanes is a template over the kind of vector: the
// AVX-512 one exists only where its instructions may be used, the emulated one everywhere, so that all but these few
// operations can be tested on any processor.

// Lanes as plain words.
struct EmulatedLanes {
  static constexpr unsigned COUNT = 8;
  using Mask = uint8_t;  // a bit a lane

  uint64_t lane[COUNT];

  static EmulatedLanes load(const uint64_t *words) {
    EmulatedLanes z;
    std::memcpy(z.lane, words, sizeof z.lane);
    return z;
  }
  void store(uint64_t *words) const { std::memcpy(words, lane, sizeof lane); }
  static EmulatedLanes all(uint64_t value) {
    return map([&](unsigned) { return value; });
  }
  static EmulatedLanes zero() { return all(0); }
  // Four words from either place: the lower and the upper half.
  static EmulatedLanes loadHalves(const uint64_t *lower, const uint64_t *upper) {
    EmulatedLanes z;
    std::memcpy(z.lane, lower, 32);
    std::memcpy(z.lane + 4, upper, 32);
    return z;
  }
  void storeHalves(uint64_t *lower, uint64_t *upper) const {
    std::memcpy(lower, lane, 32);
    std::memcpy(upper, lane + 4, 32);
  }

  friend EmulatedLanes operator+(const EmulatedLanes &x, const EmulatedLanes &y) {
    return map([&](unsigned i) { return x.lane[i] + y.lane[i]; });
  }
  friend EmulatedLanes operator-(const EmulatedLanes &x, const EmulatedLanes &y) {
    return map([&](unsigned i) { return x.lane[i] - y.lane[i]; });
  }
  friend EmulatedLanes operator&(const EmulatedLanes &x, const EmulatedLanes &y) {
    return map([&](unsigned i) { return x.lane[i] & y.lane[i]; });
  }
  friend EmulatedLanes operator|(const EmulatedLanes &x, const EmulatedLanes &y) {
    return map([&](unsigned i) { return x.lane[i] | y.lane[i]; });
  }
  friend EmulatedLanes operator^(const EmulatedLanes &x, const EmulatedLanes &y) {
    return map([&](unsigned i) { return x.lane[i] ^ y.lane[i]; });
  }
  template <unsigned N>
  EmulatedLanes shiftLeft() const {
    return map([&](unsigned i) { return lane[i] << N; });
  }
  template <unsigned N>
  EmulatedLanes shiftRight() const {
    return map([&](unsigned i) { return lane[i] >> N; });
  }
  template <unsigned N>
  EmulatedLanes shiftRightSigned() const {
    return map([&](unsigned i) { return static_cast<uint64_t>(static_cast<int64_t>(lane[i]) >> N); });
  }

  // sum + the low, or the high, 52 bits of the product of x's and y's low 52 bits.
  static EmulatedLanes addLowProduct(const EmulatedLanes &sum, const EmulatedLanes &x, const EmulatedLanes &y) {
    return map([&](unsigned i) { return sum.lane[i] + (static_cast<uint64_t>(product(x, y, i)) & LOW); });
  }
  static EmulatedLanes addHighProduct(const EmulatedLanes &sum, const EmulatedLanes &x, const EmulatedLanes &y) {
    return map([&](unsigned i) { return sum.lane[i] + static_cast<uint64_t>(product(x, y, i) >> 52); });
  }

  Mask isZero() const {
    Mask mask = 0;
    for (unsigned i = 0; i < COUNT; i++) mask = static_cast<Mask>(mask | (lane[i] == 0) << i);
    return mask;
  }
  Mask isNegative() const {
    Mask mask = 0;
    for (unsigned i = 0; i < COUNT; i++) mask = static_cast<Mask>(mask | (lane[i] >> 63) << i);
    return mask;
  }
  static EmulatedLanes select(Mask mask, const EmulatedLanes &clear, const EmulatedLanes &set) {
    return map([&](unsigned i) { return mask >> i & 1 ? set.lane[i] : clear.lane[i]; });
  }

  // Of two vectors of four blocks of two words each: the first, or second, words of every block in turn.
  static EmulatedLanes firstOfBlocks(const EmulatedLanes &x, const EmulatedLanes &y) {
    return map([&](unsigned i) { return (i & 1 ? y : x).lane[i & ~1u]; });
  }
  static EmulatedLanes secondOfBlocks(const EmulatedLanes &x, const EmulatedLanes &y) {
    return map([&](unsigned i) { return (i & 1 ? y : x).lane[i | 1u]; });
  }
  // Blocks 0 and 2, or 1 and 3, of x and then of y.
  static EmulatedLanes evenBlocks(const EmulatedLanes &x, const EmulatedLanes &y) {
    return map([&](unsigned i) { return (i < 4 ? x : y).lane[(i & 2) * 2 + (i & 1)]; });
  }
  static EmulatedLanes oddBlocks(const EmulatedLanes &x, const EmulatedLanes &y) {
    return map([&](unsigned i) { return (i < 4 ? x : y).lane[(i & 2) * 2 + 2 + (i & 1)]; });
  }
  // Blocks 0 and 1, or 2 and 3, of x and y in turn.
  static EmulatedLanes lowerBlocks(const EmulatedLanes &x, const EmulatedLanes &y) {
    return map([&](unsigned i) { return (i & 2 ? y : x).lane[(i & 4) / 2 + (i & 1)]; });
  }
  static EmulatedLanes upperBlocks(const EmulatedLanes &x, const EmulatedLanes &y) {
    return map([&](unsigned i) { return (i & 2 ? y : x).lane[4 + (i & 4) / 2 + (i & 1)]; });
  }

 private:
  static constexpr uint64_t LOW = (uint64_t{1} << 52) - 1;

  static unsigned __int128 product(const EmulatedLanes &x, const EmulatedLanes &y, unsigned i) {
    return static_cast<unsigned __int128>(x.lane[i] & LOW) * (y.lane[i] & LOW);
  }
  template <class Body>
  static CUZK_NOINLINE EmulatedLanes map(const Body &body) {
    EmulatedLanes z;
    for (unsigned i = 0; i < COUNT; i++) z.lane[i] = body(i);
    return z;
  }
};

struct Avx512Lanes;

#if defined(__AVX512IFMA__)

// The same operations as EmulatedLanes, an instruction each.
struct Avx512Lanes {
  static constexpr unsigned COUNT = 8;
  using Mask = __mmask8;

  __m512i lanes;

  static CUZK_INLINE Avx512Lanes load(const uint64_t *words) { return {_mm512_loadu_si512(words)}; }
  CUZK_INLINE void store(uint64_t *words) const { _mm512_storeu_si512(words, lanes); }
  static CUZK_INLINE Avx512Lanes all(uint64_t value) { return {_mm512_set1_epi64(static_cast<long long>(value))}; }
  static CUZK_INLINE Avx512Lanes zero() { return {_mm512_setzero_si512()}; }
  static CUZK_INLINE Avx512Lanes loadHalves(const uint64_t *lower, const uint64_t *upper) {
    __m512i low = _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(lower)));
    return {_mm512_inserti64x4(low, _mm256_loadu_si256(reinterpret_cast<const __m256i *>(upper)), 1)};
  }
  CUZK_INLINE void storeHalves(uint64_t *lower, uint64_t *upper) const {
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(lower), _mm512_castsi512_si256(lanes));
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(upper), _mm512_extracti64x4_epi64(lanes, 1));
  }

  friend CUZK_INLINE Avx512Lanes operator+(const Avx512Lanes &x, const Avx512Lanes &y) {
    return {_mm512_add_epi64(x.lanes, y.lanes)};
  }
  friend CUZK_INLINE Avx512Lanes operator-(const Avx512Lanes &x, const Avx512Lanes &y) {
    return {_mm512_sub_epi64(x.lanes, y.lanes)};
  }
  friend CUZK_INLINE Avx512Lanes operator&(const Avx512Lanes &x, const Avx512Lanes &y) {
    return {_mm512_and_si512(x.lanes, y.lanes)};
  }
  friend CUZK_INLINE Avx512Lanes operator|(const Avx512Lanes &x, const Avx512Lanes &y) {
    return {_mm512_or_si512(x.lanes, y.lanes)};
  }
  friend CUZK_INLINE Avx512Lanes operator^(const Avx512Lanes &x, const Avx512Lanes &y) {
    return {_mm512_xor_si512(x.lanes, y.lanes)};
  }
  template <unsigned N>
  CUZK_INLINE Avx512Lanes shiftLeft() const {
    return {_mm512_slli_epi64(lanes, N)};
  }
  template <unsigned N>
  CUZK_INLINE Avx512Lanes shiftRight() const {
    return {_mm512_srli_epi64(lanes, N)};
  }
  template <unsigned N>
  CUZK_INLINE Avx512Lanes shiftRightSigned() const {
    return {_mm512_srai_epi64(lanes, N)};
  }

  static CUZK_INLINE Avx512Lanes addLowProduct(const Avx512Lanes &sum, const Avx512Lanes &x, const Avx512Lanes &y) {
    return {_mm512_madd52lo_epu64(sum.lanes, x.lanes, y.lanes)};
  }
  static CUZK_INLINE Avx512Lanes addHighProduct(const Avx512Lanes &sum, const Avx512Lanes &x, const Avx512Lanes &y) {
    return {_mm512_madd52hi_epu64(sum.lanes, x.lanes, y.lanes)};
  }

  CUZK_INLINE Mask isZero() const { return _mm512_testn_epi64_mask(lanes, lanes); }
  CUZK_INLINE Mask isNegative() const { return _mm512_cmplt_epi64_mask(lanes, _mm512_setzero_si512()); }
  static CUZK_INLINE Avx512Lanes select(Mask mask, const Avx512Lanes &clear, const Avx512Lanes &set) {
    return {_mm512_mask_blend_epi64(mask, clear.lanes, set.lanes)};
  }

  static CUZK_INLINE Avx512Lanes firstOfBlocks(const Avx512Lanes &x, const Avx512Lanes &y) {
    return {_mm512_unpacklo_epi64(x.lanes, y.lanes)};
  }
  static CUZK_INLINE Avx512Lanes secondOfBlocks(const Avx512Lanes &x, const Avx512Lanes &y) {
    return {_mm512_unpackhi_epi64(x.lanes, y.lanes)};
  }
  static CUZK_INLINE Avx512Lanes evenBlocks(const Avx512Lanes &x, const Avx512Lanes &y) {
    return {_mm512_shuffle_i64x2(x.lanes, y.lanes, 0x88)};
  }
  static CUZK_INLINE Avx512Lanes oddBlocks(const Avx512Lanes &x, const Avx512Lanes &y) {
    return {_mm512_shuffle_i64x2(x.lanes, y.lanes, 0xdd)};
  }
  static CUZK_INLINE Avx512Lanes lowerBlocks(const Avx512Lanes &x, const Avx512Lanes &y) {
    return {_mm512_permutex2var_epi64(x.lanes, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), y.lanes)};
  }
  static CUZK_INLINE Avx512Lanes upperBlocks(const Avx512Lanes &x, const Avx512Lanes &y) {
    return {_mm512_permutex2var_epi64(x.lanes, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), y.lanes)};
  }
};

#endif  // __AVX512IFMA__

// Four words from each of eight places <-> four vectors, vector i holding word i of every place.
template <class V>
CUZK_LANE_INLINE void loadRows(const uint64_t *const (&rows)[8], size_t offset, V *words) {
  V a = V::loadHalves(rows[0] + offset, rows[2] + offset), b = V::loadHalves(rows[1] + offset, rows[3] + offset);
  V c = V::loadHalves(rows[4] + offset, rows[6] + offset), d = V::loadHalves(rows[5] + offset, rows[7] + offset);
  V first = V::firstOfBlocks(a, b), second = V::secondOfBlocks(a, b);
  V firstAbove = V::firstOfBlocks(c, d), secondAbove = V::secondOfBlocks(c, d);
  words[0] = V::evenBlocks(first, firstAbove);
  words[1] = V::evenBlocks(second, secondAbove);
  words[2] = V::oddBlocks(first, firstAbove);
  words[3] = V::oddBlocks(second, secondAbove);
}

template <class V>
CUZK_LANE_INLINE void storeRows(const V *words, uint64_t *const (&rows)[8], size_t offset) {
  V even = V::firstOfBlocks(words[0], words[1]), odd = V::secondOfBlocks(words[0], words[1]);
  V evenEnd = V::firstOfBlocks(words[2], words[3]), oddEnd = V::secondOfBlocks(words[2], words[3]);
  V::lowerBlocks(even, evenEnd).storeHalves(rows[0] + offset, rows[2] + offset);
  V::lowerBlocks(odd, oddEnd).storeHalves(rows[1] + offset, rows[3] + offset);
  V::upperBlocks(even, evenEnd).storeHalves(rows[4] + offset, rows[6] + offset);
  V::upperBlocks(odd, oddEnd).storeHalves(rows[5] + offset, rows[7] + offset);
}

}  // namespace cuzk
