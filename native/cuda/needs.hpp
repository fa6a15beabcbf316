// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groth16/needs.hpp"
#include "msm/device_plan.hpp"

namespace cuzk::gpu {

// The formulas for what keys and proofs take on a GPU: the one place that cuzk_plan_needs and reservations go by.
namespace needs {

constexpr unsigned LOW_BITS = 10;     // of the two tables of powers, see ntt/device_ntt.cuh
constexpr uint64_t SQUARINGS = 64;    // beside every table of powers
constexpr uint64_t ALLOCATION = 512;  // what rounding adds to an allocation

inline uint64_t rootTableElements(unsigned log) {
  return (log > 1 ? uint64_t{1} << (log - 1) : 1) + SQUARINGS;
}
inline uint64_t powerTableElements(unsigned log) {
  return (uint64_t{1} << LOW_BITS) + (log > LOW_BITS ? uint64_t{1} << (log - LOW_BITS) : 1) + 2 * SQUARINGS;
}

// Rows with more terms are summed by a block each.
constexpr uint64_t LONG_ROW = 64;

// Entries are planned as if all coefficients were distinct.
inline uint64_t matrixBytes(const cuzk_shape &shape) {
  const uint64_t rows = (uint64_t{1} << shape.domain_log2) + 1, scalar = 32;
  const uint64_t matrices = shape.entries == 0 ? 0 : 3;
  return matrices * rows * sizeof(uint64_t) + shape.entries * (2 * sizeof(uint32_t) + scalar) +
         shape.entries / LONG_ROW * sizeof(uint32_t);
}

template <class Curve>
uint64_t keyBytes(const cuzk_shape &shape) {
  const uint64_t g1 = shape.counts[CUZK_QUERY_A] + shape.counts[CUZK_QUERY_B1] + shape.counts[CUZK_QUERY_L] +
                      shape.counts[CUZK_QUERY_H];
  const uint64_t positions =
      (cuzk::needs::isPartial(shape, CUZK_QUERY_A) + cuzk::needs::isPartial(shape, CUZK_QUERY_B1)) * shape.variables *
      sizeof(uint32_t);
  const uint64_t tables = rootTableElements(shape.domain_log2) + 2 * powerTableElements(shape.domain_log2);
  return g1 * sizeof(typename Curve::G1) + shape.counts[CUZK_QUERY_B2] * sizeof(typename Curve::G2) + positions +
         matrixBytes(shape) + tables * sizeof(typename Curve::Fr) + 24 * ALLOCATION;
}

// A proof's worst moment is either the transforms (a, b and c at once) or an MSM.
template <class Curve>
uint64_t proofBytes(const cuzk_shape &shape) {
  constexpr unsigned SCALAR_BITS = Curve::Fr::Parameters::BITS;
  const uint64_t rows = uint64_t{1} << shape.domain_log2, scalar = 32;
  const uint64_t transforms = 2 * rows * scalar;
  const uint64_t witness = plan::msmBytes(shape.variables, SCALAR_BITS, sizeof(typename Curve::Fp2));
  const uint64_t quotient = plan::msmBytes(shape.counts[CUZK_QUERY_H], SCALAR_BITS, sizeof(typename Curve::Fp));
  return shape.variables * scalar + rows * scalar + std::max({transforms, witness, quotient}) + plan::SLACK;
}

template <class Curve>
cuzk_needs of(const cuzk_shape &shape) {
  cuzk_needs result = cuzk::needs::of<Curve>(shape);
  result.host_bytes += cuzk::needs::matrixBytes(shape);
  result.key_bytes = keyBytes<Curve>(shape);
  result.proof_bytes = proofBytes<Curve>(shape);
  return result;
}

}  // namespace needs
}  // namespace cuzk::gpu
