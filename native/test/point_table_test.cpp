// SPDX-License-Identifier: Apache-2.0
#include "msm/point_table.hpp"

#include "cpu/memory.hpp"
#include "msm/msm.hpp"
#include "test/support.hpp"

namespace cuzk {
namespace test {
namespace {

// A curve's group under one arithmetic.
template <class C, unsigned DEGREE>
struct Under {
  using Curve = C;
  using Fr = typename C::Fr;
  using Field = std::conditional_t<DEGREE == 1, typename C::Fp, typename C::Fp2>;
};

template <class G>
void checkTables() {
  using F = typename G::Field;
  using Fr = typename G::Fr;
  ThreadPool pool(2);
  MemoryAccount memory;
  Context context{pool, memory};
  Random random(3);
  // More than a piece, and no multiple of the lanes.
  constexpr size_t COUNT = 267;
  const Windows windows{3, 7, 3};
  CHECK(windows.sets() == 3);
  CHECK(windows.doublings() == 9);
  std::vector<Affine<F>> points;
  std::vector<Fr> logarithms;
  const auto g = generator<typename G::Curve, F>();
  for (size_t i = 0; i < COUNT; i++) {
    logarithms.push_back(i % 19 == 5 || i == COUNT - 1 ? Fr::zero() : Fr::fromInteger(random() >> 16));
    points.push_back(multiple(g, logarithms.back()));
  }
  std::vector<Affine<F>> table(points);
  table.resize(3 * COUNT);
  fillTable(context, table.data(), COUNT, windows);
  for (size_t i = 0; i < COUNT; i++) {
    CHECK(table[i] == points[i]);
    CHECK(table[COUNT + i] == multiple(g, logarithms[i] * Fr::fromInteger(1 << 9)));
    CHECK(table[2 * COUNT + i] == multiple(g, logarithms[i] * Fr::fromInteger(1 << 18)));
  }
}

TEST_CASE_TEMPLATE("tables hold the multiples of their points", C, Bn254<Portable>, Bls12381<Portable>,
                   Bn254<EmulatedIfma>, Bls12381<EmulatedIfma>) {
  checkTables<Under<C, 1>>();
  checkTables<Under<C, 2>>();
}

TEST_CASE_TEMPLATE("sums over tables of any number of levels", C, Bn254<Portable>, Bls12381<EmulatedIfma>) {
  using F = typename C::Fp;
  using Fr = typename C::Fr;
  using Shared = SharedDigits<Fr>;
  ThreadPool pool(3);
  MemoryAccount memory;
  Context context{pool, memory};
  Random random(4);
  const auto g = generator<C, F>();
  for (size_t count : {size_t{1}, size_t{7}, size_t{300}}) {
    std::vector<Fr> scalars, logarithms;
    Fr expected = Fr::zero();
    for (size_t i = 0; i < count; i++) {
      scalars.push_back(i % 5 == 3 ? -Fr::fromInteger(i % 2) : randomScalar<Fr>(random));
      logarithms.push_back(Fr::fromInteger(i * i + 1));
      expected = expected + scalars[i] * logarithms[i];
    }
    const auto words = canonicalWords(scalars);
    unsigned before = UINT32_MAX;
    for (unsigned tables : {0u, 1u, 2u, 5u, 17u, 1000u}) {
      const Windows windows = Shared::windows(count, tables);
      CHECK(windows.levels <= tables + 1);
      CHECK(windows.sets() <= before);
      before = windows.sets();
      std::vector<Affine<F>> table;
      for (const Fr &logarithm : logarithms) table.push_back(multiple(g, logarithm));
      table.resize(count * windows.levels);
      fillTable(context, table.data(), count, windows);
      const PointSource<F> source = {table.data(), nullptr, 0, nullptr, windows.levelBits(), count};
      Shared shared(context, words.data(), count, tables);
      auto sum = Shared::template sumOver<F>(context, source, count, tables);
      SumScheduler scheduler(context, Shared::template scratchBytes<F>(count, tables));
      for (; shared.sorted() != 0; shared.sortNext()) {
        sum.begin(shared.digits(), shared.sorted());
        scheduler.run({&sum});
      }
      CAPTURE(count);
      CAPTURE(tables);
      CHECK(sum.result().toAffine() == multiple(g, expected));
    }
    CHECK(before == 1);
  }
}

TEST_CASE("tables leave room for the indices of many scalars") {
  const Windows windows = Windows::choose(uint64_t{3} << 27, 254, 4, 128);
  CHECK(windows.levels <= 4);
  const bool fits = (uint64_t{3} << 27) << windows.levelBits() < Windows::MAXIMUM_PLACES;
  CHECK(fits);
}

}  // namespace
}  // namespace test
}  // namespace cuzk
