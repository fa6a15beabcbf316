// SPDX-License-Identifier: Apache-2.0
//
// Proves circuits of any size without files: row i says x_i x_i = x_{i+1} - k_i over 2^LOG rows, with a key whose
// trapdoor is known, so that every proof is compared with the points that it must consist of. Values are dense, or
// nearly all bits. Prints times.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "curve/curves.hpp"
#include "curve/encoding.hpp"
#include "cuzk.h"

namespace cuzk {
namespace {

[[noreturn]] void die(const std::string &text) {
  std::fprintf(stderr, "cuzk-chain-prove: %s\n", text.c_str());
  std::exit(1);
}

void check(cuzk_status status, const cuzk_error &error) {
  if (status != CUZK_OK) {
    die(std::string(cuzk_status_name(status)) + ": " + error.text + " (" + std::to_string(error.detail) + ")");
  }
}

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double processorMilliseconds() {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval &t) {
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

template <class Curve>
class Chain {
 public:
  using Fr = typename Curve::Fr;

  Chain(cuzk_curve curve, unsigned log, bool bits) : rows_(size_t{1} << log) {
    shape_.curve = curve;
    shape_.quotient = CUZK_QUOTIENT_ODD_COSET;
    shape_.domain_log2 = log;
    shape_.public_inputs = 1;
    shape_.variables = rows_ + 1;
    shape_.entries = 2 * (rows_ - 1);
    const uint64_t counts[CUZK_QUERIES] = {rows_ + 1, rows_ + 1, rows_ + 1, rows_ - 1, rows_};
    std::copy(counts, counts + CUZK_QUERIES, shape_.counts);
    // Variable 0 is one, variable 1 + i is x_i; x_0 is public.
    witness_.resize(rows_ + 1);
    witness_[0] = Fr::one();
    inParallel(rows_, [&](size_t begin, size_t end) {
      Fr x = Fr::fromInteger(begin + 11).power(12345);
      for (size_t i = begin; i < end; i++) {
        x = x.square() + Fr::fromInteger(7);
        const bool isBit = bits && i % BITS_A_VALUE != 0;
        uint64_t words[4];
        x.toCanonical(words);
        witness_[1 + i] = isBit ? Fr::fromInteger(words[0] & 1) : x;
      }
    });
  }

  void load(cuzk_device *device, const cuzk_plan &plan) {
    u_ = lagrange(shape_.domain_log2, 1, 0, Fr::one());
    u_.resize(rows_ + 1, Fr::zero());
    makeConstant();
    const Fr inverse = delta_.inverse();
    std::vector<uint8_t> singles = multiples(device, CUZK_G1, {alpha_, beta_, delta_});
    const std::vector<uint8_t> second = multiples(device, CUZK_G2, {beta_, delta_});
    singles.insert(singles.end(), second.begin(), second.end());
    cuzk_error error;
    check(cuzk_key_create(device, &shape_, &plan, CUZK_POINTS_MONTGOMERY_LE, singles.data(), singles.size(), &key,
                          &error),
          error);
    const auto column = [&](size_t i) { return u(i); };
    append(CUZK_QUERY_A, column);
    append(CUZK_QUERY_B1, column);
    append(CUZK_QUERY_B2, column);
    append(CUZK_QUERY_L, [&](size_t i) { return ((beta_ + alpha_) * u(i + 2) + w(i + 2)) * inverse; });
    const std::vector<Fr> quotient = lagrange(shape_.domain_log2 + 1, 2, 1, inverse);
    append(CUZK_QUERY_H, [&](size_t i) { return quotient[i]; });
    appendEntries();
    const auto start = std::chrono::steady_clock::now();
    check(cuzk_key_finish(key, &error), error);
    std::printf("key finished in %.2f s, ", secondsSince(start));
  }

  // Whether the proof under r = 3, s = 5 is what the trapdoor says.
  bool isRight(const cuzk_proof &proof) const {
    const Fr r = Fr::fromInteger(3), s = Fr::fromInteger(5);
    Fr a = alpha_ + r * delta_, b = beta_ + s * delta_, sum = Fr::zero(), publics = Fr::zero();
    for (size_t i = 0; i < witness_.size(); i++) sum = sum + witness_[i] * u(i);
    for (size_t i = 0; i < 2; i++) publics = publics + witness_[i] * ((beta_ + alpha_) * u(i) + w(i));
    a = a + sum;
    b = b + sum;
    const Fr c = (a * b - alpha_ * beta_ - publics) * delta_.inverse();
    return same(Curve::generatorG1(), a, proof.a) && same(Curve::generatorG2(), b, proof.b) &&
           same(Curve::generatorG1(), c, proof.c);
  }

  const cuzk_shape &shape() const { return shape_; }
  void writeWitness(uint64_t *words) const {
    inParallel(witness_.size(), [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; i++) witness_[i].toCanonical(words + 4 * i);
    });
  }

  cuzk_key *key = nullptr;

 private:
  static constexpr size_t BITS_A_VALUE = 75;
  // Scalars that go to the device at a time.
  static constexpr size_t PIECE = size_t{1} << 22;

  // body(begin, end) over [0, total) by all threads.
  static void inParallel(size_t total, const std::function<void(size_t, size_t)> &body) {
    const size_t threads = std::min<size_t>(std::max(std::thread::hardware_concurrency(), 1u), total);
    std::vector<std::thread> workers;
    for (size_t t = 0; t < threads; t++) {
      workers.emplace_back([&, t] { body(total * t / threads, total * (t + 1) / threads); });
    }
    for (std::thread &worker : workers) worker.join();
  }

  // Column i of A and of B; of C but for the constant's.
  Fr u(size_t i) const { return i == 0 || i == rows_ ? Fr::zero() : u_[i - 1]; }
  Fr w(size_t i) const { return i == 0 ? constant_ : i == 1 ? Fr::zero() : u_[i - 2]; }

  // k_i = x_{i+1} - x_i^2 stands at the constant in C, with a minus.
  void makeConstant() {
    constant_ = Fr::zero();
    std::mutex mutex;
    inParallel(rows_ - 1, [&](size_t begin, size_t end) {
      Fr sum = Fr::zero();
      for (size_t i = begin; i < end; i++) sum = sum + (witness_[i + 1].square() - witness_[i + 2]) * u_[i];
      std::lock_guard<std::mutex> lock(mutex);
      constant_ = constant_ + sum;
    });
  }

  // factor L_{start + stride j}(tau) over the domain of size 2^log.
  std::vector<Fr> lagrange(unsigned log, size_t stride, size_t start, const Fr &factor) const {
    Fr root = Fr::fromLimbs(Curve::Constants::ROOT_ODD_COSET);
    for (unsigned i = log; i < Curve::Constants::TWO_ADICITY; i++) root = root.square();
    const size_t size = size_t{1} << log;
    const Fr numerator = (tau_.power(size) - Fr::one()) * Fr::fromInteger(size).inverse() * factor;
    const Fr step = root.power(stride), back = step.inverse();
    std::vector<Fr> result(size / stride);
    inParallel(result.size(), [&](size_t begin, size_t end) {
      Fr product = Fr::one(), x = root.power(start + stride * begin);
      for (size_t i = begin; i < end; i++, x = x * step) {
        result[i] = product;
        product = product * (tau_ - x);
      }
      Fr inverse = product.inverse();
      for (size_t i = end; i-- > begin;) {
        x = x * back;
        result[i] = result[i] * inverse * x * numerator;
        inverse = inverse * (tau_ - x);
      }
    });
    return result;
  }

  void append(cuzk_query query, const std::function<Fr(size_t)> &scalar) const {
    std::vector<uint64_t> words(4 * std::min<size_t>(PIECE, shape_.counts[query]));
    cuzk_error error;
    for (size_t first = 0; first < shape_.counts[query]; first += PIECE) {
      const size_t count = std::min<size_t>(PIECE, shape_.counts[query] - first);
      inParallel(count, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; i++) scalar(first + i).toCanonical(&words[4 * i]);
      });
      check(cuzk_key_append_multiples(key, query, first, count, words.data(), &error), error);
    }
  }
  void appendEntries() const {
    std::vector<cuzk_entry> entries;
    cuzk_error error;
    for (size_t first = 0; first + 1 < rows_; first += PIECE) {
      entries.clear();
      for (size_t row = first; row < std::min(first + PIECE, rows_ - 1); row++) {
        for (uint32_t matrix : {0u, 1u}) {
          entries.push_back({matrix, static_cast<uint32_t>(row), static_cast<uint32_t>(row + 1), {1}});
        }
      }
      check(cuzk_key_append_entries(key, CUZK_SCALARS_CANONICAL_LE, entries.size(), entries.data(), &error), error);
    }
  }

  std::vector<uint8_t> multiples(cuzk_device *device, cuzk_group group, const std::vector<Fr> &scalars) const {
    std::vector<uint64_t> words(4 * scalars.size());
    for (size_t i = 0; i < scalars.size(); i++) scalars[i].toCanonical(&words[4 * i]);
    const auto g1 = Curve::generatorG1();
    const auto g2 = Curve::generatorG2();
    std::vector<uint8_t> points(scalars.size() * (group == CUZK_G1 ? sizeof g1 : sizeof g2));
    const void *base = group == CUZK_G1 ? static_cast<const void *>(&g1) : &g2;
    cuzk_error error;
    check(cuzk_fixed_base(device, shape_.curve, group, base, words.data(), scalars.size(), points.data(), &error),
          error);
    return points;
  }

  template <class F>
  static bool same(const Affine<F> &generator, const Fr &scalar, const uint8_t *bytes) {
    uint64_t words[4];
    scalar.toCanonical(words);
    uint8_t expected[2 * F::BYTES];
    writePoint(Xyzz<F>::multiply(generator, words).toAffine(), expected);
    return std::memcmp(expected, bytes, sizeof expected) == 0;
  }

  const size_t rows_;
  const Fr alpha_ = Fr::fromInteger(1234567), beta_ = Fr::fromInteger(7654321), delta_ = Fr::fromInteger(1000003),
           tau_ = Fr::fromInteger(99991).power(12345);
  cuzk_shape shape_ = {};
  std::vector<Fr> witness_, u_;
  Fr constant_ = Fr::zero();
};

struct Options {
  cuzk_curve curve = CUZK_BN254;
  unsigned log = 0;
  int repetitions = 1, batch = 1, tables = 0;
  uint64_t memory = UINT64_MAX;
  bool bits = false, packed = false, isCuda = false;
};

cuzk_plan choosePlan(const cuzk_shape &shape, const Options &options) {
  cuzk_plan plan = {};
  plan.resident_key = plan.batch = 1;
  plan.table_levels = options.tables;
  cuzk_needs needs, without;
  cuzk_error error;
  if (options.memory == UINT64_MAX) {
    check(cuzk_plan_needs(&shape, &plan, &needs, &error), error);
  } else {
    plan.batch = options.batch;
    check(cuzk_plan_choose(&shape, options.memory, &plan, &needs, &error), error);
  }
  cuzk_plan bare = plan;
  bare.table_levels = 0;
  check(cuzk_plan_needs(&shape, &bare, &without, &error), error);
  std::printf("plan: %s key, batch %d, chunks 2^%d, key %.2f GB (tables %.2f), proofs %.2f GB, host %.2f GB\n",
              plan.resident_key == 1 ? "resident" : "streamed", plan.batch, plan.chunk_log2,
              static_cast<double>(needs.key_bytes) / 1e9,
              static_cast<double>(needs.key_bytes - without.key_bytes) / 1e9,
              static_cast<double>(needs.proof_bytes) / 1e9, static_cast<double>(needs.host_bytes) / 1e9);
  return plan;
}

// A witness buffer in page-locked memory.
struct PinnedWitness {
  PinnedWitness(cuzk_device *device, uint64_t bytes) : device(device), bytes(bytes) {
    cuzk_error error;
    check(cuzk_pinned_allocate(device, bytes, &memory, &error), error);
  }
  ~PinnedWitness() { cuzk_pinned_free(device, memory, bytes); }
  PinnedWitness(const PinnedWitness &) = delete;
  PinnedWitness &operator=(const PinnedWitness &) = delete;

  cuzk_device *const device;
  uint64_t bytes;
  void *memory = nullptr;
};

uint64_t pack(cuzk_device *device, PinnedWitness &witness, uint64_t variables) {
  PinnedWitness packed(device, witness.bytes);
  cuzk_error error;
  uint64_t bytes = 0;
  for (int i = 0; i < 2; i++) {
    const auto start = std::chrono::steady_clock::now();
    check(cuzk_witness_pack(device, witness.memory, variables, packed.memory, packed.bytes, &bytes, &error), error);
    std::printf("packed %.2f GB to %.2f GB in %.1f ms\n", static_cast<double>(witness.bytes) / 1e9,
                static_cast<double>(bytes) / 1e9, 1e3 * secondsSince(start));
  }
  if (bytes > 0) std::memcpy(witness.memory, packed.memory, bytes);
  return bytes;
}

void print(int number, const cuzk_timings &timings, uint64_t proofs, double processor) {
  std::printf("job %d: %.2f ms (CPU %.1f ms)", number, timings.total_ms, processor);
  if (proofs > 1) std::printf(" for %d proofs", static_cast<int>(proofs));
  for (int stage = 0; stage < CUZK_STAGES; stage++) {
    if (timings.ms[stage] > 0) std::printf(" %s %.2f", cuzk_stage_name(stage), timings.ms[stage]);
  }
  std::printf(" uploaded %.1f MB peak %.1f MB\n", static_cast<double>(timings.uploaded_bytes) / 1e6,
              static_cast<double>(timings.peak_bytes) / 1e6);
}

template <class Curve>
bool run(cuzk_device *device, const Options &options) {
  auto start = std::chrono::steady_clock::now();
  Chain<Curve> chain(options.curve, options.log, options.bits);
  const cuzk_plan plan = options.isCuda ? choosePlan(chain.shape(), options) : cuzk_plan{0, 1, 1, options.tables, 0, 0};
  chain.load(device, plan);
  std::printf("key of 2^%u rows made in %.1f s\n", options.log, secondsSince(start));
  PinnedWitness witness(device, 32 * chain.shape().variables);
  chain.writeWitness(static_cast<uint64_t *>(witness.memory));
  const bool isPacked = options.packed && pack(device, witness, chain.shape().variables) > 0;
  bool right = true;
  for (int i = 0; i < options.repetitions; i++) {
    cuzk_proof_request request = {};
    request.witness = witness.memory;
    request.form = isPacked ? CUZK_WITNESS_PACKED : CUZK_WITNESS_SCALARS;
    request.r[0] = 3;
    request.s[0] = 5;
    const std::vector<cuzk_proof_request> requests(static_cast<size_t>(options.batch), request);
    std::vector<cuzk_proof> proofs(requests.size());
    cuzk_job *job;
    cuzk_timings timings;
    cuzk_error error;
    const double before = processorMilliseconds();
    check(cuzk_proofs_submit(device, chain.key, requests.data(), static_cast<uint32_t>(requests.size()), &job, &error),
          error);
    check(cuzk_proofs_wait(job, proofs.data(), &timings, &error), error);
    cuzk_job_destroy(job);
    print(i, timings, proofs.size(), processorMilliseconds() - before);
    if (i > 0) continue;
    for (const cuzk_proof &proof : proofs) right = right && chain.isRight(proof);
  }
  std::printf("%s\n", right ? "the proofs are right" : "THE PROOFS ARE WRONG");
  cuzk_key_destroy(chain.key);
  return right;
}

}  // namespace
}  // namespace cuzk

int main(int argc, char **argv) {
  using namespace cuzk;
  if (argc < 3) {
    die("usage: cuzk-chain-prove bn254|bls12-381 LOG [REPETITIONS] [threads=N] [arithmetic=NAME] [memory=MIB] [batch=N]"
        " [tables=N] [bits] [packed]");
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Options options;
  cuzk_device_options open = {};
  options.curve = std::string(argv[1]) == "bn254" ? CUZK_BN254 : CUZK_BLS12_381;
  options.log = static_cast<unsigned>(std::atoi(argv[2]));
  for (int i = 3; i < argc; i++) {
    const std::string word = argv[i], value = word.substr(word.find('=') + 1);
    if (word == "bits") {
      options.bits = true;
    } else if (word == "packed") {
      options.packed = true;
    } else if (word.rfind("threads=", 0) == 0) {
      open.threads = std::atoi(value.c_str());
    } else if (word.rfind("arithmetic=", 0) == 0) {
      open.arithmetic = argv[i] + word.find('=') + 1;
    } else if (word.rfind("memory=", 0) == 0) {
      open.memory_limit = options.memory = std::strtoull(value.c_str(), nullptr, 10) << 20;
    } else if (word.rfind("tables=", 0) == 0) {
      options.tables = std::max(std::atoi(value.c_str()), 0);
    } else if (word.rfind("batch=", 0) == 0) {
      options.batch = std::max(std::atoi(value.c_str()), 1);
    } else {
      options.repetitions = std::max(std::atoi(word.c_str()), 1);
    }
  }
  cuzk_error error;
  cuzk_device *device;
  check(cuzk_device_open(&open, &device, &error), error);
  cuzk_device_properties properties;
  check(cuzk_device_describe(device, &properties, &error), error);
  options.isCuda = std::string(properties.arithmetic) == "cuda";
  std::printf("%s\n%s, ", cuzk_build_id(), argv[1]);
  const bool right =
      options.curve == CUZK_BN254 ? run<Bn254<Portable>>(device, options) : run<Bls12381<Portable>>(device, options);
  cuzk_device_close(device);
  return right ? 0 : 1;
}
