// Memory-mapped files. Header-only, because the library does not link base.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "rafter/error.hpp"

namespace rafter::base {

/// Says what a file is that is not a regular one.
inline std::string not_regular(mode_t mode) {
  const char* const what = S_ISDIR(mode) ? "folder" : S_ISFIFO(mode) ? "pipe" : S_ISSOCK(mode) ? "socket" : "device";
  return std::string("it is a ") + what + "; expected a regular file";
}

/// The bytes of a regular file, read on access. Valid for the lifetime of the object, unless another process truncates
/// the file.
class MappedFile {
 public:
  /// Maps a file. Throws Error (io).
  explicit MappedFile(const std::filesystem::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // of a pipe, without a writer
    const std::string problem = file < 0 ? std::strerror(errno) : map(file);
    if (file >= 0) close(file);
    if (!problem.empty()) throw Error(ErrorCode::io, "cannot read '" + path.string() + "': " + problem);
  }
  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MappedFile() {
    if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
  }

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  /// Returns what is wrong, or an empty string.
  std::string map(int file) {
    struct stat status {};
    if (fstat(file, &status) != 0) return std::strerror(errno);
    if (!S_ISREG(status.st_mode)) return not_regular(status.st_mode);
    const auto n_bytes = static_cast<std::size_t>(status.st_size);
    if (n_bytes == 0) return {};  // mmap rejects empty mappings
    void* const start = mmap(nullptr, n_bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (start == MAP_FAILED) return std::strerror(errno);
    bytes_ = {static_cast<std::byte*>(start), n_bytes};
    return {};
  }

  std::span<std::byte> bytes_;
};

}  // namespace rafter::base
