// SPDX-License-Identifier: Apache-2.0
//
// Proves a witness with a .zkey through the C interface, several times, and prints times; for profiling the library by
// itself. Trusts its input files: the command-line tool has the checked readers.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cuzk.h"

namespace {

[[noreturn]] void die(const std::string &text) {
  std::fprintf(stderr, "cuzk-zkey-prove: %s\n", text.c_str());
  std::exit(1);
}

void check(cuzk_status status, const cuzk_error &error) {
  if (status != CUZK_OK)
    die(std::string(cuzk_status_name(status)) + ": " + error.text + " (" + std::to_string(error.detail) + ")");
}

// A mapped iden3 binary file: magic, version, section count, then sections of type (4 bytes), length (8), content.
class Binfile {
 public:
  explicit Binfile(const char *path) {
    int descriptor = open(path, O_RDONLY);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0) die(std::string("cannot open ") + path);
    size_ = static_cast<size_t>(status.st_size);
    void *memory = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (memory == MAP_FAILED) die(std::string("cannot map ") + path);
    data_ = static_cast<const uint8_t *>(memory);
    close(descriptor);
  }
  const uint8_t *section(uint32_t type, size_t &length) const {
    for (size_t at = 12; at + 12 <= size_;) {
      uint32_t found;
      uint64_t bytes;
      std::memcpy(&found, data_ + at, 4);
      std::memcpy(&bytes, data_ + at + 4, 8);
      at += 12;
      if (found == type) {
        length = bytes;
        return data_ + at;
      }
      at += bytes;
    }
    die("a section is missing");
  }

 private:
  const uint8_t *data_;
  size_t size_;
};

uint32_t word(const uint8_t *bytes) {
  uint32_t value;
  std::memcpy(&value, bytes, 4);
  return value;
}

std::string decimal(const uint8_t *bytes, size_t length) {
  std::string digits;
  std::vector<uint8_t> value(bytes, bytes + length);
  do {
    unsigned remainder = 0;
    for (size_t i = length; i-- > 0;) {
      unsigned current = remainder << 8 | value[i];
      value[i] = static_cast<uint8_t>(current / 10);
      remainder = current % 10;
    }
    digits.insert(digits.begin(), static_cast<char>('0' + remainder));
  } while (std::any_of(value.begin(), value.end(), [](uint8_t byte) { return byte != 0; }));
  return digits;
}

struct Key {
  cuzk_shape shape = {};
  size_t fieldBytes = 0;
  cuzk_key *handle = nullptr;
};

Key load(cuzk_device *device, const Binfile &file, int tables) {
  Key key;
  size_t length;
  const uint8_t *header = file.section(2, length);
  key.fieldBytes = word(header);
  header += 4 + key.fieldBytes;
  header += 4 + word(header);
  cuzk_shape &shape = key.shape;
  shape.curve = key.fieldBytes == 32 ? CUZK_BN254 : CUZK_BLS12_381;
  shape.quotient = CUZK_QUOTIENT_ODD_COSET;
  shape.variables = word(header);
  shape.public_inputs = word(header + 4);
  while ((1u << shape.domain_log2) < word(header + 8)) shape.domain_log2++;
  header += 12;
  // alpha1, beta1, beta2, gamma2, delta1, delta2 -> alpha1, beta1, delta1, beta2, delta2
  size_t g1 = 2 * key.fieldBytes, g2 = 2 * g1;
  std::vector<uint8_t> singles(header, header + 2 * g1);
  const uint8_t *delta = header + 2 * g1 + 2 * g2;
  singles.insert(singles.end(), delta, delta + g1);
  singles.insert(singles.end(), header + 2 * g1, header + 2 * g1 + g2);
  singles.insert(singles.end(), delta + g1, delta + g1 + g2);

  const uint32_t sections[CUZK_QUERIES] = {5, 6, 7, 8, 9};
  for (int query = 0; query < CUZK_QUERIES; query++) {
    file.section(sections[query], length);
    shape.counts[query] = length / (query == CUZK_QUERY_B2 ? g2 : g1);
  }
  const uint8_t *entries = file.section(4, length);
  shape.entries = word(entries);
  cuzk_plan plan = {};
  plan.resident_key = plan.batch = 1;
  plan.table_levels = tables;
  cuzk_error error;
  check(cuzk_key_create(device, &shape, &plan, CUZK_POINTS_MONTGOMERY_LE, singles.data(), singles.size(), &key.handle,
                        &error),
        error);
  for (int query = 0; query < CUZK_QUERIES; query++) {
    const uint8_t *points = file.section(sections[query], length);
    check(cuzk_key_append(key.handle, query, 0, shape.counts[query], points, length, &error), error);
  }
  check(cuzk_key_append_entries(key.handle, CUZK_SCALARS_MONTGOMERY_SQUARED_LE, shape.entries,
                                reinterpret_cast<const cuzk_entry *>(entries + 4), &error),
        error);
  check(cuzk_key_finish(key.handle, &error), error);
  return key;
}

void writeFiles(const char *folder, const Key &key, const cuzk_proof &proof, const uint8_t *witness) {
  size_t n = key.fieldBytes;
  auto quote = [n](const uint8_t *bytes) { return "\"" + decimal(bytes, n) + "\""; };
  std::string name = key.shape.curve == CUZK_BN254 ? "bn128" : "bls12381";
  std::string text = "{\"pi_a\":[" + quote(proof.a) + "," + quote(proof.a + n) + ",\"1\"],\"pi_b\":[[" +
                     quote(proof.b) + "," + quote(proof.b + n) + "],[" + quote(proof.b + 2 * n) + "," +
                     quote(proof.b + 3 * n) + "],[\"1\",\"0\"]],\"pi_c\":[" + quote(proof.c) + "," +
                     quote(proof.c + n) + ",\"1\"],\"protocol\":\"groth16\",\"curve\":\"" + name + "\"}\n";
  std::string publics = "[";
  for (uint32_t i = 1; i <= key.shape.public_inputs; i++) {
    publics += (i > 1 ? ",\"" : "\"") + decimal(witness + 32 * i, 32) + "\"";
  }
  publics += "]\n";
  for (auto &file : {std::make_pair("/proof.json", text), std::make_pair("/public.json", publics)}) {
    FILE *stream = std::fopen((std::string(folder) + file.first).c_str(), "w");
    if (stream == nullptr || std::fputs(file.second.c_str(), stream) < 0 || std::fclose(stream) != 0)
      die("cannot write the proof");
  }
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) die("usage: cuzk-zkey-prove ZKEY WTNS [FOLDER] [REPETITIONS] [THREADS] [ARITHMETIC] [TABLES]");
  Binfile keyFile(argv[1]), witnessFile(argv[2]);
  const char *folder = argc > 3 ? argv[3] : "-";
  int repetitions = argc > 4 ? std::atoi(argv[4]) : 1;
  cuzk_device_options options = {};
  options.threads = argc > 5 ? std::atoi(argv[5]) : 0;
  options.arithmetic = argc > 6 ? argv[6] : "auto";
  cuzk_error error;
  cuzk_device *device;
  check(cuzk_device_open(&options, &device, &error), error);
  std::printf("%s\n", cuzk_build_id());
  auto start = std::chrono::steady_clock::now();
  Key key = load(device, keyFile, argc > 7 ? std::atoi(argv[7]) : 0);
  std::printf("key loaded in %.1f ms: domain 2^%u, %llu variables\n",
              std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count(),
              key.shape.domain_log2, static_cast<unsigned long long>(key.shape.variables));
  size_t length;
  const uint8_t *source = witnessFile.section(2, length);
  if (length != 32 * key.shape.variables) die("the witness does not fit the key");
  void *witness;
  check(cuzk_pinned_allocate(device, length, &witness, &error), error);
  std::memcpy(witness, source, length);

  cuzk_proof proof;
  for (int i = 0; i < repetitions; i++) {
    cuzk_proof_request request = {};
    request.witness = witness;
    request.r[0] = 3;
    request.s[0] = 5;
    cuzk_job *job;
    cuzk_timings timings;
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    check(cuzk_proofs_submit(device, key.handle, &request, 1, &job, &error), error);
    check(cuzk_proofs_wait(job, &proof, &timings, &error), error);
    cuzk_job_destroy(job);
    getrusage(RUSAGE_SELF, &after);
    auto seconds = [](const timeval &t) {
      return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
    };
    std::printf(
        "proof %d: %.1f ms (CPU %.1f ms)", i, timings.total_ms,
        seconds(after.ru_utime) + seconds(after.ru_stime) - seconds(before.ru_utime) - seconds(before.ru_stime));
    for (int stage = 0; stage < CUZK_STAGES; stage++) {
      if (timings.ms[stage] > 0) std::printf(" %s %.1f", cuzk_stage_name(stage), timings.ms[stage]);
    }
    std::printf(" peak %.1f MB\n", static_cast<double>(timings.peak_bytes) / 1e6);
  }
  if (std::strcmp(folder, "-") != 0) writeFiles(folder, key, proof, static_cast<const uint8_t *>(witness));
  cuzk_pinned_free(device, witness, length);
  cuzk_key_destroy(key.handle);
  cuzk_device_close(device);
  return 0;
}
