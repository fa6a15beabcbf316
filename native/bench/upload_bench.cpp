// SPDX-License-Identifier: Apache-2.0
//
// How fast bytes reach a GPU: from page-locked memory, from ordinary memory through the ring, and as points of a key in
// a file of the page cache, checked on the curve. Allocation of page-locked memory is timed as well.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "curve/curves.hpp"
#include "cuzk.h"

namespace cuzk {
namespace {

using Curve = Bls12381<Portable>;

void check(cuzk_status status, const cuzk_error &error) {
  if (status == CUZK_OK) return;
  std::fprintf(stderr, "cuzk-upload-bench: %s: %s\n", cuzk_status_name(status), error.text);
  std::exit(1);
}

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void print(const char *what, uint64_t bytes, double seconds) {
  std::printf("%-50s %8.1f ms %7.1f GB/s\n", what, 1e3 * seconds, static_cast<double>(bytes) / 1e9 / seconds);
}

void copies(cuzk_device *device, uint64_t bytes) {
  cuzk_error error;
  void *pinned = nullptr;
  auto start = std::chrono::steady_clock::now();
  check(cuzk_pinned_allocate(device, bytes, &pinned, &error), error);
  print("allocation of page-locked memory", bytes, secondsSince(start));
  std::vector<char> plain(bytes, 1);
  for (int i = 0; i < 3; i++) {
    double ms;
    check(cuzk_upload(device, pinned, bytes, &ms, &error), error);
    print("page-locked memory", bytes, ms / 1e3);
    check(cuzk_upload(device, plain.data(), bytes, &ms, &error), error);
    print("ordinary memory through the ring", bytes, ms / 1e3);
  }
  cuzk_pinned_free(device, pinned, bytes);
}

// A key whose H query is a file of multiples of the generator.
void keyLoad(cuzk_device *device, unsigned log, const char *path) {
  using G1 = Curve::G1;
  const size_t distinct = size_t{1} << 16, count = size_t{1} << log;
  cuzk_error error;
  std::vector<uint64_t> scalars(4 * distinct);
  for (size_t i = 0; i < distinct; i++) scalars[4 * i] = i + 1;
  std::vector<G1> points(distinct);
  const G1 generator = Curve::generatorG1();
  check(cuzk_fixed_base(device, CUZK_BLS12_381, CUZK_G1, &generator, scalars.data(), distinct, points.data(), &error),
        error);
  std::FILE *file = std::fopen(path, "wb");
  if (file == nullptr) return;
  for (size_t written = 0; written < count; written += distinct) {
    if (std::fwrite(points.data(), sizeof(G1), distinct, file) != distinct) std::exit(1);
  }
  std::fclose(file);
  cuzk_shape shape = {};
  shape.curve = CUZK_BLS12_381;
  shape.domain_log2 = log;
  shape.variables = 4;
  const uint64_t counts[CUZK_QUERIES] = {4, 4, 4, 3, count};
  std::copy(counts, counts + CUZK_QUERIES, shape.counts);
  for (int resident : {1, 0}) {
    const cuzk_plan plan = {CUZK_BACKEND_OWN, resident, 1, 0, 0, resident == 1 ? 0 : 20};
    const Curve::G2 second = Curve::generatorG2();
    std::vector<uint8_t> singles(3 * sizeof(G1) + 2 * sizeof second);
    for (size_t i = 0; i < 3; i++) std::memcpy(&singles[i * sizeof(G1)], &generator, sizeof generator);
    for (size_t i = 0; i < 2; i++) std::memcpy(&singles[3 * sizeof(G1) + i * sizeof second], &second, sizeof second);
    for (int i = 0; i < 2; i++) {
      cuzk_key *key;
      check(cuzk_key_create(device, &shape, &plan, CUZK_POINTS_MONTGOMERY_LE, singles.data(), singles.size(), &key,
                            &error),
            error);
      const auto start = std::chrono::steady_clock::now();
      check(cuzk_key_append_file(key, CUZK_QUERY_H, 0, count, path, 0, &error), error);
      print(resident == 1 ? "key in a file, checked, kept" : "key in a file, checked, to be streamed",
            count * sizeof(G1), secondsSince(start));
      cuzk_key_destroy(key);
    }
  }
  unlink(path);
}

}  // namespace
}  // namespace cuzk

int main(int argc, char **argv) {
  using namespace cuzk;
  const unsigned log = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 24;
  const char *path = argc > 2 ? argv[2] : "cuzk-upload-bench.points";
  cuzk_device_options options = {};
  cuzk_device *device;
  cuzk_error error;
  check(cuzk_device_open(&options, &device, &error), error);
  std::printf("%s\n", cuzk_build_id());
  copies(device, uint64_t{96} << log);
  keyLoad(device, log, path);
  cuzk_device_close(device);
  return 0;
}
