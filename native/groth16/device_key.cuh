// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "curve/device_points.cuh"
#include "groth16/host_points.hpp"
#include "groth16/key_parts.hpp"
#include "msm/device_msm.cuh"
#include "msm/device_tables.cuh"
#include "ntt/device_ntt.cuh"
#include "ntt/ntt.hpp"
#include "r1cs/device_matrix.cuh"

namespace cuzk::gpu {

// One curve over the arithmetics that the device uses. Host, G1 and G2 types of one field have the same bytes.
template <template <class> class Over>
struct CurveSet {
  using Host = Over<Portable>;
  using Constants = typename Host::Constants;
  using Fr = typename Over<Cuda>::Fr;
  using Fp = typename Over<Cuda>::Fp;
  using Fp2 = typename Over<CudaCalls>::Fp2;  // products as calls: forty of them inline are too much code
  static constexpr unsigned SCALAR_BITS = Fr::Parameters::BITS;

  template <class F>
  static F coefficientB() {
    if constexpr (F::DEGREE == 1) {
      return Over<Cuda>::template coefficientB<F>();
    } else {
      return Over<CudaCalls>::template coefficientB<F>();
    }
  }
  static Fr rootOfUnity(unsigned log, cuzk_quotient quotient) {
    Fr root = Fr::fromLimbs(quotient == CUZK_QUOTIENT_ODD_COSET ? Constants::ROOT_ODD_COSET : Constants::ROOT_MONOMIAL);
    for (unsigned i = log; i < Constants::TWO_ADICITY; i++) root = root.square();
    return root;
  }
};

// The points of the variables from `first` on: index 0 of the result is variable `first`.
template <class F>
PointTable<F> shifted(const PointTable<F> &table, uint32_t first) {
  PointTable<F> result = table;
  if (table.positions != nullptr) {
    result.positions += first;
  } else {
    result.offset = first < table.offset ? table.offset - first : 0;
    if (first > table.offset) result.points += first - table.offset;
  }
  return result;
}

// A proving key in device memory; or one whose points and matrices stay with the host, so that only what every proof
// needs at once (roots, coefficients) is on the device.
template <class Set>
class DeviceKey : public KeyParts<typename Set::Host> {
 public:
  using Parts = KeyParts<typename Set::Host>;
  using HostFr = typename Set::Host::Fr;
  using Fr = typename Set::Fr;
  using Fp = typename Set::Fp;
  using Fp2 = typename Set::Fp2;
  using Parts::shape;

  static constexpr unsigned MATRICES = 3;

  DeviceKey(Gpu &gpu, MemoryAccount &account, ThreadPool &pool, const cuzk_shape &shape, const cuzk_plan &plan,
            PointEncoding encoding, const void *singlePoints)
      : Parts(cuzk::Context{pool, gpu.hostMemory}, shape, encoding, singlePoints),
        plan(plan),
        levels(needs::KeyLevels::of<typename Set::Host>(shape, plan)),
        gpu_(gpu),
        account_(account),
        bad_(account, 1),
        roots_(account, needs::rootTableElements(shape.domain_log2)) {
    for (int query = 0; query < CUZK_QUERIES; query++) {
      hostPoints_.emplace_back(gpu.hostMemory, shape.counts[query],
                               query == CUZK_QUERY_B2 ? sizeof(Affine<Fp2>) : sizeof(Affine<Fp>));
    }
    if (isStreamed()) {
      staging_ = DeviceArray<char>(account, needs::stagingBytes(shape, sizeof(Affine<Fp2>)));
      return;
    }
    for (cuzk_query query : {CUZK_QUERY_A, CUZK_QUERY_B1, CUZK_QUERY_L, CUZK_QUERY_H}) {
      g1(query) = DeviceArray<Affine<Fp>>(account, shape.counts[query] * levels[query].count);
    }
    b2_ = DeviceArray<Affine<Fp2>>(account, shape.counts[CUZK_QUERY_B2] * levels[CUZK_QUERY_B2].count);
  }

  bool isStreamed() const { return plan.resident_key == 0; }

  void append(ThreadPool &pool, cuzk_query query, uint64_t first, uint64_t count, const void *points, uint64_t bytes) {
    Parts::checkPiece(query, first, count, points, bytes);
    const HostSource source = isStreamed() ? hostPoints_[query].append(pool, first, count, points) : HostSource(points);
    store(pool, query, first, count, source);
  }
  void appendFile(ThreadPool &pool, cuzk_query query, uint64_t first, uint64_t count,
                  const std::shared_ptr<const InputFile> &file, uint64_t offset) {
    Parts::checkPlace(query, first, count);
    const HostSource source(file, offset);
    if (isStreamed()) hostPoints_[query].append(first, source);
    store(pool, query, first, count, source);
  }
  // Points that lie in device memory, checked or made there.
  template <class F>
  void appendDevice(ThreadPool &pool, cuzk_query query, uint64_t first, uint64_t count, const Affine<F> *points,
                    cudaStream_t stream) {
    Parts::checkPlace(query, first, count);
    if (isStreamed()) {
      std::vector<Affine<F>> copy(count);
      check(cudaMemcpyAsync(static_cast<void *>(copy.data()), points, count * sizeof(Affine<F>), cudaMemcpyDeviceToHost,
                            stream),
            "download of points");
      check(cudaStreamSynchronize(stream), "download of points");
      hostPoints_[query].append(pool, first, count, copy.data());
    } else {
      check(cudaMemcpyAsync(static_cast<void *>(place<F>(query) + first), points, count * sizeof(Affine<F>),
                            cudaMemcpyDeviceToDevice, stream),
            "copy of points");
      check(cudaStreamSynchronize(stream), "copy of points");
    }
    Parts::loaded(query, count);
  }

  void finish(ThreadPool &pool) {
    Parts::finishParts(cuzk::Context{pool, gpu_.hostMemory});
    const cudaStream_t stream = gpu_.loadStream;
    staging_ = DeviceArray<char>();
    reserveCoefficients();
    deviceCoefficients_ = uploaded(account_, stream, reinterpret_cast<const Fr *>(Parts::coefficients_.data()),
                                   Parts::coefficients_.count());
    Parts::coefficients_.clear();
    makeDomain(stream);
    if (isStreamed()) {
      for (unsigned i = 0; i < MATRICES; i++) longRows_[i] = longRowsOf(Parts::matrices_[i], Parts::rows());
      return;
    }
    for (unsigned i = 0; i < MATRICES; i++) {
      deviceMatrices_[i] = DeviceMatrix<Fr>(account_, stream, Parts::matrices_[i], Parts::rows());
      Parts::matrices_[i] = {};
    }
    devicePositionsA_ = uploaded(account_, stream, Parts::positionsA_.data(), Parts::positionsA_.size());
    devicePositionsB_ = uploaded(account_, stream, Parts::positionsB_.data(), Parts::positionsB_.size());
    Parts::positionsA_ = {};
    Parts::positionsB_ = {};
  }

  // Of a finished key that has more than one level, on the context's stream.
  void makeTables(Context &context) {
    for (cuzk_query query : {CUZK_QUERY_A, CUZK_QUERY_B1, CUZK_QUERY_L, CUZK_QUERY_H}) makeTables<Fp>(context, query);
    makeTables<Fp2>(context, CUZK_QUERY_B2);
    check(cudaStreamSynchronize(context.stream), "making tables");
  }

  const Fr *coefficients() const { return deviceCoefficients_.data(); }
  const DeviceNtt<Fr> &domain() const { return *domain_; }
  // The shift of the coset that the quotient is evaluated on, over the domain's size.
  const PowerTable<Fr> &shift() const { return *shift_; }
  // Its inverse; for the monomial form.
  const PowerTable<Fr> &unshift() const { return *unshift_; }

  // Of a resident key.
  const DeviceMatrix<Fr> &matrix(unsigned i) const { return deviceMatrices_[i]; }
  PointTable<Fp> a() const { return table(CUZK_QUERY_A, g1_[0], devicePositionsA_.data()); }
  PointTable<Fp> b1() const { return table(CUZK_QUERY_B1, g1_[1], devicePositionsB_.data()); }
  PointTable<Fp2> b2() const { return table(CUZK_QUERY_B2, b2_, devicePositionsB_.data()); }
  PointTable<Fp> l() const { return table(CUZK_QUERY_L, g1_[2], nullptr, shape.public_inputs + 1); }
  PointTable<Fp> h() const { return table(CUZK_QUERY_H, g1_[3], nullptr); }

  // Of a streamed key.
  const HostPoints &hostPoints(cuzk_query query) const { return hostPoints_[query]; }
  const Array<uint32_t> &hostPositions(cuzk_query query) const {
    return query == CUZK_QUERY_A ? Parts::positionsA_ : Parts::positionsB_;
  }
  const SparseMatrix<HostFr> &hostMatrix(unsigned i) const { return Parts::matrices_[i]; }
  const std::vector<uint32_t> &longRows(unsigned i) const { return longRows_[i]; }
  bool hasMatrix(unsigned i) const { return isStreamed() ? !hostMatrix(i).isEmpty() : !matrix(i).isEmpty(); }
  // For the checks of points that a job streams.
  LowestIndex badPoint() const { return LowestIndex(bad_.data()); }

  const cuzk_plan plan;
  const needs::KeyLevels levels;

 private:
  // Points between two checks.
  static constexpr uint64_t CHECKED_BYTES = uint64_t{64} << 20;

  DeviceArray<Affine<Fp>> &g1(cuzk_query query) {
    return g1_[query == CUZK_QUERY_A ? 0 : query == CUZK_QUERY_B1 ? 1 : query == CUZK_QUERY_L ? 2 : 3];
  }
  template <class F>
  PointTable<F> table(cuzk_query query, const DeviceArray<Affine<F>> &points, const uint32_t *positions,
                      uint32_t offset = 0) const {
    return {points.data(), positions, offset, 31 - levels[query].bits(), shape.counts[query]};
  }
  template <class F>
  void makeTables(Context &context, cuzk_query query) {
    const size_t count = shape.counts[query];
    for (unsigned level = 1; level < levels[query].count; level++) {
      Affine<F> *points = place<F>(query) + (level - 1) * count;
      makeMultiples(context, points, count, levels[query].span, points + count);
    }
  }
  template <class F>
  Affine<F> *place(cuzk_query query) {
    if constexpr (F::DEGREE == 1) {
      return g1(query).data();
    } else {
      return b2_.data();
    }
  }

  void store(ThreadPool &pool, cuzk_query query, uint64_t first, uint64_t count, const HostSource &source) {
    if (query == CUZK_QUERY_B2) {
      store<Fp2>(pool, query, first, count, source);
    } else {
      store<Fp>(pool, query, first, count, source);
    }
    Parts::loaded(query, count);
  }

  // Copies and checks overlap: each piece's check waits for its copy alone.
  template <class F>
  void store(ThreadPool &pool, cuzk_query query, uint64_t first, uint64_t count, const HostSource &source) {
    LowestIndex bad(bad_.data());
    const cudaStream_t checks = isStreamed() ? gpu_.loadStream : gpu_.checkStream;
    bad.reset(checks);
    const uint64_t most = (isStreamed() ? staging_.size() : CHECKED_BYTES) / sizeof(Affine<F>);
    for (uint64_t done = 0; done < count; done += most) {
      const uint64_t here = std::min(most, count - done);
      Affine<F> *to = isStreamed() ? reinterpret_cast<Affine<F> *>(staging_.data()) : place<F>(query) + first + done;
      gpu_.ring.copy(pool, source + done * sizeof(Affine<F>), to, here * sizeof(Affine<F>), gpu_.loadStream);
      check(cudaEventRecord(gpu_.loaded, gpu_.loadStream), "recording an event");
      check(cudaStreamWaitEvent(checks, gpu_.loaded, 0), "waiting for points");
      checkPoints(checks, bad, Parts::encoding, to, here, Set::template coefficientB<F>(), first + done);
    }
    requireGood(checks, bad);
  }

  // Beyond those that the plan counts with.
  void reserveCoefficients() {
    const uint64_t bytes = Parts::coefficients_.count() * sizeof(Fr), planned = needs::coefficientBytes(shape);
    if (bytes > planned) moreCoefficients_ = Reservation(gpu_.budget, bytes - planned);
  }

  void makeDomain(cudaStream_t stream) {
    const unsigned log = shape.domain_log2;
    const bool odd = shape.quotient == CUZK_QUOTIENT_ODD_COSET;
    domain_ = std::make_unique<DeviceNtt<Fr>>(stream, roots_.data(), log, Set::rootOfUnity(log, shape.quotient));
    const Fr size = Fr::fromInteger(Parts::rows());
    const Fr factor = odd ? Set::rootOfUnity(log + 1, shape.quotient) : Fr::fromLimbs(Set::Constants::COSET_GENERATOR);
    shiftPowers_ = DeviceArray<Fr>(account_, needs::powerTableElements(log));
    shift_ = std::make_unique<PowerTable<Fr>>(stream, shiftPowers_.data(), log, factor, size.inverse());
    if (odd) return;
    unshiftPowers_ = DeviceArray<Fr>(account_, needs::powerTableElements(log));
    unshift_ = std::make_unique<PowerTable<Fr>>(stream, unshiftPowers_.data(), log, factor.inverse(), Fr::one());
  }

  Gpu &gpu_;
  MemoryAccount &account_;
  Reservation moreCoefficients_;
  std::vector<HostPoints> hostPoints_;
  DeviceArray<char> staging_;
  std::vector<uint32_t> longRows_[MATRICES];
  DeviceArray<Affine<Fp>> g1_[4];
  DeviceArray<Affine<Fp2>> b2_;
  DeviceArray<unsigned long long> bad_;
  DeviceArray<Fr> roots_, shiftPowers_, unshiftPowers_;
  DeviceArray<uint32_t> devicePositionsA_, devicePositionsB_;
  DeviceArray<Fr> deviceCoefficients_;
  DeviceMatrix<Fr> deviceMatrices_[MATRICES];
  std::unique_ptr<DeviceNtt<Fr>> domain_;
  std::unique_ptr<PowerTable<Fr>> shift_, unshift_;
};

}  // namespace cuzk::gpu
