// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "curve/curves.hpp"
#include "curve/encoding.hpp"
#include "cuzk.h"
#include "field/arithmetic_adx.hpp"
#include "lanes/ifma.hpp"

namespace cuzk {
namespace test {

using Random = std::mt19937_64;

// An opened device; fails the test where the processor lacks the arithmetic only if it is not the best one.
class Device {
 public:
  explicit Device(const char *arithmetic, int threads = 2, uint64_t memoryLimit = 0) {
    cuzk_device_options options = {};
    options.threads = threads;
    options.memory_limit = memoryLimit;
    options.arithmetic = arithmetic;
    cuzk_error error;
    cuzk_status status = cuzk_device_open(&options, &handle_, &error);
    if (status != CUZK_OK) handle_ = nullptr;
    REQUIRE_MESSAGE(status == CUZK_OK, error.text);
  }
  ~Device() { cuzk_device_close(handle_); }
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
  operator cuzk_device *() const { return handle_; }

 private:
  cuzk_device *handle_ = nullptr;
};

// The arithmetics that can run here: the CPU library's, or the CUDA library's only one.
inline std::vector<const char *> arithmetics() {
#if defined(CUZK_TEST_CUDA)
  return {"auto"};
#else
  std::vector<const char *> names = {"portable"};
#if defined(__x86_64__)
  if (Adx::supported()) names.push_back("adx");
  if (Ifma::supported()) names.push_back("ifma");
#endif
  return names;
#endif
}

template <class Fr>
Fr randomScalar(Random &random) {
  uint64_t limbs[4];
  do {
    for (uint64_t &limb : limbs) limb = random();
    limbs[3] &= UINT64_MAX >> (256 - Fr::Parameters::BITS);
  } while (!Fr::isBelowModulus(limbs));
  return Fr::fromCanonical(limbs);
}

// Canonical little-endian bytes of scalars, as the C interface takes them.
template <class Fr>
std::vector<uint64_t> canonicalWords(const std::vector<Fr> &scalars) {
  std::vector<uint64_t> words(4 * scalars.size());
  for (size_t i = 0; i < scalars.size(); i++) scalars[i].toCanonical(&words[4 * i]);
  return words;
}

// scalar * point by doubling and adding.
template <class F, class Fr>
Affine<F> multiple(const Affine<F> &point, const Fr &scalar) {
  uint64_t words[4];
  scalar.toCanonical(words);
  return Xyzz<F>::multiply(point, words).toAffine();
}

template <class F>
std::vector<uint8_t> canonicalBytes(const Affine<F> &point) {
  std::vector<uint8_t> bytes(2 * F::BYTES);
  writePoint(point, bytes.data());
  return bytes;
}

template <class Curve, class F>
Affine<F> generator() {
  if constexpr (F::DEGREE == 1) {
    return Curve::generatorG1();
  } else {
    return Curve::generatorG2();
  }
}

// What tests over curves and groups are templated on.
template <class C, class F, cuzk_curve CURVE, cuzk_group GROUP>
struct Group {
  using Curve = C;
  using Field = F;
  static constexpr cuzk_curve curve = CURVE;
  static constexpr cuzk_group group = GROUP;
};
using Bn254G1 = Group<Bn254<Portable>, Bn254<Portable>::Fp, CUZK_BN254, CUZK_G1>;
using Bn254G2 = Group<Bn254<Portable>, Bn254<Portable>::Fp2, CUZK_BN254, CUZK_G2>;
using Bls12381G1 = Group<Bls12381<Portable>, Bls12381<Portable>::Fp, CUZK_BLS12_381, CUZK_G1>;
using Bls12381G2 = Group<Bls12381<Portable>, Bls12381<Portable>::Fp2, CUZK_BLS12_381, CUZK_G2>;

}  // namespace test
}  // namespace cuzk
