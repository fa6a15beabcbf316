// SPDX-License-Identifier: Apache-2.0
//
// Tests and times the device algorithms without Java: cuzk-cuda-test [LOG2_OF_THE_LARGEST_SIZE]
// Points are known multiples of a generator, so a sum over any number of them is one product on the host.

#include <cstdio>
#include <cstdlib>
#include <random>

#include "curve/curves.hpp"
#include "field/arithmetic_cuda.cuh"
#include "msm/device_msm.cuh"
#include "msm/device_tables.cuh"
#include "ntt/device_ntt.cuh"

using namespace cuzk;

namespace {

int passed = 0, failed = 0;

void report(bool good, const char *what, const char *curve, unsigned long long size) {
  good ? passed++ : failed++;
  if (!good) printf("FAILED: %s, %s, size %llu\n", what, curve, size);
}

std::mt19937_64 randomness(20261130);

// Kernels run on a stream that waits for no other: copies wait before and after.
template <class T>
void copy(T *to, const T *from, size_t count) {
  cudaDeviceSynchronize();
  gpu::check(cudaMemcpy(static_cast<void *>(to), from, count * sizeof(T), cudaMemcpyDefault), "copy");
  cudaDeviceSynchronize();
}

struct Timer {
  explicit Timer(cudaStream_t stream) : stream(stream) {
    cudaEventCreate(&begin), cudaEventCreate(&end);
    cudaEventRecord(begin, stream);
  }
  float stop() {
    float ms;
    cudaEventRecord(end, stream), cudaEventSynchronize(end), cudaEventElapsedTime(&ms, begin, end);
    return ms;
  }
  cudaStream_t stream;
  cudaEvent_t begin, end;
};

template <class Fr>
std::vector<uint64_t> randomScalars(size_t n) {
  std::vector<uint64_t> scalars(4 * n);
  for (size_t i = 0; i < n; i++) {
    do {
      for (int j = 0; j < 4; j++) scalars[4 * i + j] = randomness();
      scalars[4 * i + 3] >>= 1;
    } while (!Fr::isBelowModulus(&scalars[4 * i]));
  }
  return scalars;
}

__global__ void alternate(uint32_t *index, uint32_t n, uint32_t lowCount) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  index[2 * i] = lowCount + i / lowCount;
  index[2 * i + 1] = i % lowCount;
}
__global__ void everyPair(uint32_t *sources, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sources[i] = 4 * i + 1;
}

// points[i] = (i + 1) G: the sum of a low multiple and a multiple of LOW.
template <class F>
void multiplesOf(gpu::Context &context, const Affine<F> &generator, Affine<F> *points, uint32_t n) {
  constexpr uint32_t LOW = 4096;
  gpu::Arena::Scope scope(context.arena);
  std::vector<Affine<F>> table(LOW + n / LOW + 1);
  Xyzz<F> multiple = Xyzz<F>::infinity();
  for (uint32_t i = 0; i < LOW; i++) {
    multiple.add(generator);
    table[i] = multiple.toAffine();
  }
  const Affine<F> step = table[LOW - 1];
  multiple = Xyzz<F>::infinity();
  for (uint32_t i = 0; LOW + i < table.size(); i++) {
    table[LOW + i] = multiple.toAffine();
    multiple.add(step);
  }
  Affine<F> *deviceTable = context.arena.take<Affine<F>>(table.size());
  uint32_t *index = context.arena.take<uint32_t>(2 * size_t(n));
  uint32_t *sources = context.arena.take<uint32_t>(n);
  uint32_t *count = context.arena.take<uint32_t>(1);
  gpu::BatchScratch<F> scratch(context, n);
  copy(deviceTable, table.data(), table.size());
  copy(count, &n, 1);
  alternate<<<gpu::blocks(n), gpu::BLOCK, 0, context.stream>>>(index, n, LOW);
  everyPair<<<gpu::blocks(n), gpu::BLOCK, 0, context.stream>>>(sources, n);
  gpu::addBatch(context, scratch, gpu::RoundInput<F>{{deviceTable}, index}, sources, count, n, points);
  gpu::check(cudaStreamSynchronize(context.stream), "multiples");
}

// (sum of scalars[i] multipliers[i]) G.
template <class C, class F>
Affine<F> expected(const Affine<F> &generator, const std::vector<uint64_t> &scalars, size_t n, uint64_t modulo) {
  typename C::Fr sum = C::Fr::zero();
  for (size_t i = 0; i < n; i++) {
    sum = sum + C::Fr::fromCanonical(&scalars[4 * i]) * C::Fr::fromInteger(i % modulo + 1);
  }
  uint64_t limbs[4];
  sum.toCanonical(limbs);
  return Xyzz<F>::multiply(generator, limbs).toAffine();
}

// The table of n points with as many levels as sums over them are cheapest with, at most `most`.
template <class F>
gpu::PointTable<F> withLevels(gpu::Context &context, const Affine<F> *points, uint32_t n, unsigned scalarBits,
                              unsigned most, gpu::Levels &levels) {
  levels = gpu::Levels::choose(n, scalarBits, most);
  Affine<F> *all = context.arena.take<Affine<F>>(size_t(n) * levels.count);
  copy(all, points, n);
  for (unsigned level = 1; level < levels.count; level++) {
    gpu::makeMultiples(context, all + size_t(n) * (level - 1), n, levels.span, all + size_t(n) * level);
  }
  return {all, nullptr, 0, 31 - levels.bits(), n};
}

template <class F>
void timeMsm(gpu::Context &context, const char *name, const char *what, const gpu::PointTable<F> &table,
             const uint64_t *scalars, unsigned log, unsigned scalarBits, const gpu::Levels &levels = {}) {
  std::vector<float> times;
  for (int i = 0; i < 5; i++) {
    Timer timer(context.stream);
    gpu::msm<F>(context, table, scalars, 1u << log, scalarBits, levels);
    times.push_back(timer.stop());
  }
  std::sort(times.begin(), times.end());
  printf("msm %s 2^%u%s: %.2f ms (min %.2f)\n", name, log, what, times[2], times[0]);
}

// Sums over points with multiples: random scalars and special ones, and times where there are more levels to build.
template <class C, class F>
void testTables(gpu::Context &context, const char *name, const Affine<F> *points, uint64_t *scalars,
                const std::vector<uint64_t> &uniform, const std::vector<uint64_t> &special, const Affine<F> &generator,
                unsigned largest) {
  constexpr unsigned BITS = C::Fr::Parameters::BITS;
  const auto check = [&](uint32_t n, const std::vector<uint64_t> &values, unsigned most, const char *what) {
    gpu::Arena::Scope scope(context.arena);
    gpu::Levels levels;
    const gpu::PointTable<F> table = withLevels(context, points, n, BITS, most, levels);
    copy(scalars, values.data(), 4 * size_t(n));
    const Affine<F> sum = gpu::msm<F>(context, table, scalars, n, BITS, levels).toAffine();
    report(levels.count > 1, "levels of tables", name, n);
    report(sum == expected<C>(generator, values, n, 1ull << 40), what, name, n);
  };
  for (unsigned most = 2; most <= 16; most++) {
    for (uint32_t n : {1u, 2u, 50u, 700u}) check(n, uniform, most, "MSM with tables");
    check(static_cast<uint32_t>(special.size() / 4), special, most, "MSM with tables, few distinct");
  }
  for (unsigned k = 12; k <= largest; k += 4) {
    for (unsigned most : {3u, 8u}) check((1u << k) - 1, uniform, most, "MSM with tables");
  }
  for (unsigned k = 16; k <= largest; k += 2) {
    copy(scalars, uniform.data(), size_t(4) << k);
    gpu::Levels before;
    for (unsigned most : {2u, 3u, 4u, 6u, 8u, 16u}) {
      gpu::Arena::Scope scope(context.arena);
      gpu::Levels levels = gpu::Levels::choose(size_t{1} << k, BITS, most);
      if (levels.count == before.count) continue;
      before = levels;
      Timer timer(context.stream);
      const gpu::PointTable<F> table = withLevels(context, points, 1u << k, BITS, most, levels);
      const float ms = timer.stop();
      char what[100];
      snprintf(what, sizeof what, ", %u levels of %u bits, %.3f GB made in %.1f ms", levels.count, levels.span,
               double(sizeof(Affine<F>)) * (levels.count - 1) * double(1u << k) / 1e9, double(ms));
      timeMsm(context, name, what, table, scalars, k, BITS, levels);
    }
  }
}

template <class C, class F>
void testMsm(gpu::Context &context, const char *name, const Affine<F> &generator, unsigned largest) {
  const uint32_t maximum = 1u << largest;
  gpu::Arena::Scope scope(context.arena);
  Affine<F> *points = context.arena.take<Affine<F>>(maximum);
  uint64_t *scalars = context.arena.take<uint64_t>(4 * size_t(maximum));
  multiplesOf(context, generator, points, maximum);
  const std::vector<uint64_t> uniform = randomScalars<typename C::Fr>(maximum);
  const auto run = [&](const std::vector<uint64_t> &values, uint32_t n, const Affine<F> *table) {
    copy(scalars, values.data(), 4 * size_t(n));
    return gpu::msm<F>(context, {table}, scalars, n, C::Fr::Parameters::BITS).toAffine();
  };
  std::vector<uint32_t> sizes;
  for (uint32_t n = 0; n <= 70; n++) sizes.push_back(n);
  for (unsigned k = 7; k <= largest; k += k < 12 ? 1 : 4) {
    sizes.push_back((1u << k) - 1), sizes.push_back(1u << k);
    if (k < largest) sizes.push_back((1u << k) + 1);
  }
  for (uint32_t n : sizes) {
    report(run(uniform, n, points) == expected<C>(generator, uniform, n, 1ull << 40), "MSM, uniform", name, n);
  }
  const uint32_t n = std::min(maximum, 5000u);
  std::vector<uint64_t> special(4 * size_t(n));
  for (uint32_t i = 0; i < n; i++) {
    typename C::Fr value = C::Fr::zero();
    if (i % 5 == 1) value = C::Fr::one();
    if (i % 5 == 2) value = -C::Fr::one();
    if (i % 5 == 3) value = C::Fr::fromInteger(i % 7);
    if (i % 50 == 4) value = C::Fr::fromCanonical(&uniform[4 * i]);
    value.toCanonical(&special[4 * i]);
  }
  report(run(special, n, points) == expected<C>(generator, special, n, 1ull << 40), "MSM, few distinct", name, n);
  // Repeated points and opposite ones: P, -P, 2P, infinity in turn.
  std::vector<Affine<F>> table(n);
  Xyzz<F> twice = Xyzz<F>::fromAffine(generator);
  twice.twice();
  const Affine<F> kinds[4] = {generator, -generator, twice.toAffine(), Affine<F>::infinity()};
  for (uint32_t i = 0; i < n; i++) table[i] = kinds[i % 4];
  typename C::Fr sum = C::Fr::zero();
  for (uint32_t i = 0; i < n; i++) {
    const typename C::Fr weights[4] = {C::Fr::one(), -C::Fr::one(), C::Fr::fromInteger(2), C::Fr::zero()};
    sum = sum + C::Fr::fromCanonical(&special[4 * i]) * weights[i % 4];
  }
  uint64_t limbs[4];
  sum.toCanonical(limbs);
  Affine<F> *odd = context.arena.take<Affine<F>>(n);
  copy(odd, table.data(), n);
  report(run(special, n, odd) == Xyzz<F>::multiply(generator, limbs).toAffine(), "MSM, repeated points", name, n);

  for (unsigned k = 16; k <= largest; k += 2) {
    copy(scalars, uniform.data(), size_t(4) << k);
    timeMsm(context, name, "", gpu::PointTable<F>{points}, scalars, k, C::Fr::Parameters::BITS);
  }
  testTables<C>(context, name, points, scalars, uniform, special, generator, largest);
}

template <class C>
void testNtt(gpu::Context &context, const char *name, unsigned largest) {
  using Fr = typename C::Fr;
  for (unsigned k = 0; k <= largest; k += k < 12 ? 1 : 2) {
    gpu::Arena::Scope scope(context.arena);
    Fr root = Fr::fromLimbs(C::Constants::ROOT_ODD_COSET);
    for (unsigned i = k; i < C::Constants::TWO_ADICITY; i++) root = root.square();
    gpu::DeviceNtt<Fr> ntt(context.stream, context.arena.take<Fr>(gpu::needs::rootTableElements(k)), k, root);
    const size_t n = size_t(1) << k;
    Fr *values = context.arena.take<Fr>(n);
    std::vector<Fr> host(n), result(n);
    for (Fr &value : host) value = Fr::fromInteger(randomness());
    copy(values, host.data(), n);
    ntt.toReversed(context, values, 1, false);
    ntt.reverse(context, values);
    copy(result.data(), values, n);
    // One output against the naive sum.
    const size_t output = n / 3;
    const Fr point = root.power(output);
    Fr sum = Fr::zero();
    for (size_t i = n; i-- > 0;) sum = sum * point + host[i];
    report(sum == result[output], "NTT, one output", name, n);
    // There and back: natural -> reversed -> natural is n times the input.
    ntt.toReversed(context, values, 1, true);
    ntt.toNatural(context, values, 1, false);
    const Fr factor = Fr::fromInteger(n).inverse();
    copy(host.data(), values, n);
    bool same = true;
    for (size_t i = 0; i < n; i++) same = same && host[i] * factor == result[i];
    report(same, "NTT, there and back", name, n);
    if (k >= 16) {
      Timer timer(context.stream);
      for (int i = 0; i < 10; i++) ntt.toReversed(context, values, 1, false);
      printf("ntt %s 2^%u: %.3f ms\n", name, k, timer.stop() / 10);
    }
  }
}

template <class F>
__global__ void invertAll(F *values, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = values[i].inverse();
}

template <class F>
__global__ void multiplyPairs(const F *x, const F *y, F *products, F *squares, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  products[i] = x[i] * y[i];
  squares[i] = x[i].square();
}

// Products and squares against the host's, of random values and of those around zero and the modulus.
template <class F, class Make>
void testProducts(gpu::Context &context, const char *name, const Make &make) {
  constexpr unsigned COUNT = 4096;
  gpu::Arena::Scope scope(context.arena);
  std::vector<F> x(COUNT), y(COUNT), products(COUNT), squares(COUNT);
  for (unsigned i = 0; i < COUNT; i++) x[i] = make(), y[i] = make();
  F *device = context.arena.take<F>(4 * COUNT);
  copy(device, x.data(), COUNT);
  copy(device + COUNT, y.data(), COUNT);
  multiplyPairs<<<COUNT / 64, 64, 0, context.stream>>>(device, device + COUNT, device + 2 * COUNT, device + 3 * COUNT,
                                                       COUNT);
  copy(products.data(), device + 2 * COUNT, COUNT);
  copy(squares.data(), device + 3 * COUNT, COUNT);
  bool same = true;
  for (unsigned i = 0; i < COUNT; i++) same = same && products[i] == x[i] * y[i] && squares[i] == x[i] * x[i];
  report(same, "products and squares", name, COUNT);
}

template <class F>
F anyElement() {
  switch (randomness() % 6) {
    case 0:
      return F::fromInteger(randomness() % 3);
    case 1:
      return -F::fromInteger(randomness() % 3);
    case 2: {
      F small = F::zero();  // in Montgomery form: the smallest words
      small.limb[0] = randomness() % 4;
      return small;
    }
    case 3: {
      F large = F::modulus();
      large.limb[0] -= 1 + randomness() % 4;
      return large;
    }
    default:
      return F::fromInteger(randomness()).power(randomness());
  }
}

template <class F>
void testField(gpu::Context &context, const char *name) {
  constexpr unsigned COUNT = 1000;
  gpu::Arena::Scope scope(context.arena);
  F *device = context.arena.take<F>(COUNT);
  std::vector<F> values(COUNT), inverses(COUNT);
  for (unsigned i = 0; i < COUNT; i++) {
    values[i] = F::fromInteger(randomness()).power(randomness());
    if (i == 0) values[i] = F::zero();
    if (i == 1) values[i] = F::one();
    if (i == 2) values[i] = -F::one();
  }
  copy(device, values.data(), COUNT);
  invertAll<<<(COUNT + 63) / 64, 64, 0, context.stream>>>(device, COUNT);
  copy(inverses.data(), device, COUNT);
  for (unsigned i = 0; i < COUNT; i++) report(inverses[i] == values[i].inverse(), "inverse", name, i);
  Timer timer(context.stream);
  invertAll<<<1, 1, 0, context.stream>>>(device, 1);
  printf("inverse %s: %.3f ms\n", name, timer.stop());
}

template <class C, class Calls>
void testCurve(gpu::Context &context, const char *g1, const char *g2, unsigned largest) {
  using Fp2 = typename Calls::Fp2;
  testField<typename C::Fp>(context, g1);
  testField<typename C::Fr>(context, g1);
  testProducts<typename C::Fp>(context, g1, anyElement<typename C::Fp>);
  testProducts<typename C::Fr>(context, g1, anyElement<typename C::Fr>);
  testProducts<Fp2>(context, g2,
                    [] { return Fp2{anyElement<typename Fp2::Base>(), anyElement<typename Fp2::Base>()}; });
  testNtt<C>(context, g1, largest);
  testMsm<C>(context, g1, C::generatorG1(), largest);
  testMsm<Calls>(context, g2, Calls::generatorG2(), largest > 22 ? 22 : largest);
}

}  // namespace

int main(int argc, char **argv) {
  const unsigned largest = argc > 1 ? static_cast<unsigned>(atoi(argv[1])) : 16;
  try {
    size_t free = 0, total = 0;
    gpu::check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    cudaDeviceProp properties;
    gpu::check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    printf("%s, %d multiprocessors\n", properties.name, properties.multiProcessorCount);
    gpu::Arena arena(std::min(free / 10 * 9, size_t(96) << 30));
    cudaStream_t stream;
    gpu::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    gpu::Context context{stream, arena, properties.multiProcessorCount};
    testCurve<Bn254<Cuda>, Bn254<CudaCalls>>(context, "bn254 G1", "bn254 G2", largest);
    testCurve<Bls12381<Cuda>, Bls12381<CudaCalls>>(context, "bls12-381 G1", "bls12-381 G2", largest);
  } catch (const Failure &failure) {
    printf("FAILED: %s\n", failure.what());
    failed++;
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
