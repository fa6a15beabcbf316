// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "curve/point.hpp"

namespace cuzk {

// Byte forms of field elements and points, as cuzk.h defines them. The host is little-endian.
enum class PointEncoding { MONTGOMERY_LE, UNCOMPRESSED_BE };

namespace encoding {

// Flag bits in the first byte of an uncompressed big-endian point: those that the modulus leaves free. Bit 6 says
// infinity; the others (compressed, and the sign that only compressed points have) must be clear.
template <class F>
CUZK_HD constexpr uint8_t freeBits() {
  return static_cast<uint8_t>(0xff << (F::Base::Parameters::BITS - 8 * (F::Base::BYTES - 1)));
}
constexpr uint8_t INFINITY_FLAG = 0x40;

template <class F>
CUZK_HD bool readBigEndian(const uint8_t *bytes, uint8_t mask, F &element) {
  if constexpr (F::DEGREE == 2) {
    return readBigEndian(bytes, mask, element.c1) && readBigEndian(bytes + F::Base::BYTES, 0, element.c0);
  } else {
    uint64_t limbs[F::LIMBS] = {};
    for (size_t i = 0; i < F::BYTES; i++) {
      uint8_t byte = i == 0 ? static_cast<uint8_t>(bytes[0] & ~mask) : bytes[i];
      size_t place = F::BYTES - 1 - i;
      limbs[place / 8] |= static_cast<uint64_t>(byte) << (8 * (place % 8));
    }
    if (!F::isBelowModulus(limbs)) return false;
    element = F::fromCanonical(limbs);
    return true;
  }
}

template <class F>
CUZK_HD bool areCoordinatesReduced(const Affine<F> &point) {
  if constexpr (F::DEGREE == 2) {
    using Base = typename F::Base;
    return Base::isBelowModulus(point.x.c0.limb) && Base::isBelowModulus(point.x.c1.limb) &&
           Base::isBelowModulus(point.y.c0.limb) && Base::isBelowModulus(point.y.c1.limb);
  } else {
    return F::isBelowModulus(point.x.limb) && F::isBelowModulus(point.y.limb);
  }
}

template <class F>
CUZK_HD bool readUncompressed(const uint8_t *bytes, Affine<F> &point) {
  constexpr uint8_t free = freeBits<F>();
  uint8_t flags = bytes[0] & free;
  if (flags & ~INFINITY_FLAG) return false;
  if (flags & INFINITY_FLAG) {
    point = Affine<F>::infinity();
    uint8_t any = bytes[0] & ~INFINITY_FLAG;
    for (size_t i = 1; i < 2 * F::BYTES; i++) any |= bytes[i];
    return any == 0;
  }
  // All-zero bytes without the flag would read as the internal sign for infinity, which is no curve point.
  return readBigEndian(bytes, free, point.x) && readBigEndian(bytes + F::BYTES, 0, point.y) && !point.isInfinity();
}

}  // namespace encoding

// Reads a point and checks it: coordinates below the modulus, on the curve with coefficient b.
template <class F>
CUZK_HD bool readPoint(PointEncoding encoding, const uint8_t *bytes, const F &b, Affine<F> &point) {
  if (encoding == PointEncoding::MONTGOMERY_LE) {
    static_assert(sizeof(Affine<F>) == 2 * F::BYTES, "points are packed");
    std::memcpy(static_cast<void *>(&point), bytes, sizeof point);
    if (!encoding::areCoordinatesReduced(point)) return false;
  } else if (!encoding::readUncompressed(bytes, point)) {
    return false;
  }
  return point.isOnCurve(b);
}

template <class F>
void writeCanonical(const F &element, uint8_t *bytes) {
  if constexpr (F::DEGREE == 2) {
    writeCanonical(element.c0, bytes);
    writeCanonical(element.c1, bytes + F::Base::BYTES);
  } else {
    uint64_t limbs[F::LIMBS];
    element.toCanonical(limbs);
    std::memcpy(bytes, limbs, F::BYTES);
  }
}

// Affine, canonical, little-endian; infinity all zeros.
template <class F>
void writePoint(const Affine<F> &point, uint8_t *bytes) {
  writeCanonical(point.x, bytes);
  writeCanonical(point.y, bytes + F::BYTES);
}

}  // namespace cuzk
