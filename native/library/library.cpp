// SPDX-License-Identifier: Apache-2.0
//
// The functions of cuzk.h, for either library.
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <system_error>

#include "groth16/packed_witness.hpp"
#include "groth16/stage_clock.hpp"
#include "library/handles.hpp"
#include "library/plans.hpp"

namespace cuzk {
namespace {

cuzk_status fail(int32_t ordinal, cuzk_error *error, cuzk_status status, const char *text, uint64_t detail = 0,
                 int32_t code = 0) {
  if (error != nullptr) {
    *error = {};
    error->status = status;
    error->device = ordinal;
    error->code = code;
    error->detail = detail;
    std::snprintf(error->text, sizeof error->text, "%s", text);
  }
  return status;
}

// Runs a body that throws; nothing else may pass the C boundary.
template <class Body>
cuzk_status guarded(int32_t ordinal, cuzk_error *error, const Body &body) noexcept {
  try {
    body();
    return CUZK_OK;
  } catch (const Failure &failure) {
    return fail(ordinal, error, failure.status, failure.what(), failure.detail, failure.code);
  } catch (const std::bad_alloc &) {
    return fail(ordinal, error, CUZK_OUT_OF_HOST_MEMORY, "out of memory");
  } catch (const std::system_error &failure) {
    return fail(ordinal, error, CUZK_INTERNAL, failure.what(), 0, failure.code().value());
  } catch (const std::exception &failure) {
    return fail(ordinal, error, CUZK_INTERNAL, failure.what());
  } catch (...) {
    return fail(ordinal, error, CUZK_INTERNAL, "unknown exception");
  }
}

// The same on behalf of a device that may be lost, now or from before.
template <class Body>
cuzk_status guarded(cuzk_device *device, cuzk_error *error, const Body &body) noexcept {
  cuzk_status status = guarded(device == nullptr ? -1 : device->ordinal, error, [&] {
    if (device != nullptr && device->lost.load()) {
      throw Failure(CUZK_DEVICE_LOST, "the device was lost before; close it and open it again");
    }
    body();
  });
  if (status == CUZK_DEVICE_LOST && device != nullptr) device->lost.store(true);
  return status;
}

cuzk_device *deviceOf(const cuzk_key *key) {
  return key == nullptr ? nullptr : &key->device;
}

unsigned threadsAllowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(std::max(CPU_COUNT(&set), 1));
  return std::max(std::thread::hardware_concurrency(), 1u);
}

const Engine &engine(const cuzk_device &device, cuzk_curve curve) {
  require(curve == CUZK_BN254 || curve == CUZK_BLS12_381, "unknown curve");
  return device.machine->engine(curve);
}

void checkGroup(cuzk_group group) {
  require(group == CUZK_G1 || group == CUZK_G2, "unknown group");
}

// Checks both. plan = NULL: a resident key, all points at once.
cuzk_plan checkedPlan(const cuzk_shape &shape, const cuzk_plan *plan) {
  checkShape(shape);
  const cuzk_plan result = plan == nullptr ? plans::RESIDENT : *plan;
  plans::check(result);
  return result;
}
cuzk_backend backendOf(const cuzk_plan &plan) {
  return plan.backend == CUZK_BACKEND_OWN ? library::backend() : plan.backend;
}

bool isCanonical(cuzk_curve curve, const uint8_t *bytes) {
  uint64_t limbs[4];
  std::memcpy(limbs, bytes, sizeof limbs);
  return curve == CUZK_BN254 ? Bn254<Portable>::Fr::isBelowModulus(limbs)
                             : Bls12381<Portable>::Fr::isBelowModulus(limbs);
}

// A packed witness unpacked, for devices that do not take it as it is; they prove one at a time.
class PlainWitness {
 public:
  PlainWitness(cuzk_job &job, const cuzk_proof_request &request) : request_(request) {
    if (request.form != CUZK_WITNESS_PACKED || job.key.key->takesPacked()) return;
    const uint64_t variables = job.key.key->shape().variables;
    reservation_ = job.key.device.machine->reserveWork(32 * variables);
    scalars_ = Array<uint8_t>(job.memory, 32 * variables, Content::SECRET);
    PackedWitness::of(request.witness, variables).expand(job.key.device.pool, scalars_.data());
    request_.witness = scalars_.data();
    request_.form = CUZK_WITNESS_SCALARS;
  }
  ~PlainWitness() { wipe(&request_, sizeof request_); }
  bool isNeeded() const { return scalars_.size() > 0; }
  const cuzk_proof_request &request() const { return request_; }

 private:
  cuzk_proof_request request_;
  Reservation reservation_;
  Array<uint8_t> scalars_;
};

void runJob(cuzk_job &job) noexcept {
  StageClock clock(job.timings);
  guarded(&job.key.device, &job.error, [&] {
    Context context{job.key.device.pool, job.memory, &job.cancelled};
    const EngineKey &key = *job.key.key;
    for (size_t i = 0; i < job.requests.size(); i += key.together()) {
      if (job.cancelled.load()) throw Failure(CUZK_CANCELLED, "the job was cancelled");
      const size_t count = std::min(key.together(), job.requests.size() - i);
      const PlainWitness plain(job, job.requests[i]);
      key.prove(context, plain.isNeeded() ? &plain.request() : &job.requests[i], count, clock, &job.proofs[i]);
    }
  });
  job.timings.total_ms = clock.elapsed();
}

}  // namespace
}  // namespace cuzk

using namespace cuzk;

extern "C" {

uint32_t cuzk_abi_version(void) {
  return CUZK_ABI_VERSION;
}

const char *cuzk_build_id(void) {
  return library::buildId();
}

const char *cuzk_status_name(cuzk_status status) {
  static const char *const names[] = {"CUZK_OK",
                                      "CUZK_INVALID_ARGUMENT",
                                      "CUZK_OUT_OF_HOST_MEMORY",
                                      "CUZK_OUT_OF_PINNED_MEMORY",
                                      "CUZK_OUT_OF_DEVICE_MEMORY",
                                      "CUZK_NO_DEVICE",
                                      "CUZK_UNSUPPORTED_DEVICE",
                                      "CUZK_DEVICE_LOST",
                                      "CUZK_INVALID_POINT",
                                      "CUZK_INVALID_SCALAR",
                                      "CUZK_INDEX_OUT_OF_RANGE",
                                      "CUZK_INCOMPLETE",
                                      "CUZK_CANCELLED",
                                      "CUZK_INTERNAL",
                                      "CUZK_INPUT_CHANGED"};
  return status >= 0 && status <= CUZK_INPUT_CHANGED ? names[status] : "CUZK_UNKNOWN";
}

const char *cuzk_stage_name(cuzk_stage stage) {
  static const char *const names[CUZK_STAGES] = {"upload", "sparse_product", "ntt",   "digits",   "msm_a", "msm_b1",
                                                 "msm_b2", "msm_l",          "msm_h", "download", "finish"};
  return stage >= 0 && stage < CUZK_STAGES ? names[stage] : "unknown";
}

cuzk_status cuzk_device_open(const cuzk_device_options *options, cuzk_device **device, cuzk_error *error) {
  int32_t ordinal = library::ordinalOf(options);
  return guarded(ordinal, error, [&] {
    require(options != nullptr && device != nullptr, "no options or no place for the handle");
    *device = nullptr;
    require(options->threads >= 0, "threads must not be negative");
    unsigned threads = options->threads == 0 ? threadsAllowed() : static_cast<unsigned>(options->threads);
    *device = new cuzk_device(library::open(*options), std::min(threads, maximumThreads()), ordinal);
  });
}

void cuzk_device_limit_threads(cuzk_device *device, int32_t threads) {
  if (device != nullptr) device->pool.limit(static_cast<unsigned>(std::max(threads, 1)));
}

cuzk_status cuzk_device_describe(cuzk_device *device, cuzk_device_properties *properties, cuzk_error *error) {
  return guarded(device, error, [&] {
    require(device != nullptr && properties != nullptr, "no device or no place for the answer");
    *properties = {};
    device->machine->describe(device->pool, *properties);
  });
}

void cuzk_device_close(cuzk_device *device) {
  delete device;
}

cuzk_status cuzk_pinned_allocate(cuzk_device *device, uint64_t bytes, void **memory, cuzk_error *error) {
  return guarded(device, error, [&] {
    require(device != nullptr && memory != nullptr, "no device or no place for the answer");
    *memory = nullptr;
    require(bytes > 0 && bytes < UINT64_MAX / 2, "the number of bytes must be above 0");
    *memory = device->machine->allocatePinned(device->pool, bytes);
  });
}

void cuzk_pinned_free(cuzk_device *device, void *memory, uint64_t bytes) {
  if (device != nullptr && memory != nullptr) device->machine->freePinned(memory, bytes);
}

cuzk_status cuzk_plan_needs(const cuzk_shape *shape, const cuzk_plan *plan, cuzk_needs *needs, cuzk_error *error) {
  return guarded(-1, error, [&] {
    require(shape != nullptr && needs != nullptr, "no shape or no place for the answer");
    const cuzk_plan checked = checkedPlan(*shape, plan);
    *needs = plans::needsOf(*shape, checked, backendOf(checked));
  });
}

cuzk_status cuzk_plan_choose(const cuzk_shape *shape, uint64_t memory, cuzk_plan *plan, cuzk_needs *needs,
                             cuzk_error *error) {
  return guarded(-1, error, [&] {
    require(shape != nullptr && plan != nullptr && needs != nullptr, "no shape, no plan or no place for the answer");
    const cuzk_plan wish = checkedPlan(*shape, plan);
    const cuzk_backend backend = backendOf(wish);
    plans::Chooser chooser(*shape, backend, memory);
    const bool fits = chooser.choose(wish);
    *plan = chooser.plan();
    *needs = chooser.needs();
    if (fits) return;
    throw Failure(
        backend == CUZK_BACKEND_CPU ? CUZK_OUT_OF_HOST_MEMORY : CUZK_OUT_OF_DEVICE_MEMORY,
        "the smallest plan needs " + std::to_string(chooser.bytes()) + " bytes, there are " + std::to_string(memory),
        chooser.bytes());
  });
}

cuzk_status cuzk_key_create(cuzk_device *device, const cuzk_shape *shape, const cuzk_plan *plan,
                            cuzk_point_encoding encoding, const void *single_points, uint64_t single_bytes,
                            cuzk_key **key, cuzk_error *error) {
  return guarded(device, error, [&] {
    require(device != nullptr && shape != nullptr && key != nullptr, "no device, no shape or no place for the handle");
    *key = nullptr;
    require(single_points != nullptr, "no single points");
    const cuzk_plan checked = checkedPlan(*shape, plan);
    auto made = std::make_unique<cuzk_key>(*device, plans::needsOf(*shape, checked, library::backend()));
    const Engine &curve = engine(*device, shape->curve);
    require(single_bytes == curve.singlePointsBytes(), "the single points have the wrong number of bytes");
    made->key = curve.createKey(device->context(), *shape, checked, encoding, single_points);
    *key = made.release();
  });
}

cuzk_status cuzk_key_append(cuzk_key *key, cuzk_query query, uint64_t first, uint64_t count, const void *points,
                            uint64_t bytes, cuzk_error *error) {
  return guarded(deviceOf(key), error, [&] {
    require(key != nullptr, "no key");
    key->key->append(key->device.context(), query, first, count, points, bytes);
  });
}

cuzk_status cuzk_key_append_file(cuzk_key *key, cuzk_query query, uint64_t first, uint64_t count, const char *path,
                                 uint64_t offset, cuzk_error *error) {
  return guarded(deviceOf(key), error, [&] {
    require(key != nullptr && path != nullptr, "no key or no path");
    auto file = std::make_shared<const InputFile>(path);
    require(query >= 0 && query < CUZK_QUERIES, "unknown query");
    const uint64_t size =
        engine(key->device, key->key->shape().curve).pointBytes(query == CUZK_QUERY_B2 ? CUZK_G2 : CUZK_G1);
    require(count <= key->key->shape().counts[query], "more points than the key's shape says");
    if (offset > file->size() || count * size > file->size() - offset) {
      throw Failure(CUZK_INPUT_CHANGED, "the file ends too early", file->size());
    }
    key->key->appendFile(key->device.context(), query, first, count, file, offset);
  });
}

cuzk_status cuzk_key_append_multiples(cuzk_key *key, cuzk_query query, uint64_t first, uint64_t count,
                                      const void *scalars, cuzk_error *error) {
  return guarded(deviceOf(key), error, [&] {
    require(key != nullptr && (scalars != nullptr || count == 0), "no key or no scalars");
    require(query >= 0 && query < CUZK_QUERIES, "unknown query");
    require(count <= key->key->shape().counts[query], "more points than the key's shape says");
    key->key->appendMultiples(key->device.context(), query, first, count, scalars);
  });
}

cuzk_status cuzk_witness_pack(cuzk_device *device, const void *scalars, uint64_t variables, void *packed,
                              uint64_t capacity, uint64_t *bytes, cuzk_error *error) {
  return guarded(device, error, [&] {
    require(device != nullptr && bytes != nullptr, "no device or no place for the answer");
    require(scalars != nullptr && packed != nullptr, "no scalars or no place for the packed witness");
    require(variables > 0 && variables < (uint64_t{1} << 31), "variables must be 1 to 2^31 - 1");
    require(reinterpret_cast<uintptr_t>(packed) % 16 == 0, "the packed witness is not aligned to 16 bytes");
    *bytes = WitnessPacker(scalars, variables).pack(device->pool, packed, capacity);
  });
}

cuzk_status cuzk_key_append_entries(cuzk_key *key, cuzk_scalar_encoding encoding, uint64_t count,
                                    const cuzk_entry *entries, cuzk_error *error) {
  return guarded(deviceOf(key), error, [&] {
    require(key != nullptr, "no key");
    key->key->appendEntries(key->device.context(), encoding, count, entries);
  });
}

cuzk_status cuzk_key_append_matrices(cuzk_key *key, const void *matrices, uint64_t bytes, cuzk_error *error) {
  return guarded(deviceOf(key), error, [&] {
    require(key != nullptr && matrices != nullptr, "no key or no matrices");
    key->key->appendMatrices(key->device.context(), matrices, bytes);
  });
}

cuzk_status cuzk_key_finish(cuzk_key *key, cuzk_error *error) {
  return guarded(deviceOf(key), error, [&] {
    require(key != nullptr, "no key");
    key->key->finish(key->device.context());
  });
}

void cuzk_key_destroy(cuzk_key *key) {
  delete key;
}

cuzk_status cuzk_proofs_submit(cuzk_device *device, cuzk_key *key, const cuzk_proof_request *requests, uint32_t count,
                               cuzk_job **job, cuzk_error *error) {
  return guarded(device, error, [&] {
    require(device != nullptr && key != nullptr && job != nullptr, "no device, no key or no place for the handle");
    *job = nullptr;
    require(device == &key->device, "the key belongs to another device");
    require(requests != nullptr && count > 0, "no requests");
    if (!key->key->isFinished()) throw Failure(CUZK_INCOMPLETE, "the key is not finished");
    for (uint32_t i = 0; i < count; i++) {
      require(requests[i].witness != nullptr, "a request has no witness");
      require(requests[i].form == CUZK_WITNESS_SCALARS || requests[i].form == CUZK_WITNESS_PACKED,
              "unknown form of a witness");
      if (requests[i].form == CUZK_WITNESS_PACKED) PackedWitness::of(requests[i].witness, key->key->shape().variables);
      cuzk_curve curve = key->key->shape().curve;
      require(isCanonical(curve, requests[i].r) && isCanonical(curve, requests[i].s),
              "r or s is not below the group order");
    }
    auto made = std::make_unique<cuzk_job>(*key, std::vector<cuzk_proof_request>(requests, requests + count));
    made->proofs.resize(count);
    cuzk_job *raw = made.get();
    made->coordinator = std::thread([raw] { runJob(*raw); });
    *job = made.release();
  });
}

cuzk_status cuzk_proofs_wait(cuzk_job *job, cuzk_proof *proofs, cuzk_timings *timings, cuzk_error *error) {
  if (job == nullptr) return fail(-1, error, CUZK_INVALID_ARGUMENT, "no job");
  if (!job->coordinator.joinable()) return fail(-1, error, CUZK_INVALID_ARGUMENT, "the job was waited for before");
  cuzk_status status = guarded(job->key.device.ordinal, error, [&] { job->coordinator.join(); });
  if (status != CUZK_OK) return status;
  job->timings.peak_bytes = job->memory.peak() + job->key.needs.key_bytes;
  if (timings != nullptr) *timings = job->timings;
  if (job->error.status != CUZK_OK) {
    if (error != nullptr) *error = job->error;
    return job->error.status;
  }
  if (proofs == nullptr) return fail(-1, error, CUZK_INVALID_ARGUMENT, "no place for the proofs");
  std::copy(job->proofs.begin(), job->proofs.end(), proofs);
  return CUZK_OK;
}

void cuzk_proofs_cancel(cuzk_job *job) {
  if (job != nullptr) job->cancelled.store(true);
}

void cuzk_job_destroy(cuzk_job *job) {
  if (job == nullptr) return;
  if (job->coordinator.joinable()) {
    job->cancelled.store(true);
    job->coordinator.join();
  }
  delete job;
}

cuzk_status cuzk_msm(cuzk_device *device, cuzk_curve curve, cuzk_group group, cuzk_point_encoding encoding,
                     const void *points, const void *scalars, uint64_t count, void *result, cuzk_timings *timings,
                     cuzk_error *error) {
  return guarded(device, error, [&] {
    require(device != nullptr && result != nullptr, "no device or no place for the result");
    require((points != nullptr && scalars != nullptr) || count == 0, "no points or no scalars");
    require(count < Digits<Bn254<Portable>::Fr>::MAXIMUM_COUNT, "too many points");
    checkGroup(group);
    const Engine &chosen = engine(*device, curve);
    uint64_t bytes = chosen.msmBytes(group, count, device->pool.threads());
    Reservation reservation = device->machine->reserveWork(bytes);
    double ms = chosen.msm(device->context(), group, encoding, points, scalars, count, result);
    if (timings == nullptr) return;
    *timings = {};
    timings->total_ms = ms;
    timings->peak_bytes = bytes;
  });
}

cuzk_status cuzk_upload(cuzk_device *device, const void *memory, uint64_t bytes, double *ms, cuzk_error *error) {
  return guarded(device, error, [&] {
    require(device != nullptr && memory != nullptr && ms != nullptr, "no device, no memory or no place for the answer");
    require(bytes > 0, "the number of bytes must be above 0");
    *ms = device->machine->upload(device->pool, memory, bytes);
  });
}

cuzk_status cuzk_fixed_base(cuzk_device *device, cuzk_curve curve, cuzk_group group, const void *base,
                            const void *scalars, uint64_t count, void *points, cuzk_error *error) {
  return guarded(device, error, [&] {
    require(device != nullptr && base != nullptr, "no device or no base point");
    require((points != nullptr && scalars != nullptr) || count == 0, "no scalars or no place for the points");
    checkGroup(group);
    if (count == 0) return;
    const Engine &chosen = engine(*device, curve);
    Reservation reservation = device->machine->reserveWork(chosen.fixedBaseBytes(group, count, device->pool.threads()));
    chosen.fixedBase(device->context(), group, base, scalars, count, points);
  });
}

cuzk_status cuzk_ntt(cuzk_device *device, cuzk_curve curve, cuzk_quotient quotient, int32_t inverse, uint32_t log2_size,
                     const void *coset_shift, void *values, cuzk_timings *timings, cuzk_error *error) {
  return guarded(device, error, [&] {
    require(device != nullptr && values != nullptr, "no device or no values");
    require(quotient == CUZK_QUOTIENT_ODD_COSET || quotient == CUZK_QUOTIENT_MONOMIAL, "unknown quotient form");
    const Engine &chosen = engine(*device, curve);
    unsigned adicity = curve == CUZK_BN254 ? Bn254Constants::TWO_ADICITY : Bls12381Constants::TWO_ADICITY;
    require(log2_size <= std::min(adicity, 30u), "the field has no root of unity of that order");
    uint64_t bytes = chosen.nttBytes(log2_size);
    Reservation reservation = device->machine->reserveWork(bytes);
    double ms = chosen.ntt(device->context(), quotient, inverse != 0, log2_size, coset_shift, values);
    if (timings == nullptr) return;
    *timings = {};
    timings->total_ms = timings->ms[CUZK_STAGE_NTT] = ms;
    timings->peak_bytes = bytes;
  });
}

cuzk_status cuzk_sparse_product(cuzk_key *key, uint32_t matrix, const void *witness, void *rows, cuzk_error *error) {
  return guarded(deviceOf(key), error, [&] {
    require(key != nullptr && witness != nullptr && rows != nullptr, "no key, no witness or no place for the rows");
    require(matrix < 3, "matrix must be 0, 1 or 2");
    if (!key->key->isFinished()) throw Failure(CUZK_INCOMPLETE, "the key is not finished");
    key->key->sparseProduct(key->device.context(), matrix, witness, rows);
  });
}

}  // extern "C"
