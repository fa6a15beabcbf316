// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/gpu.hpp"
#include "cuda/needs.hpp"
#include "cuda/runtime.cuh"
#include "field/arithmetic_cuda.cuh"
#include "r1cs/matrix.hpp"

namespace cuzk::gpu {

// A constraint matrix in device memory: terms by row, coefficients by number, as on the CPU. A thread sums a short row,
// a block a long one.
template <class Fr>
struct MatrixView {
  struct Term {
    uint32_t column, coefficient;
  };
  const uint64_t *starts;
  const Term *terms;
  const Fr *coefficients;  // times R^2, so that products with canonical values are in Montgomery form

  __device__ __forceinline__ Fr product(uint64_t i, const Fr *canonicalWitness) const {
    const Term term = terms[i];
    return coefficients[term.coefficient] * canonicalWitness[term.column];
  }
};

template <class Fr>
__global__ void __launch_bounds__(BLOCK)
    multiplyShortRows(MatrixView<Fr> matrix, const Fr *witness, uint32_t rows, Fr *result) {
  const uint32_t row = blockIdx.x * BLOCK + threadIdx.x;
  if (row >= rows) return;
  const uint64_t begin = matrix.starts[row], end = matrix.starts[row + 1];
  if (end - begin > needs::LONG_ROW) return;
  Fr sum = Fr::zero();
  for (uint64_t i = begin; i < end; i++) sum = sum + matrix.product(i, witness);
  result[row] = sum;
}

template <class Fr>
__global__ void __launch_bounds__(BLOCK)
    multiplyLongRows(MatrixView<Fr> matrix, const Fr *witness, const uint32_t *longRows, Fr *result) {
  __shared__ uint64_t shared[BLOCK * Fr::LIMBS];
  Fr *sums = reinterpret_cast<Fr *>(shared);
  const uint32_t row = longRows[blockIdx.x];
  Fr sum = Fr::zero();
  for (uint64_t i = matrix.starts[row] + threadIdx.x; i < matrix.starts[row + 1]; i += BLOCK) {
    sum = sum + matrix.product(i, witness);
  }
  sums[threadIdx.x] = sum;
  for (unsigned width = BLOCK / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width) sums[threadIdx.x] = sums[threadIdx.x] + sums[threadIdx.x + width];
  }
  if (threadIdx.x == 0) result[row] = sums[0];
}

template <class Fr>
__global__ void __launch_bounds__(BLOCK) multiplyValues(const Fr *a, const Fr *b, uint32_t count, Fr *result) {
  const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < count) result[i] = a[i] * b[i];
}

// Rows with more terms than one thread should sum.
template <class HostFr>
std::vector<uint32_t> longRowsOf(const SparseMatrix<HostFr> &matrix, size_t rows) {
  std::vector<uint32_t> result;
  if (matrix.isEmpty()) return result;
  for (size_t row = 0; row < rows; row++) {
    if (matrix.starts()[row + 1] - matrix.starts()[row] > needs::LONG_ROW) {
      result.push_back(static_cast<uint32_t>(row));
    }
  }
  return result;
}

template <class Fr>
class DeviceMatrix {
 public:
  using View = MatrixView<Fr>;
  using Term = typename View::Term;

  DeviceMatrix() = default;
  template <class HostFr>
  DeviceMatrix(MemoryAccount &account, cudaStream_t stream, const SparseMatrix<HostFr> &matrix, size_t rows) {
    static_assert(sizeof(Term) == sizeof(typename SparseMatrix<HostFr>::Term), "terms are uploaded as they are");
    if (matrix.isEmpty()) return;
    hostLongRows_ = longRowsOf(matrix, rows);
    starts_ = uploaded(account, stream, matrix.starts(), rows + 1);
    terms_ = uploaded(account, stream, reinterpret_cast<const Term *>(matrix.terms()), matrix.termCount());
    longRows_ = uploaded(account, stream, hostLongRows_.data(), hostLongRows_.size());
  }

  bool isEmpty() const { return terms_.size() == 0; }
  View view(const Fr *coefficients) const { return {starts_.data(), terms_.data(), coefficients}; }
  const uint32_t *longRows() const { return longRows_.data(); }
  // Where the long rows from `row` on begin in the list of them.
  size_t longRowsBefore(uint32_t row) const {
    return static_cast<size_t>(std::lower_bound(hostLongRows_.begin(), hostLongRows_.end(), row) -
                               hostLongRows_.begin());
  }

  // rows[i] = sum_j M_ij w_j in Montgomery form; `witness` canonical.
  void multiply(Context &context, const Fr *coefficients, const Fr *witness, uint32_t rows, Fr *result) const {
    if (isEmpty()) {
      check(cudaMemsetAsync(static_cast<void *>(result), 0, rows * sizeof(Fr), context.stream), "empty product");
      return;
    }
    const View view{starts_.data(), terms_.data(), coefficients};
    multiplyShortRows<<<blocks(rows), BLOCK, 0, context.stream>>>(view, witness, rows, result);
    checkLaunch("multiplyShortRows");
    if (longRows_.size() == 0) return;
    multiplyLongRows<<<static_cast<unsigned>(longRows_.size()), BLOCK, 0, context.stream>>>(view, witness,
                                                                                            longRows_.data(), result);
    checkLaunch("multiplyLongRows");
  }

 private:
  DeviceArray<uint64_t> starts_;
  DeviceArray<Term> terms_;
  DeviceArray<uint32_t> longRows_;
  std::vector<uint32_t> hostLongRows_;
};

}  // namespace cuzk::gpu
