// SPDX-License-Identifier: Apache-2.0
//
// Proves a dense circuit of any size without files: x_{i+1} = x_i^2 + k over 2^LOG rows, with a key whose trapdoor is
// known, so that every proof is compared with the points that it must consist of. Prints times.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
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

template <class Curve>
class Chain {
 public:
  using Fr = typename Curve::Fr;

  Chain(cuzk_curve curve, unsigned log) : rows_(size_t{1} << log) {
    shape_.curve = curve;
    shape_.quotient = CUZK_QUOTIENT_ODD_COSET;
    shape_.domain_log2 = log;
    shape_.public_inputs = 1;
    shape_.variables = rows_ + 1;
    shape_.entries = 2 * (rows_ - 1);
    const uint64_t counts[CUZK_QUERIES] = {rows_ + 1, rows_ + 1, rows_ + 1, rows_ - 1, rows_};
    std::copy(counts, counts + CUZK_QUERIES, shape_.counts);
    // Variable 0 is one, variable 1 + i is x_i; x_0 is public.
    Fr x = Fr::fromInteger(11);
    witness_.push_back(Fr::one());
    for (size_t i = 0; i < rows_; i++, x = x.square() + k_) witness_.push_back(x);
  }

  void load(cuzk_device *device) {
    const std::vector<Fr> basis = lagrange(shape_.domain_log2);
    u_.assign(rows_ + 1, Fr::zero());
    w_ = u_;
    for (size_t row = 0; row + 1 < rows_; row++) {
      u_[1 + row] = basis[row];
      w_[2 + row] = basis[row];
      w_[0] = w_[0] - k_ * basis[row];
    }
    std::vector<Fr> l, h;
    const Fr inverse = delta_.inverse();
    for (size_t i = 2; i <= rows_; i++) l.push_back(((beta_ + alpha_) * u_[i] + w_[i]) * inverse);
    const std::vector<Fr> doubled = lagrange(shape_.domain_log2 + 1);
    for (size_t j = 0; j < rows_; j++) h.push_back(doubled[2 * j + 1] * inverse);

    std::vector<uint8_t> singles = multiples(device, CUZK_G1, {alpha_, beta_, delta_});
    const std::vector<uint8_t> second = multiples(device, CUZK_G2, {beta_, delta_});
    singles.insert(singles.end(), second.begin(), second.end());
    cuzk_error error;
    check(cuzk_key_create(device, &shape_, nullptr, CUZK_POINTS_MONTGOMERY_LE, singles.data(), singles.size(), &key,
                          &error),
          error);
    append(device, CUZK_QUERY_A, u_);
    append(device, CUZK_QUERY_B1, u_);
    append(device, CUZK_QUERY_B2, u_);
    append(device, CUZK_QUERY_L, l);
    append(device, CUZK_QUERY_H, h);
    std::vector<cuzk_entry> entries;
    for (uint32_t row = 0; row + 1 < rows_; row++) {
      for (uint32_t matrix : {0u, 1u}) entries.push_back({matrix, row, row + 1, {1}});
    }
    check(cuzk_key_append_entries(key, CUZK_SCALARS_CANONICAL_LE, entries.size(), entries.data(), &error), error);
    check(cuzk_key_finish(key, &error), error);
  }

  // Whether the proof under r = 3, s = 5 is what the trapdoor says.
  bool isRight(const cuzk_proof &proof) const {
    const Fr r = Fr::fromInteger(3), s = Fr::fromInteger(5);
    Fr a = alpha_ + r * delta_, b = beta_ + s * delta_, sum = Fr::zero(), publics = Fr::zero();
    for (size_t i = 0; i < witness_.size(); i++) sum = sum + witness_[i] * u_[i];
    for (size_t i = 0; i < 2; i++) publics = publics + witness_[i] * ((beta_ + alpha_) * u_[i] + w_[i]);
    a = a + sum;
    b = b + sum;
    const Fr c = (a * b - alpha_ * beta_ - publics) * delta_.inverse();
    return same(Curve::generatorG1(), a, proof.a) && same(Curve::generatorG2(), b, proof.b) &&
           same(Curve::generatorG1(), c, proof.c);
  }

  const cuzk_shape &shape() const { return shape_; }
  void writeWitness(uint64_t *words) const {
    for (size_t i = 0; i < witness_.size(); i++) witness_[i].toCanonical(words + 4 * i);
  }

  cuzk_key *key = nullptr;

 private:
  // The Lagrange basis over the domain of size 2^log at tau, with one inversion.
  std::vector<Fr> lagrange(unsigned log) const {
    Fr root = Fr::fromLimbs(Curve::Constants::ROOT_ODD_COSET);
    for (unsigned i = log; i < Curve::Constants::TWO_ADICITY; i++) root = root.square();
    const size_t size = size_t{1} << log;
    std::vector<Fr> result(size);
    Fr product = Fr::one(), x = Fr::one();
    for (size_t i = 0; i < size; i++, x = x * root) {
      result[i] = product;
      product = product * (tau_ - x);
    }
    const Fr numerator = (tau_.power(size) - Fr::one()) * Fr::fromInteger(size).inverse();
    const Fr rootInverse = root.inverse();
    Fr inverse = product.inverse();
    for (size_t i = size; i-- > 0;) {
      x = x * rootInverse;
      result[i] = result[i] * inverse * x * numerator;
      inverse = inverse * (tau_ - x);
    }
    return result;
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

  void append(cuzk_device *device, cuzk_query query, const std::vector<Fr> &scalars) const {
    const std::vector<uint8_t> points = multiples(device, query == CUZK_QUERY_B2 ? CUZK_G2 : CUZK_G1, scalars);
    cuzk_error error;
    check(cuzk_key_append(key, query, 0, scalars.size(), points.data(), points.size(), &error), error);
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
  const Fr k_ = Fr::fromInteger(7), alpha_ = Fr::fromInteger(1234567), beta_ = Fr::fromInteger(7654321),
           delta_ = Fr::fromInteger(1000003), tau_ = Fr::fromInteger(99991).power(12345);
  cuzk_shape shape_ = {};
  std::vector<Fr> witness_, u_, w_;
};

template <class Curve>
bool run(cuzk_device *device, cuzk_curve curve, unsigned log, int repetitions) {
  auto start = std::chrono::steady_clock::now();
  Chain<Curve> chain(curve, log);
  chain.load(device);
  std::printf("key of 2^%u rows made in %.1f s\n", log, secondsSince(start));
  void *witness;
  const uint64_t bytes = 32 * chain.shape().variables;
  cuzk_error error;
  check(cuzk_pinned_allocate(device, bytes, &witness, &error), error);
  chain.writeWitness(static_cast<uint64_t *>(witness));
  bool right = true;
  for (int i = 0; i < repetitions; i++) {
    cuzk_proof_request request = {};
    request.witness = witness;
    request.r[0] = 3;
    request.s[0] = 5;
    cuzk_job *job;
    cuzk_proof proof;
    cuzk_timings timings;
    check(cuzk_proofs_submit(device, chain.key, &request, 1, &job, &error), error);
    check(cuzk_proofs_wait(job, &proof, &timings, &error), error);
    cuzk_job_destroy(job);
    std::printf("proof %d: %.2f ms", i, timings.total_ms);
    for (int stage = 0; stage < CUZK_STAGES; stage++) {
      if (timings.ms[stage] > 0) std::printf(" %s %.2f", cuzk_stage_name(stage), timings.ms[stage]);
    }
    std::printf(" peak %.1f MB\n", static_cast<double>(timings.peak_bytes) / 1e6);
    if (i == 0) right = chain.isRight(proof);
  }
  std::printf("%s\n", right ? "the proof is right" : "THE PROOF IS WRONG");
  cuzk_pinned_free(device, witness, bytes);
  cuzk_key_destroy(chain.key);
  return right;
}

}  // namespace
}  // namespace cuzk

int main(int argc, char **argv) {
  using namespace cuzk;
  if (argc < 3) die("usage: cuzk-chain-prove bn254|bls12-381 LOG [REPETITIONS] [THREADS] [ARITHMETIC]");
  const bool bn254 = std::string(argv[1]) == "bn254";
  const unsigned log = static_cast<unsigned>(std::atoi(argv[2]));
  cuzk_device_options options = {};
  options.threads = argc > 4 ? std::atoi(argv[4]) : 0;
  options.arithmetic = argc > 5 ? argv[5] : nullptr;
  cuzk_error error;
  cuzk_device *device;
  check(cuzk_device_open(&options, &device, &error), error);
  std::printf("%s\n%s, ", cuzk_build_id(), argv[1]);
  const int repetitions = argc > 3 ? std::atoi(argv[3]) : 1;
  const bool right = bn254 ? run<Bn254<Portable>>(device, CUZK_BN254, log, repetitions)
                           : run<Bls12381<Portable>>(device, CUZK_BLS12_381, log, repetitions);
  cuzk_device_close(device);
  return right ? 0 : 1;
}
