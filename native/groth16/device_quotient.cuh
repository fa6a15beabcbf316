// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "groth16/device_prover.cuh"
#include "r1cs/row_products.cuh"

namespace cuzk::gpu {

// a = a - c, canonical.
template <class Fr>
__global__ void __launch_bounds__(BLOCK) subtractToCanonical(Fr *a, const Fr *c, uint32_t count) {
  const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= count) return;
  Fr result;
  (a[i] - c[i]).toCanonical(result.limb);
  a[i] = result;
}

// Products of rows with a witness, in an order told beforehand, so that a streamed key's pieces come in time.
template <class Set>
class RowProducts {
 public:
  using Fr = typename Set::Fr;
  using Pieces = MatrixPieces<typename Set::Host::Fr>;
  using Piece = typename Pieces::Piece;

  RowProducts(Gpu &gpu, const cuzk::Context &host, Context &context, const DeviceKey<Set> &key,
              std::vector<RowRange> ranges)
      : context_(context), key_(key), ranges_(std::move(ranges)) {
    if (!key.isStreamed()) return;
    for (const RowRange &range : ranges_) {
      Pieces::cut(key.hostMatrix(range.matrix), key.longRows(range.matrix), range, pieces_);
    }
    const uint64_t slotBytes = needs::matrixSlotBytes(key.shape);
    char *first = context.arena.template take<char>(slotBytes), *second = context.arena.template take<char>(slotBytes);
    stream_ = std::make_unique<PieceStream>(
        gpu, first, second, pieces_.size(), [this, &gpu, &host](size_t piece, char *slot, cudaStream_t stream) {
          Pieces::load(gpu.ring, host.pool, pieces_[piece], slot, stream, host.cancelled);
        });
  }

  // The products of the next range of rows.
  void next(const Fr *witness, Fr *result) {
    const RowRange range = ranges_[nextRange_++];
    check(cudaMemsetAsync(static_cast<void *>(result), 0, range.count * sizeof(Fr), context_.stream), "clearing rows");
    if (!key_.hasMatrix(range.matrix)) return;
    if (key_.isStreamed()) {
      addStreamed(range, witness, result);
    } else {
      addResident(range, witness, result);
    }
  }

 private:
  void addResident(const RowRange &range, const Fr *witness, Fr *result) {
    const DeviceMatrix<Fr> &matrix = key_.matrix(range.matrix);
    MatrixView<Fr> view = matrix.view(key_.coefficients());
    view.starts += range.first;
    const size_t firstLong = matrix.longRowsBefore(range.first);
    addRows(context_, RowBlock<Fr>{view, range.first, range.count, 0, UINT64_MAX}, matrix.longRows() + firstLong,
            matrix.longRowsBefore(range.first + range.count) - firstLong, witness, result);
  }
  void addStreamed(const RowRange &range, const Fr *witness, Fr *result) {
    const uint64_t *starts = key_.hostMatrix(range.matrix).starts();
    if (starts[range.first] == starts[range.first + range.count]) return;  // no terms, no pieces
    for (bool last = false; !last;) {
      const Piece &piece = pieces_[nextPiece_++];
      last = piece.last;
      const char *slot = stream_->next();
      const size_t longCount = piece.lastLong - piece.firstLong;
      const auto layout = Pieces::Layout::of(piece.rows, longCount);
      const MatrixView<Fr> view{
          reinterpret_cast<const uint64_t *>(slot + layout.starts),
          reinterpret_cast<const typename MatrixView<Fr>::Term *>(slot + layout.terms) - piece.firstTerm,
          key_.coefficients()};
      addRows(context_, RowBlock<Fr>{view, piece.firstRow, piece.rows, piece.firstTerm, piece.lastTerm},
              reinterpret_cast<const uint32_t *>(slot + layout.longRows), longCount, witness, result);
    }
  }

  Context &context_;
  const DeviceKey<Set> &key_;
  const std::vector<RowRange> ranges_;
  std::vector<Piece> pieces_;
  size_t nextRange_ = 0, nextPiece_ = 0;
  std::unique_ptr<PieceStream> stream_;
};

// The H query's scalars with no more than two vectors of the domain's size in memory, the result being one: c comes
// when b is not needed any more. Where c is the product of A w and B w these are computed once more, some rows at a
// time.
template <class Set>
class DeviceQuotient {
 public:
  using Fr = typename Set::Fr;

  DeviceQuotient(Gpu &gpu, const cuzk::Context &host, Context &context, const DeviceKey<Set> &key, EventClock &clock)
      : gpu_(gpu), host_(host), context_(context), key_(key), clock_(clock), rows_(static_cast<uint32_t>(key.rows())) {}

  void compute(const Fr *witness, Fr *result) {
    Arena::Scope scope(context_.arena);
    Fr *other = context_.arena.template take<Fr>(rows_);
    piece_ = context_.arena.template take<Fr>(std::min<uint64_t>(rows_, needs::ROWS_A_PIECE));
    RowProducts<Set> products(gpu_, host_, context_, key_, order());
    multiply(products, witness, result);
    toCoset(result);
    multiply(products, witness, other);
    toCoset(other);
    clock_.measure(CUZK_STAGE_NTT, [&] {
      multiplyValues<<<blocks(rows_), BLOCK, 0, context_.stream>>>(result, other, rows_, result);
      checkLaunch("multiplyValues");
    });
    if (key_.hasMatrix(2)) {
      multiply(products, witness, other);
    } else {
      multiplyBoth(products, witness, other);
    }
    clock_.measure(CUZK_STAGE_NTT, [&] { isOdd() ? finishOddCoset(result, other) : finishMonomial(result, other); });
  }

 private:
  bool isOdd() const { return key_.shape.quotient == CUZK_QUOTIENT_ODD_COSET; }

  template <class Body>
  void forEachPiece(const Body &body) const {
    const auto most = static_cast<uint32_t>(needs::ROWS_A_PIECE);
    for (uint32_t first = 0; first < rows_; first += most) body(first, std::min(most, rows_ - first));
  }
  std::vector<RowRange> order() const {
    std::vector<RowRange> ranges;
    const auto all = [&](unsigned matrix) {
      forEachPiece([&](uint32_t first, uint32_t count) { ranges.push_back({matrix, first, count}); });
    };
    all(0);
    all(1);
    if (key_.hasMatrix(2)) {
      all(2);
    } else {
      forEachPiece([&](uint32_t first, uint32_t count) {
        ranges.push_back({0, first, count});
        ranges.push_back({1, first, count});
      });
    }
    return ranges;
  }

  void stopIfCancelled() const {
    if (host_.cancelled != nullptr && host_.cancelled->load()) throw Failure(CUZK_CANCELLED, "the job was cancelled");
  }
  void multiply(RowProducts<Set> &products, const Fr *witness, Fr *result) {
    stopIfCancelled();
    clock_.measure(CUZK_STAGE_SPARSE_PRODUCT,
                   [&] { forEachPiece([&](uint32_t first, uint32_t) { products.next(witness, result + first); }); });
  }
  void multiplyBoth(RowProducts<Set> &products, const Fr *witness, Fr *result) {
    stopIfCancelled();
    clock_.measure(CUZK_STAGE_SPARSE_PRODUCT, [&] {
      forEachPiece([&](uint32_t first, uint32_t count) {
        products.next(witness, result + first);
        products.next(witness, piece_);
        multiplyValues<<<blocks(count), BLOCK, 0, context_.stream>>>(result + first, piece_, count, result + first);
        checkLaunch("multiplyValues");
      });
    });
  }

  void toCoset(Fr *values) {
    clock_.measure(CUZK_STAGE_NTT, [&] { shift(values); });
  }
  void shift(Fr *values) {
    const DeviceNtt<Fr> &domain = key_.domain();
    domain.toReversed(context_, values, 1, true);
    domain.scale(context_, values, 1, key_.shift(), true);
    domain.toNatural(context_, values, 1, false);
  }

  // a = a b - c on the odd coset, a b being there already.
  void finishOddCoset(Fr *a, Fr *c) {
    shift(c);
    subtractToCanonical<<<blocks(rows_), BLOCK, 0, context_.stream>>>(a, c, rows_);
    checkLaunch("subtractToCanonical");
  }
  void finishMonomial(Fr *a, Fr *c) {
    const DeviceNtt<Fr> &domain = key_.domain();
    domain.toReversed(context_, c, 1, true);
    domain.toReversed(context_, a, 1, true);
    domain.scale(context_, a, 1, key_.unshift(), true);
    const Fr generator = Fr::fromLimbs(Set::Constants::COSET_GENERATOR);
    const Fr factor = (generator.power(rows_) - Fr::one()).inverse() * Fr::fromInteger(rows_).inverse();
    monomialScalars<<<blocks(rows_), BLOCK, 0, context_.stream>>>(a, c, factor, rows_);
    checkLaunch("monomialScalars");
    domain.reverse(context_, a);
  }

  Gpu &gpu_;
  const cuzk::Context &host_;
  Context &context_;
  const DeviceKey<Set> &key_;
  EventClock &clock_;
  const uint32_t rows_;
  Fr *piece_ = nullptr;
};

}  // namespace cuzk::gpu
