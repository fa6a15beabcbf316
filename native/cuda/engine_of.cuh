// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <system_error>
#include <thread>

#include "cuda/engines.hpp"
#include "groth16/chunked_prover.cuh"
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
  using Fp = typename Set::Fp;
  using Fp2 = typename Set::Fp2;

  DeviceEngineKey(Gpu &gpu, const cuzk::Context &context, const cuzk_shape &shape, const cuzk_plan &plan,
                  cuzk_point_encoding encoding, const void *singlePoints)
      : gpu_(gpu), key_(gpu, context.memory, context.pool, shape, plan, pointEncoding(encoding), singlePoints) {}
  ~DeviceEngineKey() override { (void)cudaSetDevice(gpu_.ordinal); }

  void append(const cuzk::Context &context, cuzk_query query, uint64_t first, uint64_t count, const void *points,
              uint64_t bytes) override {
    gpu_.use();
    key_.append(context.pool, query, first, count, points, bytes);
  }
  void appendFile(const cuzk::Context &context, cuzk_query query, uint64_t first, uint64_t count,
                  const std::shared_ptr<const InputFile> &file, uint64_t offset) override {
    gpu_.use();
    key_.appendFile(context.pool, query, first, count, file, offset);
  }
  void appendMultiples(const cuzk::Context &context, cuzk_query query, uint64_t first, uint64_t count,
                       const void *scalars) override {
    gpu_.use();
    if (query == CUZK_QUERY_B2) {
      const auto generator = Host::generatorG2();
      appendMultiples(context, deviceForm<Fp2>(generator), query, first, count, scalars);
    } else {
      const auto generator = Host::generatorG1();
      appendMultiples(context, deviceForm<Fp>(generator), query, first, count, scalars);
    }
  }
  void appendEntries(const cuzk::Context &context, cuzk_scalar_encoding encoding, uint64_t count,
                     const cuzk_entry *entries) override {
    key_.appendEntries(cuzk::Context{context.pool, gpu_.hostMemory}, encoding, count, entries);
  }
  void appendMatrices(const cuzk::Context &context, const void *matrices, uint64_t bytes) override {
    key_.appendMatrices(cuzk::Context{context.pool, gpu_.hostMemory}, matrices, bytes);
  }
  void finish(const cuzk::Context &context) override {
    gpu_.use();
    key_.finish(context.pool);
    if (key_.levels.witness.count == 1 && key_.levels.quotient.count == 1) return;
    Session session(gpu_);
    session.turn.keep();
    key_.makeTables(session.context);
  }
  bool isFinished() const override { return key_.isFinished(); }
  const cuzk_shape &shape() const override { return key_.shape; }
  uint64_t uncountedBytes() const override { return 0; }

  size_t together() const override {
    if (lanes() > 1) return MOST_TOGETHER;
    return key_.isStreamed() ? static_cast<size_t>(std::max(key_.plan.batch, 1)) : 1;
  }
  bool takesPacked() const override { return true; }

  void prove(const cuzk::Context &host, const cuzk_proof_request *requests, size_t count, StageClock &clock,
             cuzk_proof *proofs) const override {
    for (size_t i = 0; i < count; i++) requireOne(requests[i]);
    if (lanes() > 1) {
      proveSideBySide(host, requests, count, clock, proofs);
      return;
    }
    std::vector<ProofSums<Host>> sums;
    {
      Session session(gpu_);
      EventClock events(gpu_.lane(0), clock);
      const uint64_t uploaded =
          key_.plan.chunk_log2 > 0
              ? ChunkedProver<Set>(gpu_, host, session.context, key_, events).sums(requests, count, sums)
              : DeviceProver<Set>(gpu_, host, session.context, key_, events, {&gpu_.lane(1), &gpu_.lane(2)})
                    .sums(requests, count, sums);
      events.finish();
      clock.addUploaded(uploaded);
      host.memory.add(gpu_.workspace.peak());
      host.memory.remove(gpu_.workspace.peak());
    }
    for (size_t i = 0; i < count; i++) finish(requests[i], sums[i], clock, proofs[i]);
  }

  void sparseProduct(const cuzk::Context &host, uint32_t matrix, const void *witness, void *rows) const override {
    gpu_.use();
    const size_t variables = key_.shape.variables, count = key_.rows();
    gpu_.reserveWorkspace(32 * (variables + count) + 2 * needs::matrixSlotBytes(key_.shape) + plan::SLACK);
    Session session(gpu_);
    Context &context = session.context;
    Arena::Scope scope(context.arena);
    Fr *values = context.arena.take<Fr>(variables), *result = context.arena.take<Fr>(count);
    upload(context, reinterpret_cast<uint8_t *>(values), static_cast<const uint8_t *>(witness), 32 * variables);
    requireScalars(context, values, variables);
    multiply(host, context, matrix, values, result);
    toCanonical<<<blocks(count), BLOCK, 0, context.stream>>>(result, count);
    checkLaunch("toCanonical");
    download(context, static_cast<uint8_t *>(rows), reinterpret_cast<const uint8_t *>(result), 32 * count);
  }

 private:
  static constexpr size_t LEAST_MULTIPLES = size_t(1) << 12;
  static constexpr size_t MOST_TOGETHER = size_t(1) << 12;

  unsigned lanes() const { return needs::lanes(key_.plan); }
  static_assert(needs::MOST_LANES == Turnstile::MOST_PLACES, "a place a lane");

  // Small proofs leave most of a GPU idle, and large ones have moments in which the host is at work: so several run at
  // once, of this job and of others under the key, each in its part of the workspace and driven by a thread of its own.
  void proveSideBySide(const cuzk::Context &host, const cuzk_proof_request *requests, size_t count, StageClock &clock,
                       cuzk_proof *proofs) const {
    const size_t width = std::min<size_t>(lanes(), count);
    if (width == 1) {
      for (size_t i = 0; i < count; i++) clock.addUploaded(proveOne(host, requests[i], clock, proofs[i]));
      return;
    }
    std::atomic<size_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work = [&] {
      try {
        for (size_t i; (i = next++) < count;) {
          cuzk_timings timings = {};
          StageClock own(timings);
          const double start = clock.elapsed();
          const uint64_t uploaded = proveOne(host, requests[i], own, proofs[i]);
          std::lock_guard<std::mutex> lock(mutex);
          clock.addUploaded(uploaded);
          // Of `width` proofs at once each has its share of the time.
          for (int stage = 0; stage < CUZK_STAGES; stage++) {
            if (timings.ms[stage] > 0) clock.add(stage, start + timings.start_ms[stage], timings.ms[stage] / width);
          }
        }
      } catch (...) {
        next = count;
        std::lock_guard<std::mutex> lock(mutex);
        if (failure == nullptr) failure = std::current_exception();
      }
    };
    std::vector<std::thread> threads;
    try {
      for (size_t i = 1; i < width; i++) threads.emplace_back(work);
    } catch (const std::system_error &) {
      // The threads that could be had will do.
    }
    work();
    for (std::thread &thread : threads) thread.join();
    if (failure != nullptr) std::rethrow_exception(failure);
  }
  uint64_t proveOne(const cuzk::Context &host, const cuzk_proof_request &request, StageClock &clock,
                    cuzk_proof &proof) const {
    std::vector<ProofSums<Host>> sums;
    uint64_t uploaded = 0;
    {
      SharedTurn turn(gpu_, this, lanes(), Arena::rounded(needs::oneProofBytes<Host>(key_.shape, key_.plan)));
      Context context{turn.lane().stream, turn.arena, gpu_.multiprocessors};
      EventClock events(turn.lane(), clock);
      uploaded = DeviceProver<Set>(gpu_, host, context, key_, events).sums(&request, 1, sums);
      events.finish();
      host.memory.add(turn.arena.peak());
      host.memory.remove(turn.arena.peak());
    }
    finish(request, sums[0], clock, proof);
    return uploaded;
  }

  template <class F, class HostPoint>
  static Affine<F> deviceForm(const HostPoint &point) {
    Affine<F> result;
    static_assert(sizeof result == sizeof point, "the same bytes");
    std::memcpy(static_cast<void *>(&result), &point, sizeof result);
    return result;
  }

  template <class F>
  void appendMultiples(const cuzk::Context &host, const Affine<F> &generator, cuzk_query query, uint64_t first,
                       uint64_t count, const void *scalars) {
    if (count == 0) return;
    require(key_.encoding == PointEncoding::MONTGOMERY_LE, "multiples go to keys in Montgomery form");
    // In the memory that proofs under this key will take anyway, where that is not too little.
    size_t most = fixed_base::CHUNK;
    while (most > LEAST_MULTIPLES && fixed_base::bytes<F>(count, most) > gpu_.workspace.size()) most /= 2;
    gpu_.reserveWorkspace(fixed_base::bytes<F>(count, most));
    Session session(gpu_);
    Context &context = session.context;
    // Made once for all pieces of all keys: on one thread of the host it takes longer than a piece on the GPU.
    static const std::vector<Affine<F>> multiples = fixed_base::table(generator);
    multiplyFixedBase(
        context, multiples, static_cast<const uint8_t *>(scalars), count, most,
        [&](const uint8_t *chunk, size_t length, size_t start) {
          requireScalars(context, reinterpret_cast<const Fr *>(chunk), length, start);
        },
        [&](const Affine<F> *points, size_t length, size_t start) {
          key_.appendDevice(host.pool, query, first + start, length, points, context.stream);
        });
  }

  static void requireOne(const cuzk_proof_request &request) {
    uint64_t words[4] = {1};
    if (request.form == CUZK_WITNESS_PACKED) {
      std::memcpy(words, static_cast<const uint8_t *>(request.witness) + PackedWitness::HEADER, sizeof words[0]);
      words[0] &= 1;
    } else {
      std::memcpy(words, request.witness, sizeof words);
    }
    if (words[0] != 1 || (words[1] | words[2] | words[3]) != 0) {
      throw Failure(CUZK_INVALID_SCALAR, "the witness does not begin with the constant 1", 0);
    }
  }

  void multiply(const cuzk::Context &host, Context &context, uint32_t matrix, const Fr *values, Fr *result) const {
    const auto rows = static_cast<uint32_t>(key_.rows());
    std::vector<RowRange> ranges;
    const auto most = static_cast<uint32_t>(needs::ROWS_A_PIECE);
    for (uint32_t first = 0; first < rows; first += most)
      ranges.push_back({matrix, first, std::min(most, rows - first)});
    RowProducts<Set> products(gpu_, host, context, key_, ranges);
    for (const RowRange &range : ranges) products.next(values, result + range.first);
  }

  void finish(const cuzk_proof_request &request, const ProofSums<Host> &sums, StageClock &clock,
              cuzk_proof &proof) const {
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

  Gpu &gpu_;
  DeviceKey<Set> key_;
};

// Milliseconds of a body by the GPU's clock.
template <class Body>
double measured(Gpu &gpu, const Body &body) {
  check(cudaEventRecord(gpu.lane(0).event(0), gpu.stream), "recording an event");
  body();
  check(cudaEventRecord(gpu.lane(0).event(1), gpu.stream), "recording an event");
  check(cudaEventSynchronize(gpu.lane(0).event(1)), "waiting for the GPU");
  float ms = 0;
  check(cudaEventElapsedTime(&ms, gpu.lane(0).event(0), gpu.lane(0).event(1)), "reading an event");
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
    gpu_.use();
    return std::make_unique<DeviceEngineKey<Set>>(gpu_, context, shape, plan, encoding, singlePoints);
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
        domain.toReversed(context, elements, 1, true, &powers);
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
      requirePoints(context.stream, LowestIndex(context), form, table, count, Set::template coefficientB<F>());
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
    multiplyFixedBase(
        context, fixed_base::table(point), static_cast<const uint8_t *>(scalars), count, fixed_base::CHUNK,
        [&](const uint8_t *chunk, size_t length, size_t first) {
          requireScalars(context, reinterpret_cast<const Fr *>(chunk), length, first);
        },
        [&](const Affine<F> *chunk, size_t length, size_t first) {
          download(context, static_cast<uint8_t *>(points) + sizeof(Affine<F>) * first,
                   reinterpret_cast<const uint8_t *>(chunk), length * sizeof(Affine<F>));
        });
  }

  static auto *hostForm(Affine<Fp> *point) { return reinterpret_cast<typename Set::Host::G1 *>(point); }
  static auto *hostForm(Affine<Fp2> *point) { return reinterpret_cast<typename Set::Host::G2 *>(point); }

  Gpu &gpu_;
};

}  // namespace cuzk::gpu
