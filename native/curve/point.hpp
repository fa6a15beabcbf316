// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/field.hpp"

namespace cuzk {

// A point of y^2 = x^3 + b with b != 0, so (0, 0) is on no such curve and stands for infinity.
template <class F>
struct Affine {
  F x, y;

  CUZK_HD static CUZK_INLINE Affine infinity() { return {F::zero(), F::zero()}; }
  CUZK_HD CUZK_INLINE bool isInfinity() const { return x.isZero() && y.isZero(); }
  CUZK_HD CUZK_INLINE Affine operator-() const { return {x, -y}; }
  CUZK_HD friend bool operator==(const Affine &p, const Affine &q) { return p.x == q.x && p.y == q.y; }
  CUZK_HD friend bool operator!=(const Affine &p, const Affine &q) { return !(p == q); }
  CUZK_HD CUZK_NOINLINE bool isOnCurve(const F &b) const { return isInfinity() || y.square() == x.square() * x + b; }
};

// Extended Jacobian coordinates: x = X/ZZ, y = Y/ZZZ, ZZ^3 = ZZZ^2; infinity has ZZ = 0.
// Formulas: Explicit-Formulas Database, short Weierstrass, a = 0: madd-2008-s, add-2008-s, dbl-2008-s-1, mdbl-2008-s-1.
template <class F>
struct Xyzz {
  F x, y, zz, zzz;

  CUZK_HD static Xyzz infinity() { return {F::zero(), F::zero(), F::zero(), F::zero()}; }
  CUZK_HD static Xyzz fromAffine(const Affine<F> &p) {
    if (p.isInfinity()) return infinity();
    return {p.x, p.y, F::one(), F::one()};
  }
  CUZK_HD CUZK_INLINE bool isInfinity() const { return zz.isZero(); }

  CUZK_HD Affine<F> toAffine() const {
    if (isInfinity()) return Affine<F>::infinity();
    return toAffine(zzz.inverse());
  }
  // `inverseZzz` = 1/zzz; 1/zz is (zz/zzz)^2 because zz^3 = zzz^2.
  CUZK_HD CUZK_NOINLINE Affine<F> toAffine(const F &inverseZzz) const {
    F inverseZ = zz * inverseZzz;
    return {x * inverseZ.square(), y * inverseZzz};
  }

  CUZK_HD CUZK_NOINLINE void twice() {
    if (isInfinity()) return;
    F u = y.twice();
    F v = u.square();
    F w = u * v;
    F s = x * v;
    F xx = x.square();
    F m = xx.twice() + xx;
    F x3 = m.square() - s.twice();
    y = m * (s - x3) - w * y;
    x = x3;
    zz = v * zz;
    zzz = w * zzz;
  }

  CUZK_HD CUZK_NOINLINE void add(const Affine<F> &q) {
    if (q.isInfinity()) return;
    if (isInfinity()) {
      *this = fromAffine(q);
      return;
    }
    F p = q.x * zz - x;
    F r = q.y * zzz - y;
    if (p.isZero()) {
      if (r.isZero()) {
        twice();
      } else {
        *this = infinity();
      }
      return;
    }
    F pp = p.square();
    F ppp = p * pp;
    F t = x * pp;
    F x3 = r.square() - ppp - t.twice();
    y = r * (t - x3) - y * ppp;
    x = x3;
    zz = zz * pp;
    zzz = zzz * ppp;
  }

  CUZK_HD CUZK_NOINLINE void add(const Xyzz &q) {
    if (q.isInfinity()) return;
    if (isInfinity()) {
      *this = q;
      return;
    }
    F u1 = x * q.zz;
    F s1 = y * q.zzz;
    F p = q.x * zz - u1;
    F r = q.y * zzz - s1;
    if (p.isZero()) {
      if (r.isZero()) {
        twice();
      } else {
        *this = infinity();
      }
      return;
    }
    F pp = p.square();
    F ppp = p * pp;
    F t = u1 * pp;
    F x3 = r.square() - ppp - t.twice();
    y = r * (t - x3) - s1 * ppp;
    x = x3;
    zz = zz * q.zz * pp;
    zzz = zzz * q.zzz * ppp;
  }

  // scalar * point, `limbs` little-endian canonical words; for single points only.
  template <size_t N>
  CUZK_HD static Xyzz multiply(const Affine<F> &point, const uint64_t (&limbs)[N]) {
    Xyzz result = infinity();
    for (unsigned i = 64 * N; i-- > 0;) {
      result.twice();
      if ((limbs[i / 64] >> (i % 64)) & 1) result.add(point);
    }
    return result;
  }
};

}  // namespace cuzk
