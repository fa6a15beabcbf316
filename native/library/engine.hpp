// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cpu/input_file.hpp"
#include "cpu/thread_pool.hpp"

namespace cuzk {

// What the C functions need of one curve on one kind of machine. The algorithms are templates that a translation unit
// per arithmetic, or per curve for GPUs, instantiates as a whole; these virtual calls are the only place where the
// choice is made at run time. Pointers that cross here are the C interface's, unaligned except where noted.

class EngineKey {
 public:
  virtual ~EngineKey() = default;
  virtual void append(const Context &context, cuzk_query query, uint64_t first, uint64_t count, const void *points,
                      uint64_t bytes) = 0;
  virtual void appendFile(const Context &context, cuzk_query query, uint64_t first, uint64_t count,
                          const std::shared_ptr<const InputFile> &file, uint64_t offset) = 0;
  // Of the generator.
  virtual void appendMultiples(const Context &context, cuzk_query query, uint64_t first, uint64_t count,
                               const void *scalars) = 0;
  virtual void appendEntries(const Context &context, cuzk_scalar_encoding encoding, uint64_t count,
                             const cuzk_entry *entries) = 0;
  virtual void appendMatrices(const Context &context, const void *matrices, uint64_t bytes) = 0;
  virtual void finish(const Context &context) = 0;
  virtual bool isFinished() const = 0;
  virtual const cuzk_shape &shape() const = 0;
  // Held outside of the memory account.
  virtual uint64_t uncountedBytes() const = 0;
  // Proofs that go together best.
  virtual size_t together() const { return 1; }
  // Whether witnesses may come packed.
  virtual bool takesPacked() const { return false; }
  // At most together() proofs; adds their stage times to `clock`.
  virtual void prove(const Context &context, const cuzk_proof_request *requests, size_t count, class StageClock &clock,
                     cuzk_proof *proofs) const = 0;
  virtual void sparseProduct(const Context &context, uint32_t matrix, const void *witness, void *rows) const = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual size_t scalarBytes() const { return 32; }
  virtual size_t pointBytes(cuzk_group group) const = 0;
  virtual uint64_t singlePointsBytes() const = 0;
  virtual std::unique_ptr<EngineKey> createKey(const Context &context, const cuzk_shape &shape, const cuzk_plan &plan,
                                               cuzk_point_encoding encoding, const void *singlePoints) const = 0;
  // Milliseconds of the sum itself, points and scalars having been read and checked.
  virtual double msm(const Context &context, cuzk_group group, cuzk_point_encoding encoding, const void *points,
                     const void *scalars, uint64_t count, void *result) const = 0;
  virtual uint64_t msmBytes(cuzk_group group, uint64_t count, unsigned threads) const = 0;
  virtual void fixedBase(const Context &context, cuzk_group group, const void *base, const void *scalars,
                         uint64_t count, void *points) const = 0;
  virtual uint64_t fixedBaseBytes(cuzk_group group, uint64_t count, unsigned threads) const = 0;
  virtual double ntt(const Context &context, cuzk_quotient quotient, bool inverse, unsigned log, const void *cosetShift,
                     void *values) const = 0;
  virtual uint64_t nttBytes(unsigned log) const = 0;
};

}  // namespace cuzk
