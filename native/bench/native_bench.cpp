// SPDX-License-Identifier: Apache-2.0
//
// Times the library's primitives: one line each, median and spread of the repetitions after one warm-up, and the
// processor time of a repetition (all threads; the better figure on a machine that has other work).
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "curve/curves.hpp"
#include "cuzk.h"
#include "field/arithmetic_adx.hpp"

namespace {

using namespace cuzk;

struct Options {
  unsigned log = 16;
  int repetitions = 5;
  int threads = 0;
  const char *arithmetic = "auto";
};

[[noreturn]] void die(const char *text) {
  std::fprintf(stderr, "cuzk-native-bench: %s\n", text);
  std::exit(1);
}

void check(cuzk_status status, const cuzk_error &error) {
  if (status != CUZK_OK) die(error.text);
}

double processorMilliseconds() {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  auto milliseconds = [](const timeval &t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
  };
  return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
}

void report(const std::string &name, std::vector<double> times, const char *unit, double processor) {
  std::sort(times.begin(), times.end());
  std::printf("%-28s %10.3f %s  (%.3f to %.3f)  CPU %.3f ms\n", name.c_str(), times[times.size() / 2], unit,
              times.front(), times.back(), processor);
  std::fflush(stdout);
}

void repeat(const std::string &name, int repetitions, const char *unit, const std::function<double()> &body) {
  body();
  std::vector<double> times;
  double before = processorMilliseconds();
  for (int i = 0; i < repetitions; i++) times.push_back(body());
  report(name, times, unit, (processorMilliseconds() - before) / repetitions);
}

double nanosecondsPerStep(size_t steps, const std::function<void()> &body) {
  auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() /
         static_cast<double>(steps);
}

// Four independent chains, as in the batched additions.
template <class F>
void benchField(const std::string &name, int repetitions) {
  constexpr size_t steps = 400000;
  F values[4], factor = F::fromInteger(12345).inverse();
  for (uint64_t i = 0; i < 4; i++) values[i] = F::fromInteger(i + 3).inverse();
  volatile uint64_t sink = 0;
  auto chains = [&](auto step) {
    return [&, step] {
      return nanosecondsPerStep(steps, [&] {
        for (size_t i = 0; i < steps; i += 4) {
          for (F &value : values) value = step(value);
        }
        sink = values[0].limb[0];
      });
    };
  };
  repeat(name + " multiply", repetitions, "ns", chains([factor](const F &x) { return x * factor; }));
  repeat(name + " square", repetitions, "ns", chains([](const F &x) { return x.square(); }));
  repeat(name + " subtract", repetitions, "ns", chains([factor](const F &x) { return x - factor; }));
  repeat(name + " invert", repetitions, "ns", [&] {
    return nanosecondsPerStep(1000, [&] {
      for (int i = 0; i < 1000; i++) values[0] = values[0].inverse() + factor;
      sink = values[0].limb[0];
    });
  });
}

template <class A>
void benchFields(int repetitions) {
  std::string name = A::NAME;
  benchField<typename Bn254<A>::Fp>("bn254 Fp " + name, repetitions);
  benchField<typename Bls12381<A>::Fp>("bls12-381 Fp " + name, repetitions);
  benchField<typename Bls12381<A>::Fr>("bls12-381 Fr " + name, repetitions);
}

std::vector<uint64_t> randomScalars(size_t count) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> words(4 * count);
  for (uint64_t &word : words) word = random();
  // Below both curves' orders.
  for (size_t i = 0; i < count; i++) words[4 * i + 3] &= UINT64_MAX >> 3;
  return words;
}

template <class Curve>
void benchCurve(cuzk_device *device, cuzk_curve curve, const std::string &name, const Options &options) {
  size_t count = size_t{1} << options.log;
  std::string log = " 2^" + std::to_string(options.log);
  auto scalars = randomScalars(count);
  cuzk_error error;
  for (cuzk_group group : {CUZK_G1, CUZK_G2}) {
    auto g1 = Curve::generatorG1();
    auto g2 = Curve::generatorG2();
    const void *base = group == CUZK_G1 ? static_cast<const void *>(&g1) : &g2;
    std::vector<uint8_t> points(count * (group == CUZK_G1 ? sizeof g1 : sizeof g2));
    std::string suffix = group == CUZK_G1 ? " G1" : " G2";
    repeat(name + " fixed base" + suffix + log, 1, "ms", [&] {
      return nanosecondsPerStep(1000000, [&] {
        check(cuzk_fixed_base(device, curve, group, base, scalars.data(), count, points.data(), &error), error);
      });
    });
    repeat(name + " msm" + suffix + log, options.repetitions, "ms", [&] {
      uint8_t result[192];
      cuzk_timings timings;
      check(cuzk_msm(device, curve, group, CUZK_POINTS_MONTGOMERY_LE, points.data(), scalars.data(), count, result,
                     &timings, &error),
            error);
      return timings.total_ms;
    });
  }
  for (int inverse : {0, 1}) {
    repeat(name + (inverse != 0 ? " inverse ntt" : " ntt") + log, options.repetitions, "ms", [&] {
      cuzk_timings timings;
      check(cuzk_ntt(device, curve, CUZK_QUOTIENT_ODD_COSET, inverse, options.log, nullptr, scalars.data(), &timings,
                     &error),
            error);
      return timings.total_ms;
    });
  }
}

}  // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string name = argv[i];
    if (name == "--log2") {
      options.log = static_cast<unsigned>(std::atoi(argv[i + 1]));
    } else if (name == "--repetitions") {
      options.repetitions = std::max(std::atoi(argv[i + 1]), 1);
    } else if (name == "--threads") {
      options.threads = std::atoi(argv[i + 1]);
    } else if (name == "--arithmetic") {
      options.arithmetic = argv[i + 1];
    } else {
      die("usage: cuzk-native-bench [--log2 N] [--repetitions N] [--threads N] [--arithmetic NAME]");
    }
  }
  if (options.log > 26) die("--log2 must be at most 26");
  cuzk_device_options deviceOptions = {};
  deviceOptions.threads = options.threads;
  deviceOptions.arithmetic = options.arithmetic;
  cuzk_error error;
  cuzk_device *device;
  check(cuzk_device_open(&deviceOptions, &device, &error), error);
  cuzk_device_properties properties;
  check(cuzk_device_describe(device, &properties, &error), error);
  std::printf("%s\n%s, %d threads, %s\n", cuzk_build_id(), properties.name, properties.multiprocessors,
              properties.arithmetic);
  if (std::strcmp(properties.arithmetic, "portable") != 0) {
    benchFields<Adx>(options.repetitions);
  } else {
    benchFields<Portable>(options.repetitions);
  }
  benchCurve<Bn254<Portable>>(device, CUZK_BN254, "bn254", options);
  benchCurve<Bls12381<Portable>>(device, CUZK_BLS12_381, "bls12-381", options);
  cuzk_device_close(device);
  return 0;
}
