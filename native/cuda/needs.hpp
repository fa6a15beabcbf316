// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groth16/needs.hpp"
#include "groth16/packed_witness.hpp"
#include "msm/device_plan.hpp"

namespace cuzk::gpu {

// The formulas for what keys and proofs take on a GPU: the one place that cuzk_plan_needs and reservations go by.
namespace needs {

constexpr unsigned LOW_BITS = 10;     // of the two tables of powers, see ntt/device_ntt.cuh
constexpr uint64_t SQUARINGS = 64;    // beside every table of powers
constexpr uint64_t ALLOCATION = 512;  // what rounding adds to an allocation

// The passes of a transform of size 2^log over its stages, stage 0 being the one with halves of one element. All are
// about equally long. A pass has a table of the roots that its stages take.
struct Passes {
  static constexpr unsigned MAXIMUM_STAGES = 9, MAXIMUM_COUNT = 4;

  explicit Passes(unsigned log) : count((log + MAXIMUM_STAGES - 1) / MAXIMUM_STAGES), log(log) {}
  // Stages begin(i) ... end(i) - 1 are those of pass i.
  unsigned begin(unsigned i) const { return log * i / count; }
  unsigned end(unsigned i) const { return begin(i + 1); }
  uint64_t roots(unsigned i) const { return uint64_t{1} << (end(i) - 1); }

  unsigned count;

 private:
  unsigned log;
};

inline uint64_t rootTableElements(unsigned log) {
  const Passes passes(log);
  uint64_t elements = SQUARINGS;
  for (unsigned i = 0; i < passes.count; i++) elements += passes.roots(i);
  return elements;
}
inline uint64_t powerTableElements(unsigned log) {
  return (uint64_t{1} << LOW_BITS) + (log > LOW_BITS ? uint64_t{1} << (log - LOW_BITS) : 1) + 2 * SQUARINGS;
}

// Rows with more terms are summed by a block each.
constexpr uint64_t LONG_ROW = 64;

constexpr uint64_t SCALAR = 32, TERM = 2 * sizeof(uint32_t), POSITION = sizeof(uint32_t);

// Distinct coefficients that a plan counts with; a key that has more reserves memory for them when it is finished.
constexpr uint64_t COEFFICIENTS = uint64_t{1} << 24;

inline uint64_t coefficientBytes(const cuzk_shape &shape) {
  return std::min(shape.entries, COEFFICIENTS) * SCALAR;
}
// Of matrices that stay on the device.
inline uint64_t matrixBytes(const cuzk_shape &shape) {
  const uint64_t rows = (uint64_t{1} << shape.domain_log2) + 1;
  const uint64_t matrices = shape.entries == 0 ? 0 : 3;
  return matrices * rows * sizeof(uint64_t) + shape.entries * TERM + shape.entries / LONG_ROW * sizeof(uint32_t);
}

// Matrices are multiplied in pieces of so many rows where memory is short, and streamed in pieces of so many terms.
constexpr uint64_t ROWS_A_PIECE = uint64_t{1} << 20, TERMS_A_PIECE = uint64_t{1} << 22;

// What a piece of a streamed matrix takes: its terms, where its rows start, the numbers of its long rows.
inline uint64_t matrixSlotBytes(const cuzk_shape &shape) {
  const uint64_t rows = std::min(ROWS_A_PIECE, uint64_t{1} << shape.domain_log2);
  return std::min(TERMS_A_PIECE, shape.entries) * TERM + (rows + 1) * sizeof(uint64_t) + rows * sizeof(uint32_t) +
         4 * ALLOCATION;
}

// Where points of a streamed key are checked while it is loaded.
constexpr uint64_t STAGING = uint64_t{64} << 20;
inline uint64_t stagingBytes(const cuzk_shape &shape, uint64_t largestPoint) {
  uint64_t most = 0;
  for (uint64_t count : shape.counts) most = std::max(most, count);
  return std::min(STAGING, most * largestPoint);
}

inline uint64_t chunkOf(uint64_t count, const cuzk_plan &plan) {
  return plan.chunk_log2 == 0 ? count : std::min(count, uint64_t{1} << plan.chunk_log2);
}

// What a chunk of a streamed key takes: the points of as many variables in four queries, or of H.
template <class Curve>
uint64_t pointSlotBytes(const cuzk_shape &shape, const cuzk_plan &plan) {
  uint64_t witness = chunkOf(shape.counts[CUZK_QUERY_B2], plan) * sizeof(typename Curve::G2);
  for (int query : {CUZK_QUERY_A, CUZK_QUERY_B1, CUZK_QUERY_L}) {
    witness += chunkOf(shape.counts[query], plan) * sizeof(typename Curve::G1);
  }
  for (unsigned query : {CUZK_QUERY_A, CUZK_QUERY_B1}) {
    if (cuzk::needs::isPartial(shape, query)) witness += chunkOf(shape.variables, plan) * POSITION;
  }
  return std::max(witness, chunkOf(shape.counts[CUZK_QUERY_H], plan) * sizeof(typename Curve::G1)) + 8 * ALLOCATION;
}

// Multiples of the points of a key: the levels of A, B1, B2 and L, whose sums share their digits, and those of H.
struct KeyLevels {
  Levels witness, quotient;

  template <class Curve>
  static KeyLevels of(const cuzk_shape &shape, const cuzk_plan &plan) {
    KeyLevels result;
    if (plan.table_levels == 0 || plan.resident_key == 0 || plan.chunk_log2 > 0) return result;
    constexpr unsigned SCALAR_BITS = Curve::Fr::Parameters::BITS;
    const auto most = static_cast<unsigned>(plan.table_levels) + 1;
    result.witness = Levels::choose(shape.variables, SCALAR_BITS, most);
    result.quotient = Levels::choose(shape.counts[CUZK_QUERY_H], SCALAR_BITS, most);
    return result;
  }
  const Levels &operator[](int query) const { return query == CUZK_QUERY_H ? quotient : witness; }
};

// Bytes of all queries with as many levels.
template <class Curve>
uint64_t pointBytes(const cuzk_shape &shape, const KeyLevels &levels = {}) {
  uint64_t bytes = 0;
  for (int query = 0; query < CUZK_QUERIES; query++) {
    const uint64_t size = query == CUZK_QUERY_B2 ? sizeof(typename Curve::G2) : sizeof(typename Curve::G1);
    bytes += shape.counts[query] * levels[query].count * size;
  }
  return bytes;
}

template <class Curve>
uint64_t keyBytes(const cuzk_shape &shape, const cuzk_plan &plan) {
  const uint64_t tables =
      (rootTableElements(shape.domain_log2) + 2 * powerTableElements(shape.domain_log2)) * sizeof(typename Curve::Fr);
  const uint64_t always = tables + coefficientBytes(shape) + 24 * ALLOCATION;
  if (plan.resident_key == 0) return always + stagingBytes(shape, sizeof(typename Curve::G2));
  const uint64_t positions =
      (cuzk::needs::isPartial(shape, CUZK_QUERY_A) + cuzk::needs::isPartial(shape, CUZK_QUERY_B1)) * shape.variables *
      sizeof(uint32_t);
  return pointBytes<Curve>(shape, KeyLevels::of<Curve>(shape, plan)) + positions + matrixBytes(shape) + always;
}

// More than this side by side gains nothing: so many fill a GPU, or so many bytes do.
constexpr int MOST_LANES = 8;
constexpr uint64_t LANE_BYTES = uint64_t{2} << 30;
// Proofs of a plan that run side by side: where a key is resident and nothing is done in chunks, `batch` of them.
inline unsigned lanes(const cuzk_plan &plan) {
  return plan.resident_key != 0 && plan.chunk_log2 == 0 ? static_cast<unsigned>(std::clamp(plan.batch, 1, MOST_LANES))
                                                        : 1;
}

// What the five sums of a proof take on three streams: A, B1 and L; B2; H.
template <class Curve>
uint64_t sideBySideBytes(const cuzk_shape &shape, const KeyLevels &levels) {
  constexpr unsigned SCALAR_BITS = Curve::Fr::Parameters::BITS;
  constexpr size_t G1 = sizeof(typename Curve::Fp), G2 = sizeof(typename Curve::Fp2);
  const plan::Group witness(shape.variables, SCALAR_BITS, levels.witness);
  return plan::listBytes(shape.variables) + plan::MOST_ROW_SUMS * 4 * (3 * G1 + G2) + witness.sortBytes() +
         witness.summationBytes(G1) + witness.summationBytes(G2) +
         plan::msmBytes(shape.counts[CUZK_QUERY_H], SCALAR_BITS, G1, levels.quotient);
}
// Where they take no more than this they are done so: the larger the sums, the shorter their ends that leave a GPU
// idle.
constexpr uint64_t SIDE_BY_SIDE = uint64_t{8} << 30;

// A proof's worst moment is either the transforms or an MSM. Beside the witness and the quotient's values the
// transforms take two vectors more, or where memory is short (chunk_log2 > 0) one and a few rows.
template <class Curve>
uint64_t oneProofBytes(const cuzk_shape &shape, const cuzk_plan &plan) {
  constexpr unsigned SCALAR_BITS = Curve::Fr::Parameters::BITS;
  const uint64_t rows = uint64_t{1} << shape.domain_log2;
  const bool streamed = plan.resident_key == 0;
  uint64_t transforms = 2 * rows * SCALAR;
  if (plan.chunk_log2 > 0) transforms = (rows + std::min(rows, ROWS_A_PIECE)) * SCALAR + 2 * ALLOCATION;
  if (streamed) transforms += 2 * matrixSlotBytes(shape);
  const size_t entries = plan.chunk_log2 == 0 ? plan::ENTRIES : size_t{4} << plan.chunk_log2;
  const KeyLevels levels = KeyLevels::of<Curve>(shape, plan);
  // The row sums of A, B1 and L take less than as many of B2 once more.
  const uint64_t witness = plan::msmBytes(chunkOf(shape.variables, plan), SCALAR_BITS, sizeof(typename Curve::Fp2),
                                          levels.witness, entries) +
                           plan::MOST_ROW_SUMS * 8 * sizeof(typename Curve::Fp2);
  const uint64_t quotient = plan::msmBytes(chunkOf(shape.counts[CUZK_QUERY_H], plan), SCALAR_BITS,
                                           sizeof(typename Curve::Fp), levels.quotient, entries);
  uint64_t sums = std::max(witness, quotient) + (streamed ? 2 * pointSlotBytes<Curve>(shape, plan) : 0);
  if (!streamed && plan.chunk_log2 == 0 && lanes(plan) == 1) {
    const uint64_t sideBySide = sideBySideBytes<Curve>(shape, levels);
    if (sideBySide <= SIDE_BY_SIDE) sums = std::max(sums, sideBySide);
  }
  // Packed witnesses are expanded while nothing else is there.
  transforms = std::max(transforms, PackedWitness::mostBytes(shape.variables));
  const uint64_t together = streamed ? static_cast<uint64_t>(std::max(plan.batch, 1)) : 1;
  return together * ((shape.variables + rows) * SCALAR + 2 * ALLOCATION) + std::max(transforms, sums) + plan::SLACK;
}

template <class Curve>
uint64_t proofBytes(const cuzk_shape &shape, const cuzk_plan &plan) {
  const uint64_t one = oneProofBytes<Curve>(shape, plan);
  return lanes(plan) == 1 ? one : lanes(plan) * (one + ALLOCATION);
}

// Where a key's matrices are sorted before they go to the device, and where a streamed key's stay: entries as they
// come, terms, rows, and distinct coefficients as many as a plan counts with.
template <class Curve>
uint64_t hostBytes(const cuzk_shape &shape) {
  if (shape.entries == 0) return 0;
  constexpr uint64_t ENTRY = 24;
  const uint64_t rows = (uint64_t{1} << shape.domain_log2) + 1;
  return shape.entries * (ENTRY + TERM) + 3 * rows * sizeof(uint64_t) + 2 * coefficientBytes(shape) +
         Coefficients<typename Curve::Fr>::HASH_BYTES;
}

template <class Curve>
cuzk_needs of(const cuzk_shape &shape, const cuzk_plan &plan) {
  cuzk_needs result = cuzk::needs::of<Curve>(shape);
  result.host_bytes = hostBytes<Curve>(shape);
  result.key_bytes = keyBytes<Curve>(shape, plan);
  result.proof_bytes = proofBytes<Curve>(shape, plan);
  return result;
}

}  // namespace needs
}  // namespace cuzk::gpu
