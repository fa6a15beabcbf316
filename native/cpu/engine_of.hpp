// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/engines.hpp"
#include "groth16/prover.hpp"
#include "msm/fixed_base.hpp"

namespace cuzk {

inline PointEncoding pointEncoding(cuzk_point_encoding encoding) {
  require(encoding == CUZK_POINTS_MONTGOMERY_LE || encoding == CUZK_POINTS_UNCOMPRESSED_BE, "unknown point encoding");
  return encoding == CUZK_POINTS_MONTGOMERY_LE ? PointEncoding::MONTGOMERY_LE : PointEncoding::UNCOMPRESSED_BE;
}

// Scalars as words: where they lie if that is aligned, else a copy.
class AlignedScalars {
 public:
  AlignedScalars(const Context &context, const void *scalars, size_t count) {
    if (reinterpret_cast<uintptr_t>(scalars) % alignof(uint64_t) == 0) {
      words_ = static_cast<const uint64_t *>(scalars);
      return;
    }
    copy_ = Array<uint64_t>(context.memory, 4 * count, Content::SECRET);
    std::memcpy(copy_.data(), scalars, 32 * count);
    words_ = copy_.data();
  }
  const uint64_t *words() const { return words_; }

 private:
  Array<uint64_t> copy_;
  const uint64_t *words_;
};

template <class Curve>
class EngineKeyOf : public EngineKey {
 public:
  EngineKeyOf(const Context &context, const cuzk_shape &shape, unsigned tables, cuzk_point_encoding encoding,
              const void *singlePoints)
      : key_(context, shape, tables, pointEncoding(encoding), singlePoints) {}

  void append(const Context &context, cuzk_query query, uint64_t first, uint64_t count, const void *points,
              uint64_t bytes) override {
    key_.append(context, query, first, count, points, bytes);
  }
  void appendFile(const Context &context, cuzk_query query, uint64_t first, uint64_t count,
                  const std::shared_ptr<const InputFile> &file, uint64_t offset) override {
    const size_t size = KeyParts<Curve>::pointBytes(query);
    const uint64_t most = FILE_PIECE / size;
    Array<uint8_t> piece(context.memory, std::min(count, most) * size);
    for (uint64_t done = 0; done < count; done += most) {
      const uint64_t here = std::min(most, count - done);
      context.forRange(here * size, FILE_GRAIN, [&](size_t begin, size_t end) {
        file->read(piece.data() + begin, offset + done * size + begin, end - begin);
      });
      key_.append(context, query, first + done, here, piece.data(), here * size);
    }
    file->requireUnchanged();
  }
  void appendMultiples(const Context &context, cuzk_query query, uint64_t first, uint64_t count,
                       const void *scalars) override {
    Array<uint8_t> points(context.memory, count * KeyParts<Curve>::pointBytes(query));
    AlignedScalars aligned(context, scalars, count);
    checkScalars<typename Curve::Fr>(context, aligned.words(), count);
    if (query == CUZK_QUERY_B2) {
      multiplyGenerator(context, Curve::generatorG2(), aligned.words(), count, points.data());
    } else {
      multiplyGenerator(context, Curve::generatorG1(), aligned.words(), count, points.data());
    }
    key_.append(context, query, first, count, points.data(), points.bytes());
  }
  void appendEntries(const Context &context, cuzk_scalar_encoding encoding, uint64_t count,
                     const cuzk_entry *entries) override {
    key_.appendEntries(context, encoding, count, entries);
  }
  void appendMatrices(const Context &context, const void *matrices, uint64_t bytes) override {
    key_.appendMatrices(context, matrices, bytes);
  }
  void finish(const Context &context) override { key_.finish(context); }
  bool isFinished() const override { return key_.isFinished(); }
  const cuzk_shape &shape() const override { return key_.shape; }
  uint64_t uncountedBytes() const override { return key_.uncountedBytes(); }

  void prove(const Context &context, const cuzk_proof_request *requests, size_t, StageClock &clock,
             cuzk_proof *proofs) const override {
    const cuzk_proof_request &request = *requests;
    cuzk_proof &proof = *proofs;
    Blinding blinding;
    std::memcpy(blinding.r, request.r, sizeof blinding.r);
    std::memcpy(blinding.s, request.s, sizeof blinding.s);
    AlignedScalars witness(context, request.witness, key_.shape.variables);
    auto points = Prover<Curve>(context, key_, clock).prove(witness.words(), blinding);
    wipe(&blinding, sizeof blinding);
    std::memset(&proof, 0, sizeof proof);
    writePoint(points.a, proof.a);
    writePoint(points.b, proof.b);
    writePoint(points.c, proof.c);
  }

  void sparseProduct(const Context &context, uint32_t matrix, const void *witness, void *rows) const override {
    using Fr = typename Curve::Fr;
    size_t count = key_.domain().size();
    AlignedScalars aligned(context, witness, key_.shape.variables);
    checkScalars<Fr>(context, aligned.words(), key_.shape.variables);
    Array<Fr> result(context.memory, count, Content::SECRET);
    key_.matrix(matrix).multiply(context, key_.coefficients(), reinterpret_cast<const Fr *>(aligned.words()), count,
                                 result.data());
    for (size_t i = 0; i < count; i++) result[i].toCanonical(result[i].limb);
    std::memcpy(rows, static_cast<const void *>(result.data()), result.bytes());
  }

 private:
  static constexpr size_t FILE_PIECE = size_t{16} << 20, FILE_GRAIN = size_t{1} << 20;

  template <class F>
  static void multiplyGenerator(const Context &context, const Affine<F> &generator, const uint64_t *scalars,
                                uint64_t count, uint8_t *points) {
    FixedBase<typename Curve::Fr, F>(context, generator, count).multiply(scalars, count, points);
  }

  ProvingKey<Curve> key_;
};

template <class Curve>
class EngineOf : public Engine {
 public:
  using Fr = typename Curve::Fr;
  using Fp = typename Curve::Fp;
  using Fp2 = typename Curve::Fp2;

  size_t pointBytes(cuzk_group group) const override {
    return group == CUZK_G1 ? sizeof(typename Curve::G1) : sizeof(typename Curve::G2);
  }
  uint64_t singlePointsBytes() const override { return ProvingKey<Curve>::SINGLE_BYTES; }

  std::unique_ptr<EngineKey> createKey(const Context &context, const cuzk_shape &shape, const cuzk_plan &plan,
                                       cuzk_point_encoding encoding, const void *singlePoints) const override {
    return std::make_unique<EngineKeyOf<Curve>>(context, shape, static_cast<unsigned>(plan.table_levels), encoding,
                                                singlePoints);
  }

  double msm(const Context &context, cuzk_group group, cuzk_point_encoding encoding, const void *points,
             const void *scalars, uint64_t count, void *result) const override {
    return group == CUZK_G1 ? msmOf<Fp>(context, encoding, points, scalars, count, result)
                            : msmOf<Fp2>(context, encoding, points, scalars, count, result);
  }
  uint64_t msmBytes(cuzk_group group, uint64_t count, unsigned threads) const override {
    return count * pointBytes(group) +
           (group == CUZK_G1 ? cuzk::msmBytes<Fr, Fp>(count, threads) : cuzk::msmBytes<Fr, Fp2>(count, threads));
  }

  void fixedBase(const Context &context, cuzk_group group, const void *base, const void *scalars, uint64_t count,
                 void *points) const override {
    if (group == CUZK_G1) {
      fixedBaseOf<Fp>(context, base, scalars, count, points);
    } else {
      fixedBaseOf<Fp2>(context, base, scalars, count, points);
    }
  }
  uint64_t fixedBaseBytes(cuzk_group group, uint64_t count, unsigned threads) const override {
    return group == CUZK_G1 ? FixedBase<Fr, Fp>::bytes(count, threads) : FixedBase<Fr, Fp2>::bytes(count, threads);
  }

  double ntt(const Context &context, cuzk_quotient quotient, bool inverse, unsigned log, const void *cosetShift,
             void *values) const override {
    uint64_t shift[4] = {1};
    if (cosetShift != nullptr) std::memcpy(shift, cosetShift, sizeof shift);
    if (!Fr::isBelowModulus(shift)) throw Failure(CUZK_INVALID_SCALAR, "the coset shift is not below the group order");
    require((shift[0] | shift[1] | shift[2] | shift[3]) != 0, "the coset shift is zero");
    size_t size = size_t{1} << log;
    Array<Fr> elements(context.memory, size, Content::SECRET);
    std::memcpy(static_cast<void *>(elements.data()), values, elements.bytes());
    checkScalars<Fr>(context, values, size);
    Domain<Curve> domain(context, log,
                         quotient == CUZK_QUOTIENT_ODD_COSET ? RootOfUnity::ODD_COSET : RootOfUnity::MONOMIAL);
    context.forRange(size, GRAIN, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; i++) elements[i] = Fr::fromCanonical(elements[i].limb);
    });
    auto start = std::chrono::steady_clock::now();
    transform(context, domain, inverse, Fr::fromCanonical(shift), elements.data());
    double ms = millisecondsSince(start);
    context.forRange(size, GRAIN, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; i++) elements[i].toCanonical(elements[i].limb);
    });
    std::memcpy(values, static_cast<const void *>(elements.data()), elements.bytes());
    return ms;
  }
  uint64_t nttBytes(unsigned log) const override {
    return (sizeof(Fr) << log) + Domain<Curve>::bytes(log) + Domain<Curve>::workBytes(log, maximumThreads());
  }

 private:
  static constexpr size_t GRAIN = 1 << 12;

  static double millisecondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }

  template <class F>
  double msmOf(const Context &context, cuzk_point_encoding encoding, const void *points, const void *scalars,
               uint64_t count, void *result) const {
    Array<Affine<F>> read(context.memory, count);
    readPoints<Curve>(context, pointEncoding(encoding), points, 0, count, read.data());
    AlignedScalars aligned(context, scalars, count);
    checkScalars<Fr>(context, aligned.words(), count);
    auto start = std::chrono::steady_clock::now();
    Affine<F> sum = cuzk::msm<Fr>(context, PointSource<F>{read.data()}, aligned.words(), count).toAffine();
    double ms = millisecondsSince(start);
    writePoint(sum, static_cast<uint8_t *>(result));
    return ms;
  }

  template <class F>
  void fixedBaseOf(const Context &context, const void *base, const void *scalars, uint64_t count, void *points) const {
    Affine<F> point;
    readPoints<Curve>(context, PointEncoding::MONTGOMERY_LE, base, 0, 1, &point);
    AlignedScalars aligned(context, scalars, count);
    checkScalars<Fr>(context, aligned.words(), count);
    FixedBase<Fr, F>(context, point, count).multiply(aligned.words(), count, static_cast<uint8_t *>(points));
  }
};

template <class Arithmetic>
const Engine &engineOf(cuzk_curve curve) {
  static const EngineOf<Bn254<Arithmetic>> bn254;
  static const EngineOf<Bls12381<Arithmetic>> bls12381;
  return curve == CUZK_BN254 ? static_cast<const Engine &>(bn254) : static_cast<const Engine &>(bls12381);
}

}  // namespace cuzk
