#include "base/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "base/mapped_file.hpp"
#include "rafter/error.hpp"

namespace rafter::base {

namespace {

bool is_compressed(std::string_view start) {
  for (const std::string_view magic : {"\x1f\x8b", "BZh", "\xfd\x37zXZ", "(\xb5/\xfd"}) {
    if (start.starts_with(magic)) return true;
  }
  return false;
}

/// Opens without waiting for the other end of a named pipe.
int open_at_once(const std::string& path) {
  if (path == "-") return dup(STDIN_FILENO);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file >= 0) fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
  return file;
}

/// Whether the path is one of the process's open files, such as /dev/stdin or the /dev/fd/63 of <(command).
bool is_of_process(const std::string& path) {
  return names_stdin(path) || path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/");
}

}  // namespace

bool names_stdin(const std::string& path) { return path == "-" || path == "/dev/stdin"; }

RegularFile open_regular_file(const std::filesystem::path& path) {
  const auto fail = [&](const std::string& reason) {
    throw Error(ErrorCode::io, fmt::format("cannot read '{}': {}", path.string(), reason));
  };
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) fail(std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail(not_regular(status.st_mode));
  auto stream = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*stream) fail("no permission");
  return {std::move(stream), static_cast<std::uintmax_t>(status.st_size)};
}

InputFile::InputFile(const std::string& path, std::function<bool()> stop)
    : name_(names_stdin(path) ? "the standard input" : "'" + path + "'"),
      stop_(std::move(stop)),
      file_(open_at_once(path)) {
  if (file_ < 0) fail(std::strerror(errno));
  struct stat status {};
  fstat(file_, &status);
  if (S_ISREG(status.st_mode)) {
    n_bytes_ = status.st_size;
  } else if (!is_of_process(path) || S_ISDIR(status.st_mode)) {
    close(file_);
    fail(not_regular(status.st_mode));
  }
}

InputFile::~InputFile() { close(file_); }

void InputFile::fail(const std::string& reason) const {
  throw Error(ErrorCode::io, fmt::format("cannot read {}: {}", name_, reason));
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
  if (n < 0) fail(std::strerror(errno));
  const std::string_view read(bytes.data(), static_cast<std::size_t>(n));
  if (std::exchange(is_at_start_, false) && is_compressed(read)) {
    throw Error(ErrorCode::bad_argument,
                fmt::format("{} is compressed: unpack it, as in 'zcat FILE | rafter COMMAND -'", name_));
  }
  return read.size();
}

InputStream::InputStream(const std::string& path, std::function<bool()> stop)
    : std::istream(nullptr), buffer_(path, std::move(stop)) {
  rdbuf(&buffer_);
}

InputStream::Buffer::int_type InputStream::Buffer::underflow() {
  const std::size_t n = file_.read(bytes_);
  setg(bytes_.data(), bytes_.data(), bytes_.data() + n);
  return n == 0 ? traits_type::eof() : traits_type::to_int_type(bytes_.front());
}

}  // namespace rafter::base
