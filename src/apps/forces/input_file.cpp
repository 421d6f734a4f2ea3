#include "apps/forces/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "rafter/error.hpp"

namespace rafter::forces {

namespace {

bool is_compressed(std::string_view start) {
  for (const std::string_view magic : {"\x1f\x8b", "BZh", "\xfd\x37zXZ", "(\xb5/\xfd"}) {
    if (start.starts_with(magic)) return true;
  }
  return false;
}

}  // namespace

InputFile::InputFile(const std::string& path, std::function<bool()> stop)
    : name_(path == "-" ? "the standard input" : "'" + path + "'"),
      stop_(std::move(stop)),
      file_(path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) fail(errno);
  struct stat status {};
  fstat(file_, &status);
  if (S_ISREG(status.st_mode)) n_bytes_ = status.st_size;
}

InputFile::~InputFile() { close(file_); }

void InputFile::fail(int error) const {
  throw Error(ErrorCode::io, fmt::format("cannot read {}: {}", name_, std::strerror(error)));
}

/// Waits for input; returns false if reading should stop.
bool InputFile::wait_for_bytes() const {
  constexpr int patience_ms = 100;
  struct pollfd wanted {
    file_, POLLIN, 0
  };
  while (poll(&wanted, 1, patience_ms) <= 0) {
    if (stop_()) return false;
  }
  return true;
}

std::size_t InputFile::read(std::span<char> bytes) {
  ssize_t n = -1;
  do {
    if (!wait_for_bytes()) return 0;
    n = ::read(file_, bytes.data(), bytes.size());
  } while (n < 0 && errno == EINTR);
  if (n < 0) fail(errno);
  const std::string_view read(bytes.data(), static_cast<std::size_t>(n));
  if (std::exchange(is_at_start_, false) && is_compressed(read)) {
    throw Error(ErrorCode::bad_argument,
                fmt::format("{} is compressed; expected text: unpack it, as in 'zcat FILE | rafter forces -'", name_));
  }
  return read.size();
}

}  // namespace rafter::forces
