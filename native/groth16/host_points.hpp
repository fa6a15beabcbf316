// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cuda/upload_ring.hpp"

namespace cuzk::gpu {

// Where the points of one query of a streamed key lie: pieces of files, or a copy in ordinary memory of what came over
// the C interface.
class HostPoints {
 public:
  HostPoints(MemoryAccount &account, uint64_t count, size_t pointBytes)
      : account_(&account), count_(count), pointBytes_(pointBytes) {}

  // Keeps a copy.
  HostSource append(ThreadPool &pool, uint64_t first, uint64_t count, const void *points) {
    if (copy_.size() == 0) copy_ = Array<char>(*account_, count_ * pointBytes_);
    char *target = copy_.data() + first * pointBytes_;
    const uint64_t bytes = count * pointBytes_, pieces = (bytes + PIECE - 1) / PIECE;
    pool.run(
        pieces,
        [&](size_t piece, size_t) {
          const uint64_t begin = piece * PIECE;
          std::memcpy(target + begin, static_cast<const char *>(points) + begin, std::min(PIECE, bytes - begin));
        },
        nullptr);
    const HostSource source(target);
    add(first, source);
    return source;
  }
  // Keeps the file.
  void append(uint64_t first, const HostSource &source) { add(first, source); }

  // Calls body(source, first, count) for the pieces that points first ... last - 1 consist of.
  template <class Body>
  void forEach(uint64_t first, uint64_t last, const Body &body) const {
    for (size_t i = 0; i < pieces_.size() && first < last; i++) {
      const uint64_t end = i + 1 < pieces_.size() ? pieces_[i + 1].first : count_;
      if (end <= first) continue;
      const uint64_t here = std::min(end, last) - first;
      body(pieces_[i].source + (first - pieces_[i].first) * pointBytes_, first, here);
      first += here;
    }
  }

 private:
  static constexpr uint64_t PIECE = uint64_t{4} << 20;

  struct Piece {
    uint64_t first;
    HostSource source;
  };

  void add(uint64_t first, const HostSource &source) { pieces_.push_back({first, source}); }

  MemoryAccount *account_;
  uint64_t count_;
  size_t pointBytes_;
  Array<char> copy_;
  std::vector<Piece> pieces_;
};

}  // namespace cuzk::gpu
