// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "curve/curves.hpp"
#include "curve/fixed_multiples.hpp"

namespace cuzk {

// What a proof is made of once the sums are there (Groth 2016, section 3.2).

// The single points of a proving key. Delta is multiplied in every proof, so its multiples are prepared.
template <class Curve>
struct SinglePoints {
  SinglePoints(const typename Curve::G1 (&g1)[3], const typename Curve::G2 (&g2)[2])
      : alpha1(g1[0]), beta1(g1[1]), beta2(g2[0]), delta1(g1[2]), delta2(g2[1]) {}

  typename Curve::G1 alpha1, beta1;
  typename Curve::G2 beta2;
  FixedMultiples<typename Curve::Fp> delta1;
  FixedMultiples<typename Curve::Fp2> delta2;
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

// n p + m q, bit by bit together (Straus), so that they share their doublings.
template <class F>
Xyzz<F> sumOfMultiples(const Affine<F> &p, const uint64_t (&n)[4], const Affine<F> &q, const uint64_t (&m)[4]) {
  Xyzz<F> both = Xyzz<F>::fromAffine(p);
  both.add(q);
  const Affine<F> summands[3] = {p, q, both.toAffine()};
  Xyzz<F> result = Xyzz<F>::infinity();
  for (unsigned i = 256; i-- > 0;) {
    result.twice();
    const uint64_t choice = (n[i / 64] >> (i % 64) & 1) + 2 * (m[i / 64] >> (i % 64) & 1);
    if (choice != 0) result.add(summands[choice - 1]);
  }
  return result;
}

// A = alpha + sum w_i A_i + r delta
// B = beta + sum w_i B_i + s delta
// C = sum_private w_i L_i + sum h_j H_j + s A + r B - r s delta, with B here the sum in G1: put in,
//   s A + r B - r s delta = s (alpha + sum w_i A_i) + r (beta + sum w_i B_i) + r s delta.
template <class Curve>
ProofPoints<Curve> combine(const SinglePoints<Curve> &key, const ProofSums<Curve> &sums, const Blinding &blinding) {
  using Fr = typename Curve::Fr;
  using Fp = typename Curve::Fp;
  const uint64_t(&r)[4] = blinding.r, (&s)[4] = blinding.s;
  uint64_t rs[4];
  (Fr::fromCanonical(r) * Fr::fromCanonical(s)).toCanonical(rs);
  Xyzz<Fp> a = sums.a, b1 = sums.b1, c = sums.l;
  a.add(key.alpha1);
  b1.add(key.beta1);
  c.add(sums.h);
  c.add(sumOfMultiples(a.toAffine(), s, b1.toAffine(), r));
  c.add(key.delta1.multiply(rs));
  a.add(key.delta1.multiply(r));
  auto b2 = sums.b2;
  b2.add(key.beta2);
  b2.add(key.delta2.multiply(s));
  return {a.toAffine(), b2.toAffine(), c.toAffine()};
}

}  // namespace cuzk
