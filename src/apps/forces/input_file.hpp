// Sequential input from a file or the standard input.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace rafter::forces {

/// An input file or stream. Throws Error (io) when it cannot be read, and (bad_argument) for a compressed file.
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
  [[noreturn]] void fail(int error) const;
  bool wait_for_bytes() const;

  std::string name_;
  std::function<bool()> stop_;
  int file_;
  bool is_at_start_ = true;
  std::optional<std::int64_t> n_bytes_;
};

}  // namespace rafter::forces
