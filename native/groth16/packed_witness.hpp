// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "cpu/thread_pool.hpp"
#include "field/field.hpp"

namespace cuzk {

// A witness with its zeros and ones as bits: the places of CUZK_WITNESS_PACKED in memory.
struct PackedWitness {
  static constexpr uint64_t BLOCK_SIZE = 64;

  const uint64_t *ones, *others;
  const uint32_t *firsts;
  const uint8_t *scalars;
  uint64_t variables, count;

  static uint64_t blockCount(uint64_t variables) { return (variables + BLOCK_SIZE - 1) / BLOCK_SIZE; }
  static uint64_t bytes(uint64_t variables, uint64_t count) { return scalarsAt(variables) + 32 * count; }
  // Packing pays only where it saves half at least; plans count with no more.
  static uint64_t mostBytes(uint64_t variables) { return std::max<uint64_t>(16 * variables, 64); }

  uint64_t bytes() const { return bytes(variables, count); }

  // The same at another address, for example in device memory.
  PackedWitness at(const void *memory) const {
    const auto *base = static_cast<const uint8_t *>(memory);
    const uint64_t blocks = blockCount(variables);
    return {reinterpret_cast<const uint64_t *>(base + HEADER),
            reinterpret_cast<const uint64_t *>(base + HEADER) + blocks,
            reinterpret_cast<const uint32_t *>(base + HEADER + 16 * blocks),
            base + scalarsAt(variables),
            variables,
            count};
  }
  // To canonical scalars.
  void expand(ThreadPool &pool, uint8_t *target) const {
    const PackedWitness packed = *this;
    pool.run(
        blockCount(variables),
        [&](size_t block, size_t) {
          uint64_t next = packed.firsts[block];
          const uint64_t first = block * BLOCK_SIZE, here = std::min(BLOCK_SIZE, variables - first);
          for (uint64_t i = 0; i < here; i++) {
            uint8_t *value = target + 32 * (first + i);
            if (packed.others[block] >> i & 1) {
              require(next < packed.count, "a packed witness counts fewer values than it has");
              std::memcpy(value, packed.scalars + 32 * next++, 32);
            } else {
              std::memset(value, 0, 32);
              value[0] = packed.ones[block] >> i & 1;
            }
          }
        },
        nullptr);
  }
  // Checks the header alone; memory aligned to 16 bytes.
  static PackedWitness of(const void *memory, uint64_t variables) {
    require(reinterpret_cast<uintptr_t>(memory) % 16 == 0, "a packed witness is not aligned to 16 bytes");
    uint64_t header[2];
    std::memcpy(header, memory, sizeof header);
    require(header[0] == variables, "a packed witness has another number of values than the key's shape");
    require(header[1] <= variables && bytes(variables, header[1]) <= mostBytes(variables),
            "a packed witness takes more than half of the plain one");
    return PackedWitness{nullptr, nullptr, nullptr, nullptr, variables, header[1]}.at(memory);
  }

  static constexpr uint64_t HEADER = 16;

 private:
  static uint64_t scalarsAt(uint64_t variables) { return HEADER + (20 * blockCount(variables) + 15) / 16 * 16; }

  friend class WitnessPacker;
};

// Packs canonical scalars: all threads look at them once.
class WitnessPacker {
 public:
  WitnessPacker(const void *scalars, uint64_t variables)
      : scalars_(static_cast<const uint8_t *>(scalars)), variables_(variables) {}

  // Packs into `target` and returns the bytes taken; 0: more than `capacity`, or than packing may take.
  uint64_t pack(ThreadPool &pool, void *target, uint64_t capacity) {
    const uint64_t blocks = PackedWitness::blockCount(variables_);
    const uint64_t most = std::min(capacity, PackedWitness::mostBytes(variables_));
    if (PackedWitness::bytes(variables_, 0) > most) return 0;
    auto *base = static_cast<uint8_t *>(target);
    auto *ones = reinterpret_cast<uint64_t *>(base + PackedWitness::HEADER);
    uint64_t *others = ones + blocks;
    auto *firsts = reinterpret_cast<uint32_t *>(others + blocks);
    const uint64_t tasks = (blocks + BLOCKS_A_TASK - 1) / BLOCKS_A_TASK;
    std::vector<uint64_t> counts(tasks + 1);
    run(pool, blocks, [&](uint64_t task, uint64_t begin, uint64_t end) {
      uint64_t count = 0;
      for (uint64_t block = begin; block < end; block++) {
        classify(block, ones[block], others[block]);
        count += static_cast<uint64_t>(__builtin_popcountll(others[block]));
      }
      counts[task + 1] = count;
    });
    for (uint64_t task = 0; task < tasks; task++) counts[task + 1] += counts[task];
    const uint64_t bytes = PackedWitness::bytes(variables_, counts[tasks]);
    if (bytes > most) return 0;
    const uint64_t header[2] = {variables_, counts[tasks]};
    std::memcpy(base, header, sizeof header);
    uint8_t *values = base + PackedWitness::scalarsAt(variables_);
    run(pool, blocks, [&](uint64_t task, uint64_t begin, uint64_t end) {
      uint64_t next = counts[task];
      for (uint64_t block = begin; block < end; block++) {
        firsts[block] = static_cast<uint32_t>(next);
        for (uint64_t left = others[block]; left != 0; left &= left - 1) {
          const uint64_t index = block * PackedWitness::BLOCK_SIZE + static_cast<uint64_t>(__builtin_ctzll(left));
          std::memcpy(values + 32 * next++, scalars_ + 32 * index, 32);
        }
      }
    });
    return bytes;
  }

 private:
  static constexpr uint64_t BLOCKS_A_TASK = 1024;

  template <class Body>
  static void run(ThreadPool &pool, uint64_t blocks, const Body &body) {
    pool.run((blocks + BLOCKS_A_TASK - 1) / BLOCKS_A_TASK,
             [&](size_t task, size_t) {
               body(task, task * BLOCKS_A_TASK, std::min<uint64_t>(blocks, (task + 1) * BLOCKS_A_TASK));
             },
             nullptr);
  }

  void classify(uint64_t block, uint64_t &ones, uint64_t &others) const {
    const uint64_t first = block * PackedWitness::BLOCK_SIZE;
    const uint64_t here = std::min(PackedWitness::BLOCK_SIZE, variables_ - first);
    ones = others = 0;
    for (uint64_t i = 0; i < here; i++) {
      uint64_t words[4];
      std::memcpy(words, scalars_ + 32 * (first + i), sizeof words);
      const uint64_t rest = words[1] | words[2] | words[3];
      const uint64_t other = (words[0] > 1) | (rest != 0);
      others |= other << i;
      ones |= (words[0] & (1 - other)) << i;
    }
  }

  const uint8_t *scalars_;
  const uint64_t variables_;
};

}  // namespace cuzk
