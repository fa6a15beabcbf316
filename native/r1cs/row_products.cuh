// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/piece_stream.hpp"
#include "r1cs/device_matrix.cuh"

namespace cuzk::gpu {

// Some rows of a constraint matrix, or those of their terms that are on the device at the moment.
template <class Fr>
struct RowBlock {
  MatrixView<Fr> matrix;  // starts[0] is the first row's; terms are counted as in the whole matrix
  uint32_t firstRow, rows;
  uint64_t firstTerm, lastTerm;

  struct Range {
    uint64_t begin, end;
    bool isLong;
  };
  __device__ __forceinline__ Range range(uint32_t row) const {
    const uint64_t begin = matrix.starts[row], end = matrix.starts[row + 1];
    return {begin < firstTerm ? firstTerm : begin, end < lastTerm ? end : lastTerm, end - begin > needs::LONG_ROW};
  }
};

// result[row] += the sum of the row's terms, for rows that a thread each can sum.
template <class Fr>
__global__ void __launch_bounds__(BLOCK) addShortRows(RowBlock<Fr> block, const Fr *witness, Fr *result) {
  const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
  if (row >= block.rows) return;
  const auto range = block.range(row);
  if (range.isLong || range.begin >= range.end) return;
  Fr sum = result[row];
  for (uint64_t i = range.begin; i < range.end; i++) sum = sum + block.matrix.product(i, witness);
  result[row] = sum;
}

// The same for the others, a block each.
template <class Fr>
__global__ void __launch_bounds__(BLOCK)
    addLongRows(RowBlock<Fr> block, const Fr *witness, const uint32_t *longRows, Fr *result) {
  __shared__ uint64_t shared[BLOCK * Fr::LIMBS];
  Fr *sums = reinterpret_cast<Fr *>(shared);
  const uint32_t row = longRows[blockIdx.x] - block.firstRow;
  const auto range = block.range(row);
  Fr sum = Fr::zero();
  for (uint64_t i = range.begin + threadIdx.x; i < range.end; i += BLOCK) sum = sum + block.matrix.product(i, witness);
  sums[threadIdx.x] = sum;
  for (unsigned width = BLOCK / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width) sums[threadIdx.x] = sums[threadIdx.x] + sums[threadIdx.x + width];
  }
  if (threadIdx.x == 0) result[row] = result[row] + sums[0];
}

template <class Fr>
void addRows(Context &context, const RowBlock<Fr> &block, const uint32_t *longRows, size_t longCount, const Fr *witness,
             Fr *result) {
  addShortRows<<<blocks(block.rows), BLOCK, 0, context.stream>>>(block, witness, result);
  checkLaunch("addShortRows");
  if (longCount == 0) return;
  addLongRows<<<static_cast<unsigned>(longCount), BLOCK, 0, context.stream>>>(block, witness, longRows, result);
  checkLaunch("addLongRows");
}

// Rows of a matrix, to be multiplied in a known order.
struct RowRange {
  unsigned matrix;
  uint32_t first, count;
};

// A constraint matrix in the host's memory, cut into pieces that fit a slot of device memory.
template <class HostFr>
class MatrixPieces {
 public:
  using Matrix = SparseMatrix<HostFr>;

  struct Piece {
    const Matrix *matrix;
    const std::vector<uint32_t> *longRows;
    uint32_t firstRow, rows;
    uint64_t firstTerm, lastTerm;
    size_t firstLong, lastLong;
    bool last;  // of its range
  };
  // Where the parts of a piece lie in its slot.
  struct Layout {
    size_t starts, longRows, terms;

    static Layout of(uint32_t rows, size_t longCount) {
      Layout layout{};
      layout.starts = 0;
      layout.longRows = Arena::rounded((size_t(rows) + 1) * sizeof(uint64_t));
      layout.terms = layout.longRows + Arena::rounded(longCount * sizeof(uint32_t));
      return layout;
    }
  };

  // The pieces of rows of a matrix, in order.
  static void cut(const Matrix &matrix, const std::vector<uint32_t> &longRows, const RowRange &range,
                  std::vector<Piece> &pieces) {
    if (matrix.isEmpty()) return;
    const uint64_t begin = matrix.starts()[range.first], end = matrix.starts()[range.first + range.count];
    const size_t firstLong = place(longRows, range.first), lastLong = place(longRows, range.first + range.count);
    for (uint64_t first = begin; first < end;) {
      const uint64_t last = std::min(end, first + needs::TERMS_A_PIECE);
      pieces.push_back({&matrix, &longRows, range.first, range.count, first, last, firstLong, lastLong, last == end});
      first = last;
    }
  }

  static void load(UploadRing &ring, ThreadPool &pool, const Piece &piece, char *slot, cudaStream_t stream,
                   const std::atomic<bool> *cancelled) {
    const size_t longCount = piece.lastLong - piece.firstLong;
    const Layout layout = Layout::of(piece.rows, longCount);
    const auto copy = [&](const void *from, size_t offset, size_t bytes) {
      ring.copy(pool, HostSource(from), slot + offset, bytes, stream, Content::PUBLIC, cancelled);
    };
    copy(piece.matrix->starts() + piece.firstRow, layout.starts, (size_t(piece.rows) + 1) * sizeof(uint64_t));
    copy(piece.longRows->data() + piece.firstLong, layout.longRows, longCount * sizeof(uint32_t));
    copy(piece.matrix->terms() + piece.firstTerm, layout.terms,
         (piece.lastTerm - piece.firstTerm) * sizeof(typename Matrix::Term));
  }

 private:
  static size_t place(const std::vector<uint32_t> &rows, uint32_t row) {
    return static_cast<size_t>(std::lower_bound(rows.begin(), rows.end(), row) - rows.begin());
  }
};

}  // namespace cuzk::gpu
