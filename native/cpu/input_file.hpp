// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "cpu/failure.hpp"

namespace cuzk {

// A file that is read in pieces, by several threads, perhaps again and again. One that became shorter or was written to
// since it was opened throws Failure(CUZK_INPUT_CHANGED) with the offset.
class InputFile {
 public:
  explicit InputFile(const char *path) : descriptor_(open(path, O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0)
      throw Failure(CUZK_INPUT_CHANGED, std::string("opening it: ") + std::strerror(errno), 0, errno);
    struct stat status;
    if (fstat(descriptor_, &status) != 0) {
      const int code = errno;
      close(descriptor_);
      throw Failure(CUZK_INPUT_CHANGED, std::string("looking at it: ") + std::strerror(code), 0, code);
    }
    size_ = static_cast<uint64_t>(status.st_size);
    modified_ = status.st_mtim;
  }
  ~InputFile() { close(descriptor_); }
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;

  uint64_t size() const { return size_; }

  void read(void *to, uint64_t offset, size_t bytes) const {
    char *target = static_cast<char *>(to);
    while (bytes > 0) {
      const ssize_t got = pread(descriptor_, target, bytes, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw Failure(CUZK_INPUT_CHANGED, std::string("reading it: ") + std::strerror(errno), offset, errno);
      if (got == 0) throw Failure(CUZK_INPUT_CHANGED, "the file ends too early", offset);
      target += got;
      offset += static_cast<uint64_t>(got);
      bytes -= static_cast<size_t>(got);
    }
  }

  // After a pass over the file: what was read belongs together.
  void requireUnchanged() const {
    struct stat status;
    if (fstat(descriptor_, &status) == 0 && static_cast<uint64_t>(status.st_size) == size_ &&
        status.st_mtim.tv_sec == modified_.tv_sec && status.st_mtim.tv_nsec == modified_.tv_nsec) {
      return;
    }
    throw Failure(CUZK_INPUT_CHANGED, "the file was written to while it was in use");
  }

 private:
  const int descriptor_;
  uint64_t size_ = 0;
  struct timespec modified_ = {};
};

}  // namespace cuzk
