// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "curve/device_points.cuh"
#include "groth16/key_parts.hpp"
#include "msm/device_msm.cuh"
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

// A proving key in device memory.
template <class Set>
class DeviceKey : public KeyParts<typename Set::Host> {
 public:
  using Parts = KeyParts<typename Set::Host>;
  using Fr = typename Set::Fr;
  using Fp = typename Set::Fp;
  using Fp2 = typename Set::Fp2;
  using Parts::shape;

  DeviceKey(Gpu &gpu, MemoryAccount &account, ThreadPool &pool, const cuzk_shape &shape, PointEncoding encoding,
            const void *singlePoints)
      : Parts(cuzk::Context{pool, gpu.hostMemory}, shape, encoding, singlePoints),
        gpu_(gpu),
        account_(account),
        g1_{{account, shape.counts[CUZK_QUERY_A]},
            {account, shape.counts[CUZK_QUERY_B1]},
            {account, shape.counts[CUZK_QUERY_L]},
            {account, shape.counts[CUZK_QUERY_H]}},
        b2_(account, shape.counts[CUZK_QUERY_B2]),
        bad_(account, 1),
        roots_(account, needs::rootTableElements(shape.domain_log2)) {}

  void append(cuzk_query query, uint64_t first, uint64_t count, const void *points, uint64_t bytes) {
    Parts::checkPiece(query, first, count, points, bytes);
    if (query == CUZK_QUERY_B2) {
      store(b2_.data() + first, first, count, points);
    } else {
      store(g1(query).data() + first, first, count, points);
    }
    Parts::loaded(query, count);
  }

  void finish(ThreadPool &pool) {
    Parts::finishParts(cuzk::Context{pool, gpu_.hostMemory});
    const cudaStream_t stream = gpu_.loadStream;
    for (unsigned i = 0; i < MATRICES; i++) {
      deviceMatrices_[i] = DeviceMatrix<Fr>(account_, stream, Parts::matrices_[i], Parts::rows());
      Parts::matrices_[i] = {};
    }
    deviceCoefficients_ = uploaded(account_, stream, reinterpret_cast<const Fr *>(Parts::coefficients_.data()),
                                   Parts::coefficients_.count());
    Parts::coefficients_.clear();
    devicePositionsA_ = uploaded(account_, stream, Parts::positionsA_.data(), Parts::positionsA_.size());
    devicePositionsB_ = uploaded(account_, stream, Parts::positionsB_.data(), Parts::positionsB_.size());
    Parts::positionsA_ = {};
    Parts::positionsB_ = {};
    makeDomain(stream);
  }

  const DeviceMatrix<Fr> &matrix(unsigned i) const { return deviceMatrices_[i]; }
  const Fr *coefficients() const { return deviceCoefficients_.data(); }
  const DeviceNtt<Fr> &domain() const { return *domain_; }
  // The shift of the coset that the quotient is evaluated on, over the domain's size.
  const PowerTable<Fr> &shift() const { return *shift_; }
  // Its inverse; for the monomial form.
  const PowerTable<Fr> &unshift() const { return *unshift_; }

  PointTable<Fp> a() const { return {g1_[0].data(), devicePositionsA_.data(), 0}; }
  PointTable<Fp> b1() const { return {g1_[1].data(), devicePositionsB_.data(), 0}; }
  PointTable<Fp2> b2() const { return {b2_.data(), devicePositionsB_.data(), 0}; }
  PointTable<Fp> l() const { return {g1_[2].data(), nullptr, shape.public_inputs + 1}; }
  PointTable<Fp> h() const { return {g1_[3].data(), nullptr, 0}; }

 private:
  static constexpr unsigned MATRICES = 3;

  DeviceArray<Affine<Fp>> &g1(cuzk_query query) {
    return g1_[query == CUZK_QUERY_A ? 0 : query == CUZK_QUERY_B1 ? 1 : query == CUZK_QUERY_L ? 2 : 3];
  }

  template <class F>
  void store(Affine<F> *place, uint64_t first, uint64_t count, const void *points) {
    check(cudaMemcpyAsync(static_cast<void *>(place), points, count * sizeof(Affine<F>), cudaMemcpyHostToDevice,
                          gpu_.loadStream),
          "upload of points");
    requirePoints(gpu_.loadStream, LowestIndex(bad_.data()), Parts::encoding, place, count,
                  Set::template coefficientB<F>(), first);
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
