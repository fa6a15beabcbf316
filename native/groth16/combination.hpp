// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "curve/curves.hpp"

namespace cuzk {

// What a proof is made of once the sums are there (Groth 2016, section 3.2).

// The single points of a proving key.
template <class Curve>
struct SinglePoints {
  typename Curve::G1 alpha1, beta1, delta1;
  typename Curve::G2 beta2, delta2;
};

// The sums over the five queries.
template <class Curve>
struct ProofSums {
  using Fp = typename Curve::Fp;
  using Fp2 = typename Curve::Fp2;
  Xyzz<Fp> a = Xyzz<Fp>::infinity(), b1 = Xyzz<Fp>::infinity(), l = Xyzz<Fp>::infinity(), h = Xyzz<Fp>::infinity();
  Xyzz<Fp2> b2 = Xyzz<Fp2>::infinity();
};

// Canonical words of the two blinding scalars.
struct Blinding {
  uint64_t r[4], s[4];
};

template <class Curve>
struct ProofPoints {
  typename Curve::G1 a;
  typename Curve::G2 b;
  typename Curve::G1 c;
};

// constant + sum + scalar * delta
template <class F>
Xyzz<F> blind(const Xyzz<F> &sum, const Affine<F> &constant, const Affine<F> &delta, const uint64_t (&scalar)[4]) {
  Xyzz<F> result = sum;
  result.add(constant);
  result.add(Xyzz<F>::multiply(delta, scalar));
  return result;
}

// A = alpha + sum w_i A_i + r delta
// B = beta + sum w_i B_i + s delta
// C = sum_private w_i L_i + sum h_j H_j + s A + r B - r s delta, with B here the sum in G1
template <class Curve>
ProofPoints<Curve> combine(const SinglePoints<Curve> &key, const ProofSums<Curve> &sums, const Blinding &blinding) {
  using Fr = typename Curve::Fr;
  using Fp = typename Curve::Fp;
  const uint64_t(&r)[4] = blinding.r, (&s)[4] = blinding.s;
  Xyzz<Fp> a = blind(sums.a, key.alpha1, key.delta1, r);
  Xyzz<Fp> b1 = blind(sums.b1, key.beta1, key.delta1, s);
  auto b2 = blind(sums.b2, key.beta2, key.delta2, s);
  Affine<Fp> affineA = a.toAffine(), affineB1 = b1.toAffine();
  Fr product = Fr::fromCanonical(r) * Fr::fromCanonical(s);
  uint64_t rs[4];
  product.toCanonical(rs);
  Xyzz<Fp> c = sums.l;
  c.add(sums.h);
  c.add(Xyzz<Fp>::multiply(affineA, s));
  c.add(Xyzz<Fp>::multiply(affineB1, r));
  c.add(Xyzz<Fp>::multiply(-key.delta1, rs));
  return {affineA, b2.toAffine(), c.toAffine()};
}

}  // namespace cuzk
