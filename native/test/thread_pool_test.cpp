// SPDX-License-Identifier: Apache-2.0
#include "cpu/thread_pool.hpp"

#include <doctest/doctest.h>

namespace cuzk {
namespace {

TEST_CASE("every task runs once, slots stay below the number of threads") {
  for (unsigned threads : {1u, 2u, 7u}) {
    ThreadPool pool(threads);
    for (size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{1000}}) {
      std::vector<std::atomic<int>> seen(count);
      std::atomic<bool> outside{false};
      pool.run(
          count,
          [&](size_t index, size_t slot) {
            seen[index]++;
            if (slot >= threads) outside = true;
          },
          nullptr);
      for (auto &times : seen) CHECK(times == 1);
      CHECK_FALSE(outside);
    }
  }
}

TEST_CASE("a task's exception reaches the caller and the pool goes on") {
  ThreadPool pool(3);
  for (int round = 0; round < 20; round++) {
    CHECK_THROWS_AS(pool.run(
                        100,
                        [](size_t index, size_t) {
                          if (index == 50) throw std::bad_alloc();
                        },
                        nullptr),
                    std::bad_alloc);
  }
  std::atomic<int> ran{0};
  pool.run(10, [&](size_t, size_t) { ran++; }, nullptr);
  CHECK(ran == 10);
}

TEST_CASE("a set flag stops a run") {
  ThreadPool pool(2);
  std::atomic<bool> cancelled{false};
  std::atomic<int> ran{0};
  try {
    pool.run(
        100000,
        [&](size_t, size_t) {
          if (++ran == 10) cancelled = true;
        },
        &cancelled);
    FAIL("was not stopped");
  } catch (const Failure &failure) {
    CHECK(failure.status == CUZK_CANCELLED);
  }
  CHECK(ran < 100000);
}

TEST_CASE("several threads use one pool at once") {
  ThreadPool pool(3);
  std::atomic<int> total{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; i++) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; round++) pool.run(20, [&](size_t, size_t) { total++; }, nullptr);
    });
  }
  for (auto &caller : callers) caller.join();
  CHECK(total == 4 * 50 * 20);
}

}  // namespace
}  // namespace cuzk
