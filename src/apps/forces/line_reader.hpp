// Reads lines of a text of any size through a bounded buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rafter::forces {

class LineReader {
 public:
  /// Fills the front of a span with the next bytes and returns their number; 0 at the end.
  using Read = std::function<std::size_t(std::span<char>)>;
  /// The maximum length of a line; longer ones are cut to one byte more.
  static constexpr std::size_t longest_line = 1 << 20;

  explicit LineReader(Read read) : read_(std::move(read)) {}

  /// Returns the line `n_ahead` lines after the current one, without its line break; nullopt after the last. Valid
  /// until the next call.
  std::optional<std::string_view> line(std::size_t n_ahead = 0);

  /// Advances to the next line; there must be a current one.
  void advance();

  std::int64_t number() const { return number_; }    ///< number of the current line, from 1
  std::int64_t n_bytes() const { return n_bytes_; }  ///< bytes read

 private:
  bool refill();
  std::size_t end_of_line(std::size_t& start);
  void cut_line(std::size_t start);

  Read read_;
  std::string buffer_;
  std::size_t begin_ = 0;  // start of the current line
  bool has_ended_ = false;
  std::int64_t number_ = 1, n_bytes_ = 0;
};

}  // namespace rafter::forces
