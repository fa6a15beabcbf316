// SPDX-License-Identifier: Apache-2.0
#include "cpu/thread_pool.hpp"

#include <algorithm>

namespace cuzk {

ThreadPool::ThreadPool(unsigned threads) : threads_(std::max(threads, 1u)), limit_(threads_) {
  workers_.reserve(threads_ - 1);
  try {
    for (size_t slot = 1; slot < threads_; slot++) workers_.emplace_back([this, slot] { work(slot); });
  } catch (...) {
    stop();
    throw;
  }
}

ThreadPool::~ThreadPool() {
  stop();
}

void ThreadPool::stop() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread &worker : workers_) worker.join();
}

void ThreadPool::limit(unsigned threads) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    limit_ = threads;
  }
  wake_.notify_all();
}

void ThreadPool::run(size_t count, const Task &task, const std::atomic<bool> *cancelled) {
  if (count == 0) return;
  Batch batch;
  batch.task = &task;
  batch.count = count;
  batch.cancelled = cancelled;
  bool shared = count > 1 && threads_ > 1;
  if (shared) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      batches_.push_back(&batch);
    }
    if (count > 2 || limit_ < threads_) {
      wake_.notify_all();
    } else {
      wake_.notify_one();
    }
  }
  drain(batch, 0);
  if (shared) {
    std::unique_lock<std::mutex> lock(mutex_);
    auto place = std::find(batches_.begin(), batches_.end(), &batch);
    if (place != batches_.end()) batches_.erase(place);
    idle_.wait(lock, [&] { return batch.helpers == 0; });
  }
  if (batch.error) std::rethrow_exception(batch.error);
}

void ThreadPool::drain(Batch &batch, size_t slot) {
  while (slot == 0 || slot < limit_.load(std::memory_order_relaxed)) {
    size_t index = batch.next.fetch_add(1);
    if (index >= batch.count || batch.failed.load(std::memory_order_relaxed)) return;
    try {
      if (batch.cancelled != nullptr && batch.cancelled->load(std::memory_order_relaxed)) {
        throw Failure(CUZK_CANCELLED, "the job was cancelled");
      }
      (*batch.task)(index, slot);
    } catch (...) {
      std::lock_guard<std::mutex> lock(mutex_);
      if (!batch.error) batch.error = std::current_exception();
      batch.failed = true;
    }
  }
}

void ThreadPool::work(size_t slot) {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return stopping_ || (!batches_.empty() && slot < limit_); });
    if (stopping_) return;
    Batch &batch = *batches_.front();
    if (batch.next.load() >= batch.count || batch.failed.load()) {
      batches_.pop_front();
      continue;
    }
    batch.helpers++;
    lock.unlock();
    drain(batch, slot);
    lock.lock();
    if (--batch.helpers == 0) idle_.notify_all();
  }
}

}  // namespace cuzk
