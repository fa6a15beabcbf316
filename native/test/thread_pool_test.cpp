// SPDX-License-Identifier: Apache-2.0
#include "cpu/thread_pool.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <thread>

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

// Tasks that count how many of them run, and note the most there were; each lasts long enough for others to join.
class Together {
 public:
  void operator()(size_t, size_t) {
    int now = ++running_, seen = most_.load();
    while (now > seen && !most_.compare_exchange_weak(seen, now)) {
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    running_--;
  }
  int takeMost() { return most_.exchange(0); }

 private:
  std::atomic<int> running_{0}, most_{0};
};

TEST_CASE("a limit holds between tasks and is lifted again") {
  ThreadPool pool(4);
  Together together;
  auto run = [&](size_t count) { pool.run(count, std::ref(together), nullptr); };
  for (unsigned limit : {1u, 2u, 3u, 9u}) {
    pool.limit(limit);
    run(200);
    CHECK(together.takeMost() <= static_cast<int>(limit));
  }
  pool.limit(4);
  std::atomic<bool> enough{false};
  std::thread caller([&] {
    while (!enough) run(100);
  });
  while (together.takeMost() < 3) std::this_thread::yield();
  pool.limit(1);
  // Whoever had begun a task may end it.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  together.takeMost();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(together.takeMost() == 1);
  pool.limit(4);
  while (together.takeMost() < 2) std::this_thread::yield();
  enough = true;
  caller.join();
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
