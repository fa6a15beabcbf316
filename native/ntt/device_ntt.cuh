// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "cuda/needs.hpp"
#include "cuda/runtime.cuh"

namespace cuzk::gpu {

// Number-theoretic transforms of size n = 2^L on the device, several polynomials at once.
//
// Stages are grouped into passes (needs::Passes); a pass reads every element once. Decimation in frequency turns
// natural into bit-reversed order, decimation in time turns it back, so that a transform and its counterpart on a coset
// need no reordering between them.
//
// In a pass over stages with halves 2^(s + q), q < k, the element at index high 2^(s + k) + row 2^s + column is row
// `row` of a small transform; a block takes COLUMNS neighbouring columns, so that its reads are of whole sectors. In
// the pass with s = 0 it takes neighbouring transforms instead. Within a pass, rounds of up to ROUND_STAGES stages work
// in registers and exchange elements through shared memory.
namespace ntt {

constexpr unsigned COLUMN_BITS = 2;
constexpr unsigned ELEMENT_BITS = 10;  // of a block, at most: 36 KiB of shared memory, which every GPU has
constexpr unsigned ROUND_STAGES = 2;   // more take too many registers to hide what loads wait for
constexpr unsigned THREADS = 256;

// What a block works on, and how.
template <class Fr>
struct Pass {
  Fr *values;
  const Fr *roots;  // w^e for e < 2^(s + k - 1), w of order 2^(s + k)
  unsigned log2Size, s, k, columnBits, elementBits;
  const Fr *low, *high;  // see scale(); nullptr: nothing is multiplied
};

// A block's elements in shared memory: two arrays of half elements, with a gap after every eighth, so that lanes that
// read with a stride of eight do not meet in one bank.
struct Exchange {
  uint4 *lower, *upper;

  __device__ __forceinline__ Exchange(uint4 *shared, unsigned elements)
      : lower(shared), upper(shared + elements + elements / 8 + 1) {}
  static size_t bytes(unsigned elements) { return 2 * sizeof(uint4) * (elements + elements / 8 + 1); }

  template <class Fr>
  __device__ __forceinline__ Fr load(unsigned i) const {
    static_assert(sizeof(Fr) == 2 * sizeof(uint4), "scalars of 256 bits");
    union {
      uint4 halves[2];
      Fr value;
    } element;
    element.halves[0] = lower[i + i / 8];
    element.halves[1] = upper[i + i / 8];
    return element.value;
  }
  template <class Fr>
  __device__ __forceinline__ void store(unsigned i, const Fr &value) const {
    union {
      Fr value;
      uint4 halves[2];
    } element;
    element.value = value;
    lower[i + i / 8] = element.halves[0];
    upper[i + i / 8] = element.halves[1];
  }
};

// w^e for e < half, or w^-e = -w^(half - e).
template <class Fr, bool INVERSE>
__device__ __forceinline__ Fr twiddle(const Fr *roots, uint32_t exponent, uint32_t half) {
  if (!INVERSE || exponent == 0) return loadWide(roots + exponent);
  return -loadWide(roots + (half - exponent));
}

// Stages q ... q + R - 1 of 2^R elements x[j], whose places differ in bits q ... of the row; `position` is the place
// below them, row and column. One product a butterfly; none where the twiddle factor is known to be one: in the lowest
// stages of the lowest pass.
template <class Fr, unsigned R, bool INVERSE, bool FREQUENCY, bool LOWEST>
class Butterflies {
 public:
  // Reads the twiddle factors: 2^t for stage q + t.
  __device__ __forceinline__ Butterflies(const Pass<Fr> &pass, unsigned q, uint32_t position) {
    const uint32_t half = 1u << (pass.s + pass.k - 1);
#pragma unroll
    for (unsigned t = 0; t < R; t++) {
#pragma unroll
      for (unsigned below = LOWEST ? 1 : 0; below < 1u << t; below++) {
        const uint32_t place = (below << (pass.s + q)) + position;
        factors_[(1u << t) - 1 + below] = twiddle<Fr, INVERSE>(pass.roots, place << (pass.k - 1 - q - t), half);
      }
    }
  }

  __device__ __forceinline__ void run(Fr *x) const {
#pragma unroll
    for (unsigned step = 0; step < R; step++) {
      const unsigned t = FREQUENCY ? R - 1 - step : step;
#pragma unroll
      for (unsigned above = 0; above < 1u << (R - 1 - t); above++) {
#pragma unroll
        for (unsigned below = 0; below < 1u << t; below++) {
          Fr &left = x[above << (t + 1) | below], &right = x[above << (t + 1) | 1u << t | below];
          const Fr a = left;
          if (FREQUENCY) {
            left = a + right;
            right = multiplied(a - right, t, below);
          } else {
            const Fr b = multiplied(right, t, below);
            left = a + b;
            right = a - b;
          }
        }
      }
    }
  }

 private:
  __device__ __forceinline__ Fr multiplied(const Fr &value, unsigned t, unsigned below) const {
    return LOWEST && below == 0 ? value : value * factors_[(1u << t) - 1 + below];
  }

  Fr factors_[(1u << R) - 1];
};

// values[i] times the table's power at i with its bits reversed.
template <class Fr>
__device__ __forceinline__ Fr scaled(const Pass<Fr> &pass, const Fr &value, uint32_t i) {
  const uint32_t j = pass.log2Size > 0 ? __brev(i) >> (32 - pass.log2Size) : 0;
  return value *
         (loadWide(pass.low + (j & ((1u << needs::LOW_BITS) - 1))) * loadWide(pass.high + (j >> needs::LOW_BITS)));
}

// A round over stages q ... q + R - 1 of the pass.
template <class Fr, unsigned R, bool INVERSE, bool FREQUENCY, bool LOWEST>
__device__ __forceinline__ void round(const Pass<Fr> &pass, const Exchange &exchange, Fr *base, uint32_t firstIndex,
                                      uint32_t firstColumn, unsigned q, bool isFirst, bool isLast) {
  const unsigned groups = 1u << (pass.elementBits - R), columns = 1u << pass.columnBits;
  for (unsigned g = threadIdx.x; g < groups; g += blockDim.x) {
    const unsigned column = g & (columns - 1), rest = g >> pass.columnBits;
    const unsigned lowRow = rest & ((1u << q) - 1);
    const unsigned row = (rest >> q << (q + R)) | lowRow;
    const Butterflies<Fr, R, INVERSE, FREQUENCY, LOWEST> butterflies(pass, q,
                                                                     lowRow << pass.s | (firstColumn + column));
    Fr x[1u << R];
#pragma unroll
    for (unsigned j = 0; j < 1u << R; j++) {
      x[j] = isFirst ? loadWide(base + (size_t(row + (j << q)) << pass.s) + column)
                     : exchange.template load<Fr>((row + (j << q)) << pass.columnBits | column);
    }
    butterflies.run(x);
#pragma unroll
    for (unsigned j = 0; j < 1u << R; j++) {
      if (!isLast) {
        exchange.store((row + (j << q)) << pass.columnBits | column, x[j]);
        continue;
      }
      const uint32_t place = ((row + (j << q)) << pass.s) + column;
      if (FREQUENCY && pass.low != nullptr) x[j] = scaled(pass, x[j], firstIndex + place);
      storeWide(base + place, x[j]);
    }
  }
}

// LOWEST: of the pass with s = 0.
template <class Fr, bool INVERSE, bool FREQUENCY, bool LOWEST>
__global__ void __launch_bounds__(THREADS, 3) transform(const Pass<Fr> pass, unsigned batch) {
  extern __shared__ uint64_t shared[];
  const Exchange exchange(reinterpret_cast<uint4 *>(shared), 1u << pass.elementBits);
  // The polynomials' blocks at one place follow each other, so that they share the twiddle factors in the cache.
  const uint32_t polynomial = blockIdx.x % batch, block = blockIdx.x / batch;
  const uint32_t groups = 1u << (pass.s - pass.columnBits);
  const uint32_t firstColumn = block % groups << pass.columnBits;
  const uint32_t firstIndex = (block / groups << (pass.s + pass.elementBits - pass.columnBits)) + firstColumn;
  Fr *base = pass.values + (size_t(polynomial) << pass.log2Size) + firstIndex;
  for (unsigned done = 0; done < pass.k;) {
    // A round of one stage, if there must be one, comes first on the way down and last on the way up.
    const unsigned left = pass.k - done;
    const unsigned r = FREQUENCY ? (left % ROUND_STAGES == 1 ? 1 : ROUND_STAGES) : (left == 1 ? 1 : ROUND_STAGES);
    const unsigned q = FREQUENCY ? left - r : done;
    const bool isFirst = done == 0, isLast = left == r;
    if (!isFirst) __syncthreads();
    if (r == 1) {
      round<Fr, 1, INVERSE, FREQUENCY, false>(pass, exchange, base, firstIndex, firstColumn, q, isFirst, isLast);
    } else if (LOWEST && q == 0) {
      round<Fr, 2, INVERSE, FREQUENCY, true>(pass, exchange, base, firstIndex, firstColumn, q, isFirst, isLast);
    } else {
      round<Fr, 2, INVERSE, FREQUENCY, false>(pass, exchange, base, firstIndex, firstColumn, q, isFirst, isLast);
    }
    done += r;
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

// The transforms over one domain; its tables of roots, one a pass, lie in memory of the caller.
template <class Fr>
class DeviceNtt {
 public:
  // Memory for needs::rootTableElements(log2Size) values.
  DeviceNtt(cudaStream_t stream, Fr *memory, unsigned log2Size, const Fr &root)
      : log2Size_(log2Size), passes_(log2Size) {
    Fr squarings[needs::SQUARINGS];
    Fr square = root;
    for (unsigned i = 0; i < needs::SQUARINGS; i++) squarings[i] = square, square = square.square();
    Fr *deviceSquarings = memory;
    check(cudaMemcpyAsync(deviceSquarings, squarings, sizeof(squarings), cudaMemcpyHostToDevice, stream),
          "upload of roots");
    memory += needs::SQUARINGS;
    for (unsigned i = 0; i < passes_.count; i++) {
      const size_t count = passes_.roots(i);
      ntt::fillPowers<<<blocks(count), BLOCK, 0, stream>>>(memory, static_cast<uint32_t>(count),
                                                           deviceSquarings + (log2Size - passes_.end(i)));
      checkLaunch("roots");
      roots_[i] = memory;
      memory += count;
    }
    check(cudaStreamSynchronize(stream), "roots");
  }

  unsigned log2Size() const { return log2Size_; }

  // Natural order in, bit-reversed out, for `batch` polynomials that follow each other; not divided by n. With
  // `powers`, value j of the result is multiplied by the table's power j.
  void toReversed(Context &context, Fr *values, unsigned batch, bool inverse,
                  const PowerTable<Fr> *powers = nullptr) const {
    for (unsigned i = passes_.count; i-- > 0;) {
      launch<true>(context, values, batch, i, inverse, i == 0 ? powers : nullptr);
    }
  }
  // Bit-reversed order in, natural out.
  void toNatural(Context &context, Fr *values, unsigned batch, bool inverse) const {
    for (unsigned i = 0; i < passes_.count; i++) launch<false>(context, values, batch, i, inverse, nullptr);
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
  using Kernel = void (*)(ntt::Pass<Fr>, unsigned);
  template <bool FREQUENCY>
  static Kernel kernel(bool inverse, bool lowest) {
    if (inverse) return lowest ? ntt::transform<Fr, true, FREQUENCY, true> : ntt::transform<Fr, true, FREQUENCY, false>;
    return lowest ? ntt::transform<Fr, false, FREQUENCY, true> : ntt::transform<Fr, false, FREQUENCY, false>;
  }

  template <bool FREQUENCY>
  void launch(Context &context, Fr *values, unsigned batch, unsigned i, bool inverse,
              const PowerTable<Fr> *powers) const {
    const unsigned s = passes_.begin(i), k = passes_.end(i) - s;
    const unsigned blockBits = std::min(k + ntt::COLUMN_BITS, ntt::ELEMENT_BITS);
    const unsigned columnBits = s > 0 ? std::min(s, blockBits - k) : 0;
    const unsigned elementBits = s > 0 ? k + columnBits : std::min(blockBits, log2Size_);
    const ntt::Pass<Fr> pass{values,
                             roots_[i],
                             log2Size_,
                             s,
                             k,
                             columnBits,
                             elementBits,
                             powers == nullptr ? nullptr : powers->low(),
                             powers == nullptr ? nullptr : powers->high()};
    const unsigned grid = batch << (log2Size_ - elementBits);
    const unsigned threads = std::clamp(1u << elementBits >> ntt::ROUND_STAGES, 32u, ntt::THREADS);
    kernel<FREQUENCY>(inverse, i == 0)<<<grid, threads, ntt::Exchange::bytes(1u << elementBits), context.stream>>>(
        pass, batch);
    checkLaunch("NTT pass");
  }

  unsigned log2Size_;
  needs::Passes passes_;
  const Fr *roots_[needs::Passes::MAXIMUM_COUNT];
};

}  // namespace cuzk::gpu
