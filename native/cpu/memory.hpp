// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

namespace cuzk {

// Large blocks of working memory between two uses: fresh ones would cost a page fault a page, every proof anew.
class BlockCache {
 public:
  BlockCache() = default;
  BlockCache(const BlockCache &) = delete;
  BlockCache &operator=(const BlockCache &) = delete;
  ~BlockCache() {
    while (!blocks_.empty()) dropSmallest();
  }

  // A block of exactly this size; or null, and what is held leaves room for one within `most` bytes.
  void *take(size_t bytes, uint64_t most) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = blocks_.find(bytes);
    if (found == blocks_.end()) {
      while (!blocks_.empty() && held_ + bytes > most) dropSmallest();
      return nullptr;
    }
    void *block = found->second;
    blocks_.erase(found);
    held_ -= bytes;
    return block;
  }
  // Keeps the block if no more than `most` bytes are held then, and frees it otherwise.
  void give(void *block, size_t bytes, uint64_t most) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (held_ + bytes > most) {
      std::free(block);
      return;
    }
    blocks_.emplace(bytes, block);
    held_ += bytes;
  }

 private:
  void dropSmallest() {
    std::free(blocks_.begin()->second);
    held_ -= blocks_.begin()->first;
    blocks_.erase(blocks_.begin());
  }

  std::mutex mutex_;
  std::multimap<size_t, void *> blocks_;
  uint64_t held_ = 0;
};

// Counts the bytes that arrays hold, now and at the worst moment. Accounts form a chain: what a proof allocates is
// counted for the proof and for its device. The account at the chain's end keeps working memory for the next proof, no
// more of it than the worst moment has had.
class MemoryAccount {
 public:
  explicit MemoryAccount(MemoryAccount *parent = nullptr) : parent_(parent) {}
  MemoryAccount(const MemoryAccount &) = delete;
  MemoryAccount &operator=(const MemoryAccount &) = delete;

  void add(uint64_t bytes) {
    uint64_t now = inUse_.fetch_add(bytes) + bytes;
    uint64_t peak = peak_.load();
    while (peak < now && !peak_.compare_exchange_weak(peak, now)) {
    }
    if (parent_ != nullptr) parent_->add(bytes);
  }
  void remove(uint64_t bytes) {
    inUse_.fetch_sub(bytes);
    if (parent_ != nullptr) parent_->remove(bytes);
  }
  uint64_t inUse() const { return inUse_.load(); }
  uint64_t peak() const { return peak_.load(); }

  // Before `add`; null where there is none.
  void *takeBlock(size_t bytes) {
    return parent_ != nullptr ? parent_->takeBlock(bytes) : blocks_.take(bytes, peak() - inUse());
  }
  // After `remove`.
  void giveBlock(void *block, size_t bytes) {
    if (parent_ != nullptr) return parent_->giveBlock(block, bytes);
    blocks_.give(block, bytes, peak() - inUse());
  }

 private:
  MemoryAccount *parent_;
  std::atomic<uint64_t> inUse_{0};
  std::atomic<uint64_t> peak_{0};
  BlockCache blocks_;
};

// Overwrites memory in a way that the compiler may not drop.
inline void wipe(void *memory, size_t bytes) {
  std::memset(memory, 0, bytes);
  asm volatile("" : : "r"(memory) : "memory");
}

enum class Content { PUBLIC, SECRET };

// A fixed-length array, aligned to cache lines, not initialised, counted in an account. SECRET arrays (whatever
// derives from a witness) are overwritten before they are freed.
template <class T>
class Array {
  static_assert(std::is_trivially_destructible<T>::value, "elements are not destroyed one by one");

 public:
  Array() = default;
  Array(MemoryAccount &account, size_t count, Content content = Content::PUBLIC)
      : account_(&account), count_(count), content_(content), isWork_(content == Content::SECRET) {
    if (count == 0) return;
    if (count > SIZE_MAX / sizeof(T) / 2) throw std::bad_alloc();
    if (isReused()) data_ = static_cast<T *>(account.takeBlock(rounded()));
    if (data_ == nullptr) {
      data_ = static_cast<T *>(std::aligned_alloc(alignment(), rounded()));
      if (data_ == nullptr) throw std::bad_alloc();
      // Gathering points is random access: fewer, larger pages. Where that is refused nothing is lost.
      if (alignment() == HUGE_PAGE) (void)madvise(static_cast<void *>(data_), rounded(), MADV_HUGEPAGE);
    }
    account.add(bytes());
  }
  Array(Array &&other) noexcept { swap(other); }
  Array &operator=(Array &&other) noexcept {
    Array moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~Array() {
    if (data_ == nullptr) return;
    if (content_ == Content::SECRET) wipe(data_, bytes());
    account_->remove(bytes());
    if (isReused()) {
      account_->giveBlock(data_, rounded());
    } else {
      std::free(data_);
    }
  }

  T *data() { return data_; }
  const T *data() const { return data_; }
  size_t size() const { return count_; }
  size_t bytes() const { return count_ * sizeof(T); }
  T &operator[](size_t i) { return data_[i]; }
  const T &operator[](size_t i) const { return data_[i]; }

  // It holds no secret any more.
  void setWiped() { content_ = Content::PUBLIC; }

  void swap(Array &other) noexcept {
    std::swap(account_, other.account_);
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    std::swap(content_, other.content_);
    std::swap(isWork_, other.isWork_);
  }

 private:
  size_t alignment() const { return bytes() >= 2 * HUGE_PAGE ? HUGE_PAGE : CACHE_LINE; }
  size_t rounded() const { return (bytes() + alignment() - 1) / alignment() * alignment(); }
  // Work is done in secret memory; what is public is a key, which goes back to the system with its owner.
  bool isReused() const { return isWork_ && bytes() >= SMALLEST_REUSED; }

  static constexpr size_t SMALLEST_REUSED = size_t{1} << 18;
  static constexpr size_t CACHE_LINE = 64;
  static constexpr size_t HUGE_PAGE = size_t{1} << 21;

  MemoryAccount *account_ = nullptr;
  T *data_ = nullptr;
  size_t count_ = 0;
  Content content_ = Content::PUBLIC;
  bool isWork_ = false;
};

}  // namespace cuzk
