// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/engines.hpp"
#include "groth16/device_prover.cuh"
#include "msm/device_fixed_base.cuh"

namespace cuzk::gpu {

inline PointEncoding pointEncoding(cuzk_point_encoding encoding) {
  require(encoding == CUZK_POINTS_MONTGOMERY_LE || encoding == CUZK_POINTS_UNCOMPRESSED_BE, "unknown point encoding");
  return encoding == CUZK_POINTS_MONTGOMERY_LE ? PointEncoding::MONTGOMERY_LE : PointEncoding::UNCOMPRESSED_BE;
}

// What has its turn on a GPU.
struct Session {
  explicit Session(Gpu &gpu) : turn(gpu), context{gpu.stream, gpu.workspace, gpu.multiprocessors} {}
  Turn turn;
  Context context;
};

template <class Set>
class DeviceEngineKey : public EngineKey {
 public:
  using Host = typename Set::Host;
  using Fr = typename Set::Fr;

  DeviceEngineKey(Gpu &gpu, const cuzk::Context &context, const cuzk_shape &shape, cuzk_point_encoding encoding,
                  const void *singlePoints)
      : gpu_(gpu), key_(gpu, context.memory, context.pool, shape, pointEncoding(encoding), singlePoints) {}
  ~DeviceEngineKey() override { (void)cudaSetDevice(gpu_.ordinal); }

  void append(const cuzk::Context &, cuzk_query query, uint64_t first, uint64_t count, const void *points,
              uint64_t bytes) override {
    gpu_.use();
    key_.append(query, first, count, points, bytes);
  }
  void appendEntries(cuzk_scalar_encoding encoding, uint64_t count, const cuzk_entry *entries) override {
    key_.appendEntries(encoding, count, entries);
  }
  void finish(const cuzk::Context &context) override {
    gpu_.use();
    key_.finish(context.pool);
  }
  bool isFinished() const override { return key_.isFinished(); }
  const cuzk_shape &shape() const override { return key_.shape; }
  uint64_t uncountedBytes() const override { return 0; }

  void prove(const cuzk::Context &host, const cuzk_proof_request &request, StageClock &clock,
             cuzk_proof &proof) const override {
    uint64_t first[4];
    std::memcpy(first, request.witness, sizeof first);
    if (first[0] != 1 || (first[1] | first[2] | first[3]) != 0) {
      throw Failure(CUZK_INVALID_SCALAR, "the witness does not begin with the constant 1", 0);
    }
    ProofSums<Host> sums;
    {
      Session session(gpu_);
      EventClock events(gpu_, clock);
      sums = DeviceProver<Set>(host, session.context, key_, events).sums(request.witness);
      events.finish();
      host.memory.add(gpu_.workspace.peak());
      host.memory.remove(gpu_.workspace.peak());
    }
    clock.addUploaded(32 * key_.shape.variables);
    Blinding blinding;
    std::memcpy(blinding.r, request.r, sizeof blinding.r);
    std::memcpy(blinding.s, request.s, sizeof blinding.s);
    ProofPoints<Host> points;
    clock.measure(CUZK_STAGE_FINISH, [&] { points = combine(key_.singles, sums, blinding); });
    wipe(&blinding, sizeof blinding);
    std::memset(&proof, 0, sizeof proof);
    writePoint(points.a, proof.a);
    writePoint(points.b, proof.b);
    writePoint(points.c, proof.c);
  }

  void sparseProduct(const cuzk::Context &, uint32_t matrix, const void *witness, void *rows) const override {
    gpu_.use();
    const size_t variables = key_.shape.variables, count = key_.rows();
    gpu_.reserveWorkspace(32 * (variables + count) + plan::SLACK);
    Session session(gpu_);
    Context &context = session.context;
    Arena::Scope scope(context.arena);
    Fr *values = context.arena.take<Fr>(variables), *result = context.arena.take<Fr>(count);
    upload(context, reinterpret_cast<uint8_t *>(values), static_cast<const uint8_t *>(witness), 32 * variables);
    requireScalars(context, values, variables);
    key_.matrix(matrix).multiply(context, key_.coefficients(), values, static_cast<uint32_t>(count), result);
    toCanonical<<<blocks(count), BLOCK, 0, context.stream>>>(result, count);
    checkLaunch("toCanonical");
    download(context, static_cast<uint8_t *>(rows), reinterpret_cast<const uint8_t *>(result), 32 * count);
  }

 private:
  Gpu &gpu_;
  DeviceKey<Set> key_;
};

// Milliseconds of a body by the GPU's clock.
template <class Body>
double measured(Gpu &gpu, const Body &body) {
  check(cudaEventRecord(gpu.event(0), gpu.stream), "recording an event");
  body();
  check(cudaEventRecord(gpu.event(1), gpu.stream), "recording an event");
  check(cudaEventSynchronize(gpu.event(1)), "waiting for the GPU");
  float ms = 0;
  check(cudaEventElapsedTime(&ms, gpu.event(0), gpu.event(1)), "reading an event");
  return ms;
}

template <class Set>
class DeviceEngine : public Engine {
 public:
  using Fr = typename Set::Fr;
  using Fp = typename Set::Fp;
  using Fp2 = typename Set::Fp2;

  explicit DeviceEngine(Gpu &gpu) : gpu_(gpu) {
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, toCanonical<Fr>), "this build has no code for the GPU's architecture");
  }

  size_t pointBytes(cuzk_group group) const override {
    return group == CUZK_G1 ? sizeof(Affine<Fp>) : sizeof(Affine<Fp2>);
  }
  uint64_t singlePointsBytes() const override { return KeyParts<typename Set::Host>::SINGLE_BYTES; }

  std::unique_ptr<EngineKey> createKey(const cuzk::Context &context, const cuzk_shape &shape, const cuzk_plan &plan,
                                       cuzk_point_encoding encoding, const void *singlePoints) const override {
    require(plan.resident_key == 1 && plan.chunk_log2 == 0, "this plan is not part of this build");
    gpu_.use();
    return std::make_unique<DeviceEngineKey<Set>>(gpu_, context, shape, encoding, singlePoints);
  }

  double msm(const cuzk::Context &, cuzk_group group, cuzk_point_encoding encoding, const void *points,
             const void *scalars, uint64_t count, void *result) const override {
    return group == CUZK_G1 ? msmOf<Fp>(encoding, points, scalars, count, result)
                            : msmOf<Fp2>(encoding, points, scalars, count, result);
  }
  uint64_t msmBytes(cuzk_group group, uint64_t count, unsigned) const override {
    return count * (pointBytes(group) + 32) + plan::msmBytes(count, Set::SCALAR_BITS, pointBytes(group) / 2) +
           plan::SLACK;
  }

  void fixedBase(const cuzk::Context &context, cuzk_group group, const void *base, const void *scalars, uint64_t count,
                 void *points) const override {
    if (group == CUZK_G1) {
      fixedBaseOf<Fp>(context, base, scalars, count, points);
    } else {
      fixedBaseOf<Fp2>(context, base, scalars, count, points);
    }
  }
  uint64_t fixedBaseBytes(cuzk_group group, uint64_t count, unsigned) const override {
    return group == CUZK_G1 ? fixed_base::bytes<Fp>(count) : fixed_base::bytes<Fp2>(count);
  }

  double ntt(const cuzk::Context &, cuzk_quotient quotient, bool inverse, unsigned log, const void *cosetShift,
             void *values) const override {
    uint64_t words[4] = {1};
    if (cosetShift != nullptr) std::memcpy(words, cosetShift, sizeof words);
    if (!Fr::isBelowModulus(words)) throw Failure(CUZK_INVALID_SCALAR, "the coset shift is not below the group order");
    require((words[0] | words[1] | words[2] | words[3]) != 0, "the coset shift is zero");
    const Fr shift = Fr::fromCanonical(words);
    const size_t size = size_t{1} << log;
    Session session(gpu_);
    Context &context = session.context;
    Arena::Scope scope(context.arena);
    Fr *elements = context.arena.take<Fr>(size);
    upload(context, reinterpret_cast<uint8_t *>(elements), static_cast<const uint8_t *>(values), 32 * size);
    requireScalars(context, elements, size);
    const DeviceNtt<Fr> domain(context.stream, context.arena.take<Fr>(needs::rootTableElements(log)), log,
                               Set::rootOfUnity(log, quotient));
    const PowerTable<Fr> powers(context.stream, context.arena.take<Fr>(needs::powerTableElements(log)), log,
                                inverse ? shift.inverse() : shift,
                                inverse ? Fr::fromInteger(size).inverse() : Fr::one());
    const bool scaled = inverse || cosetShift != nullptr;
    toMontgomery<<<blocks(size), BLOCK, 0, context.stream>>>(elements, size);
    checkLaunch("toMontgomery");
    const double ms = measured(gpu_, [&] {
      if (inverse) {
        domain.toReversed(context, elements, 1, true);
        if (scaled) domain.scale(context, elements, 1, powers, true);
        domain.reverse(context, elements);
      } else {
        domain.reverse(context, elements);
        if (scaled) domain.scale(context, elements, 1, powers, true);
        domain.toNatural(context, elements, 1, false);
      }
    });
    toCanonical<<<blocks(size), BLOCK, 0, context.stream>>>(elements, size);
    checkLaunch("toCanonical");
    download(context, static_cast<uint8_t *>(values), reinterpret_cast<const uint8_t *>(elements), 32 * size);
    return ms;
  }
  uint64_t nttBytes(unsigned log) const override {
    return sizeof(Fr) * ((uint64_t{1} << log) + needs::rootTableElements(log) + needs::powerTableElements(log)) +
           plan::SLACK;
  }

 private:
  template <class F>
  double msmOf(cuzk_point_encoding encoding, const void *points, const void *scalars, uint64_t count,
               void *result) const {
    const PointEncoding form = pointEncoding(encoding);
    Xyzz<F> sum = Xyzz<F>::infinity();
    double ms = 0;
    if (count > 0) {
      Session session(gpu_);
      Context &context = session.context;
      Arena::Scope scope(context.arena);
      Affine<F> *table = context.arena.take<Affine<F>>(count);
      Fr *values = context.arena.take<Fr>(count);
      upload(context, reinterpret_cast<uint8_t *>(table), static_cast<const uint8_t *>(points),
             count * sizeof(Affine<F>));
      upload(context, reinterpret_cast<uint8_t *>(values), static_cast<const uint8_t *>(scalars), 32 * count);
      requirePoints(context.stream, LowestIndex(context), form, table, count, Set::template coefficientB<F>(), 0);
      requireScalars(context, values, count);
      ms = measured(gpu_, [&] {
        sum = gpu::msm(context, PointTable<F>{table}, values[0].limb, static_cast<uint32_t>(count), Set::SCALAR_BITS);
      });
    }
    writePoint(sum.toAffine(), static_cast<uint8_t *>(result));
    return ms;
  }

  template <class F>
  void fixedBaseOf(const cuzk::Context &host, const void *base, const void *scalars, uint64_t count,
                   void *points) const {
    Affine<F> point;
    cuzk::readPoints<typename Set::Host>(host, PointEncoding::MONTGOMERY_LE, base, 0, 1, hostForm(&point));
    Session session(gpu_);
    Context &context = session.context;
    multiplyFixedBase(context, point, static_cast<const uint8_t *>(scalars), count, static_cast<uint8_t *>(points),
                      [&](const uint8_t *chunk, size_t length, size_t first) {
                        try {
                          requireScalars(context, reinterpret_cast<const Fr *>(chunk), length);
                        } catch (const Failure &failure) {
                          if (failure.status != CUZK_INVALID_SCALAR) throw;
                          throw Failure(failure.status, failure.what(), first + failure.detail);
                        }
                      });
  }

  static auto *hostForm(Affine<Fp> *point) { return reinterpret_cast<typename Set::Host::G1 *>(point); }
  static auto *hostForm(Affine<Fp2> *point) { return reinterpret_cast<typename Set::Host::G2 *>(point); }

  Gpu &gpu_;
};

}  // namespace cuzk::gpu
