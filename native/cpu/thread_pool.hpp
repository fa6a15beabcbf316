// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "cpu/failure.hpp"
#include "cpu/memory.hpp"

namespace cuzk {

// Threads that a device owns. A run's tasks are handed out one by one, so unequal tasks leave no thread idle while
// others remain; the thread that calls run works too. Several threads may call run at once.
class ThreadPool {
 public:
  // A task gets its index and a slot below threads() that no other task of the same run uses at the same time.
  using Task = std::function<void(size_t index, size_t slot)>;

  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned threads() const { return threads_; }

  // From now on at most so many threads work in one run, its caller among them (so 1 at least); workers beyond leave
  // when they have ended their task. Callable from any thread at any time.
  void limit(unsigned threads);

  // Returns when all tasks are done. After a task has thrown, the rest are dropped and its exception is thrown here.
  // Throws Failure(CUZK_CANCELLED) if `cancelled` is seen set between tasks.
  void run(size_t count, const Task &task, const std::atomic<bool> *cancelled);

 private:
  struct Batch {
    const Task *task;
    size_t count;
    const std::atomic<bool> *cancelled;
    std::atomic<size_t> next{0};
    size_t helpers = 0;  // workers inside; guarded by mutex_
    std::atomic<bool> failed{false};
    std::exception_ptr error;  // guarded by mutex_
  };

  void work(size_t slot);
  void drain(Batch &batch, size_t slot);
  void stop();

  const unsigned threads_;
  std::atomic<size_t> limit_;
  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::deque<Batch *> batches_;
  std::vector<std::thread> workers_;
  bool stopping_ = false;
};

// Where an algorithm runs: the threads, the account its memory is counted in, and the flag that stops it.
struct Context {
  ThreadPool &pool;
  MemoryAccount &memory;
  const std::atomic<bool> *cancelled = nullptr;

  void forEach(size_t count, const ThreadPool::Task &task) const { pool.run(count, task, cancelled); }

  // body(begin, end) over [0, total) in pieces of at most `grain`.
  template <class Body>
  void forRange(size_t total, size_t grain, const Body &body) const {
    forEach((total + grain - 1) / grain, [&](size_t index, size_t) {
      size_t begin = index * grain;
      body(begin, begin + grain < total ? begin + grain : total);
    });
  }

  // Overwrites secret arrays on all threads, where one alone would do it at their end; cancelled or not.
  template <class... Arrays>
  void wipeTogether(Arrays &...arrays) const {
    constexpr size_t PIECE = size_t{1} << 20;
    struct Piece {
      uint8_t *memory;
      size_t bytes;
    };
    std::vector<Piece> pieces;
    auto add = [&](auto &array) {
      uint8_t *memory = reinterpret_cast<uint8_t *>(array.data());
      for (size_t offset = 0; offset < array.bytes(); offset += PIECE) {
        pieces.push_back({memory + offset, array.bytes() - offset < PIECE ? array.bytes() - offset : PIECE});
      }
    };
    (add(arrays), ...);
    pool.run(pieces.size(), [&](size_t i, size_t) { wipe(pieces[i].memory, pieces[i].bytes); }, nullptr);
    (arrays.setWiped(), ...);
  }
};

// The lowest index that a parallel check found wrong.
class FirstIndex {
 public:
  void report(uint64_t index) {
    uint64_t seen = lowest_.load();
    while (index < seen && !lowest_.compare_exchange_weak(seen, index)) {
    }
  }
  bool any() const { return lowest_.load() != UINT64_MAX; }
  uint64_t value() const { return lowest_.load(); }

 private:
  std::atomic<uint64_t> lowest_{UINT64_MAX};
};

}  // namespace cuzk
