// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "cuda/needs.hpp"
#include "cuda/runtime.cuh"

namespace cuzk::gpu {

// Number-theoretic transforms of size n = 2^L on the device, several polynomials at once.
//
// Stages are grouped into passes of up to MAXIMUM_STAGES; a pass reads every element once into shared memory.
// Decimation in frequency turns natural into bit-reversed order, decimation in time turns it back, so that a transform
// and its counterpart on a coset need no reordering between them.
//
// In a pass over stages with halves 2^(s + q), q < k, the element at index high 2^(s + k) + row 2^s + column is row
// `row` of a small transform; a block takes COLUMNS neighbouring columns, so that its reads are of whole sectors.
namespace ntt {

constexpr unsigned MAXIMUM_STAGES = 8;
constexpr unsigned COLUMN_BITS = 2;
constexpr unsigned THREADS = 512;  // one butterfly each in the largest pass

template <class Fr>
__device__ __forceinline__ Fr load(const uint64_t *shared, unsigned elements, unsigned i) {
  Fr value;
#pragma unroll
  for (unsigned limb = 0; limb < Fr::LIMBS; limb++) value.limb[limb] = shared[limb * elements + i];
  return value;
}
template <class Fr>
__device__ __forceinline__ void store(uint64_t *shared, unsigned elements, unsigned i, const Fr &value) {
#pragma unroll
  for (unsigned limb = 0; limb < Fr::LIMBS; limb++) shared[limb * elements + i] = value.limb[limb];
}

// w^e for e < n/2, or w^-e = -w^(n/2 - e).
template <class Fr, bool INVERSE>
__device__ __forceinline__ Fr twiddle(const Fr *roots, uint32_t exponent, uint32_t half) {
  if (!INVERSE || exponent == 0) return roots[exponent];
  return -roots[half - exponent];
}

template <class Fr, bool INVERSE, bool FREQUENCY>
__global__ void __launch_bounds__(THREADS)
    pass(Fr *values, unsigned log2Size, unsigned s, unsigned k, unsigned columnBits, const Fr *roots) {
  extern __shared__ uint64_t shared[];
  const unsigned elements = 1u << (k + columnBits);
  const unsigned columns = 1u << columnBits;
  const uint32_t groups = 1u << (s - columnBits);  // of columns
  const uint32_t high = blockIdx.x / groups;
  const uint32_t firstColumn = blockIdx.x % groups << columnBits;
  Fr *base = values + (size_t(blockIdx.y) << log2Size) + (size_t(high) << (s + k)) + firstColumn;
  for (unsigned i = threadIdx.x; i < elements; i += blockDim.x) {
    store(shared, elements, i, base[(size_t(i >> columnBits) << s) + (i & (columns - 1))]);
  }
  for (unsigned step = 0; step < k; step++) {
    const unsigned q = FREQUENCY ? k - 1 - step : step;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < elements / 2; i += blockDim.x) {
      const unsigned column = i & (columns - 1), pair = i >> columnBits;
      const unsigned inner = pair & ((1u << q) - 1);
      const unsigned row = (pair >> q << (q + 1)) | inner;
      const unsigned left = row << columnBits | column, right = left + (1u << (q + columnBits));
      const uint32_t exponent = (inner << s | (firstColumn + column)) << (log2Size - 1 - q - s);
      const Fr w = twiddle<Fr, INVERSE>(roots, exponent, 1u << (log2Size - 1));
      const Fr a = load<Fr>(shared, elements, left);
      Fr b = load<Fr>(shared, elements, right);
      if (FREQUENCY) {
        store(shared, elements, left, a + b);
        store(shared, elements, right, (a - b) * w);
      } else {
        b = b * w;
        store(shared, elements, left, a + b);
        store(shared, elements, right, a - b);
      }
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < elements; i += blockDim.x) {
    base[(size_t(i >> columnBits) << s) + (i & (columns - 1))] = load<Fr>(shared, elements, i);
  }
}

// powers[i] = base^i, from base^(2^j), j < bits.
template <class Fr>
__global__ void __launch_bounds__(BLOCK) fillPowers(Fr *powers, uint32_t count, const Fr *squarings) {
  const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= count) return;
  Fr value = Fr::one();
  for (unsigned bit = 0; i >> bit; bit++) {
    if (i >> bit & 1) value = value * squarings[bit];
  }
  powers[i] = value;
}

template <class Fr>
__global__ void __launch_bounds__(BLOCK) multiplyAll(Fr *values, uint32_t count, Fr constant) {
  const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < count) values[i] = values[i] * constant;
}

constexpr unsigned LOW_BITS = needs::LOW_BITS;

// values[i] *= constant factor^j, where j is i, or i with its bits reversed. low[i] = constant factor^i,
// high[i] = factor^(i 2^LOW_BITS).
template <class Fr>
__global__ void __launch_bounds__(BLOCK)
    scale(Fr *values, unsigned log2Size, const Fr *low, const Fr *high, bool reversed) {
  const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >> log2Size) return;
  const uint32_t j = reversed && log2Size > 0 ? __brev(i) >> (32 - log2Size) : i;
  Fr *value = values + (size_t(blockIdx.y) << log2Size) + i;
  *value = *value * (low[j & ((1u << LOW_BITS) - 1)] * high[j >> LOW_BITS]);
}

template <class Fr>
__global__ void __launch_bounds__(BLOCK) reverse(Fr *values, unsigned log2Size) {
  const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >> log2Size || log2Size == 0) return;
  const uint32_t j = __brev(i) >> (32 - log2Size);
  if (j <= i) return;
  const Fr value = values[i];
  values[i] = values[j];
  values[j] = value;
}

}  // namespace ntt

// Powers of one element as two small tables: enough for every factor^i, i < 2^bits, with one product.
template <class Fr>
class PowerTable {
 public:
  // `constant` multiplies every power. Memory for needs::powerTableElements(bits) values.
  PowerTable(cudaStream_t stream, Fr *memory, unsigned bits, const Fr &factor, const Fr &constant) {
    Fr squarings[needs::SQUARINGS];
    Fr square = factor;
    for (unsigned i = 0; i < needs::SQUARINGS; i++) squarings[i] = square, square = square.square();
    Fr *deviceSquarings = memory;
    check(cudaMemcpyAsync(deviceSquarings, squarings, sizeof(squarings), cudaMemcpyHostToDevice, stream),
          "upload of powers");
    low_ = memory + needs::SQUARINGS;
    Fr *high = low_ + (size_t(1) << ntt::LOW_BITS);
    ntt::fillPowers<<<blocks(size_t(1) << ntt::LOW_BITS), BLOCK, 0, stream>>>(low_, 1u << ntt::LOW_BITS,
                                                                              deviceSquarings);
    ntt::fillPowers<<<blocks(highCount(bits)), BLOCK, 0, stream>>>(high, static_cast<uint32_t>(highCount(bits)),
                                                                   deviceSquarings + ntt::LOW_BITS);
    high_ = high;
    ntt::multiplyAll<<<blocks(size_t(1) << ntt::LOW_BITS), BLOCK, 0, stream>>>(low_, 1u << ntt::LOW_BITS, constant);
    checkLaunch("powers");
    check(cudaStreamSynchronize(stream), "powers");
  }

  const Fr *low() const { return low_; }
  const Fr *high() const { return high_; }

 private:
  static size_t highCount(unsigned bits) { return bits > ntt::LOW_BITS ? size_t(1) << (bits - ntt::LOW_BITS) : 1; }

  Fr *low_;
  const Fr *high_;
};

// The transforms over one domain; its table of n/2 roots lies in memory of the caller.
template <class Fr>
class DeviceNtt {
 public:
  // Memory for needs::rootTableElements(log2Size) values.
  DeviceNtt(cudaStream_t stream, Fr *memory, unsigned log2Size, const Fr &root) : log2Size_(log2Size), roots_(memory) {
    const size_t count = needs::rootTableElements(log2Size) - needs::SQUARINGS;
    Fr squarings[needs::SQUARINGS];
    Fr square = root;
    for (unsigned i = 0; i < needs::SQUARINGS; i++) squarings[i] = square, square = square.square();
    Fr *deviceSquarings = memory + count;
    check(cudaMemcpyAsync(deviceSquarings, squarings, sizeof(squarings), cudaMemcpyHostToDevice, stream),
          "upload of roots");
    ntt::fillPowers<<<blocks(count), BLOCK, 0, stream>>>(memory, static_cast<uint32_t>(count), deviceSquarings);
    checkLaunch("roots");
    check(cudaStreamSynchronize(stream), "roots");
  }

  unsigned log2Size() const { return log2Size_; }

  // Natural order in, bit-reversed out, for `batch` polynomials that follow each other; not divided by n.
  void toReversed(Context &context, Fr *values, unsigned batch, bool inverse) const {
    unsigned left = log2Size_;
    while (left > 0) {
      const unsigned k = stages(left);
      left -= k;
      launch<true>(context, values, batch, left, k, inverse);
    }
  }
  // Bit-reversed order in, natural out.
  void toNatural(Context &context, Fr *values, unsigned batch, bool inverse) const {
    unsigned done = 0;
    while (done < log2Size_) {
      const unsigned k = stages(log2Size_ - done);
      launch<false>(context, values, batch, done, k, inverse);
      done += k;
    }
  }

  // values[j] *= table's power j, values in natural or bit-reversed order.
  void scale(Context &context, Fr *values, unsigned batch, const PowerTable<Fr> &powers, bool reversed) const {
    ntt::scale<<<dim3(blocks(size_t(1) << log2Size_), batch), BLOCK, 0, context.stream>>>(
        values, log2Size_, powers.low(), powers.high(), reversed);
    checkLaunch("scale");
  }
  void reverse(Context &context, Fr *values) const {
    ntt::reverse<<<blocks(size_t(1) << log2Size_), BLOCK, 0, context.stream>>>(values, log2Size_);
    checkLaunch("reverse");
  }

 private:
  // Stages of the next pass, so that passes are about equally long.
  static unsigned stages(unsigned left) {
    const unsigned passes = (left + ntt::MAXIMUM_STAGES - 1) / ntt::MAXIMUM_STAGES;
    return (left + passes - 1) / passes;
  }

  template <bool FREQUENCY>
  void launch(Context &context, Fr *values, unsigned batch, unsigned s, unsigned k, bool inverse) const {
    const unsigned columnBits = s < ntt::COLUMN_BITS ? s : ntt::COLUMN_BITS;
    const unsigned elementBits = k + columnBits;
    const dim3 grid(1u << (log2Size_ - elementBits), batch);
    const unsigned threads = elementBits > 9 ? ntt::THREADS : (elementBits > 5 ? 1u << (elementBits - 1) : 32);
    const size_t bytes = sizeof(Fr) << elementBits;
    if (inverse) {
      ntt::pass<Fr, true, FREQUENCY>
          <<<grid, threads, bytes, context.stream>>>(values, log2Size_, s, k, columnBits, roots_);
    } else {
      ntt::pass<Fr, false, FREQUENCY>
          <<<grid, threads, bytes, context.stream>>>(values, log2Size_, s, k, columnBits, roots_);
    }
    checkLaunch("NTT pass");
  }

  unsigned log2Size_;
  const Fr *roots_;
};

}  // namespace cuzk::gpu
