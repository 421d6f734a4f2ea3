// Input files: regular files, and input that is read in order from a file or a pipe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rafter::base {

/// Whether a path names the standard input: "-" or /dev/stdin.
bool names_stdin(const std::string& path);

struct RegularFile {
  std::unique_ptr<std::istream> stream;
  std::uintmax_t n_bytes = 0;
};

/// Opens a file to read. Throws Error (io) when it cannot be read, and for a folder, a named pipe or a device, which
/// might never end.
RegularFile open_regular_file(const std::filesystem::path& path);

/// A file or stream that is read in order. Throws Error (io) when it cannot be read, for a named pipe or a device, and
/// (bad_argument) for a compressed file. The shell's <(command) is accepted.
class InputFile {
 public:
  /// Opens a file; "-" is the standard input. `stop` is polled while a pipe has no data; true ends the input.
  explicit InputFile(
      const std::string& path, std::function<bool()> stop = [] { return false; });
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& name() const { return name_; }  ///< for messages: in quotes
  /// The size of a regular file; nullopt for others.
  std::optional<std::int64_t> n_bytes() const { return n_bytes_; }

  /// Fills the front of the span with the next bytes and returns their number; 0 at the end.
  std::size_t read(std::span<char> bytes);

 private:
  [[noreturn]] void fail(const std::string& reason) const;
  bool wait_for_bytes() const;

  std::string name_;
  std::function<bool()> stop_;
  int file_;
  bool is_at_start_ = true;
  std::optional<std::int64_t> n_bytes_;
};

/// An InputFile as a stream that cannot seek.
class InputStream : public std::istream {
 public:
  explicit InputStream(
      const std::string& path, std::function<bool()> stop = [] { return false; });
  std::optional<std::int64_t> n_bytes() const { return buffer_.file_.n_bytes(); }

 private:
  class Buffer : public std::streambuf {
   public:
    Buffer(const std::string& path, std::function<bool()> stop) : file_(path, std::move(stop)), bytes_(1 << 16) {}

    InputFile file_;

   private:
    int_type underflow() override;

    std::vector<char> bytes_;
  };
  Buffer buffer_;
};

}  // namespace rafter::base
