// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "curve/point.hpp"
#include "field/constants.hpp"

namespace cuzk {

// What the algorithms are templated on: the fields and groups of one curve over one arithmetic.
template <class FrParameters, class FpParameters, class C, class A>
struct Curve {
  using Arithmetic = A;
  using Constants = C;
  using Fr = Field<FrParameters, A>;
  using Fp = Field<FpParameters, A>;
  using Fp2 = Extension<Fp>;
  using G1 = Affine<Fp>;
  using G2 = Affine<Fp2>;

  static G1 generatorG1() { return {Fp::fromLimbs(C::G1_X), Fp::fromLimbs(C::G1_Y)}; }
  static G2 generatorG2() {
    return {{Fp::fromLimbs(C::G2_X_C0), Fp::fromLimbs(C::G2_X_C1)},
            {Fp::fromLimbs(C::G2_Y_C0), Fp::fromLimbs(C::G2_Y_C1)}};
  }

  // b of the curve on which F's points lie.
  template <class F>
  static F coefficientB() {
    if constexpr (F::DEGREE == 1) {
      return Fp::fromLimbs(C::B);
    } else {
      return {Fp::fromLimbs(C::B2_C0), Fp::fromLimbs(C::B2_C1)};
    }
  }
};

template <class A>
using Bn254 = Curve<Bn254FrParameters, Bn254FpParameters, Bn254Constants, A>;
template <class A>
using Bls12381 = Curve<Bls12381FrParameters, Bls12381FpParameters, Bls12381Constants, A>;

}  // namespace cuzk
