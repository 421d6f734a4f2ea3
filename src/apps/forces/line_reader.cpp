#include "apps/forces/line_reader.hpp"

#include <algorithm>
#include <utility>

namespace rafter::forces {

/// Appends the next bytes to the buffer; returns false at the end.
bool LineReader::refill() {
  constexpr std::size_t bytes_at_a_time = 1 << 16;
  if (has_ended_) return false;
  const std::size_t n_before = buffer_.size();
  buffer_.resize(n_before + bytes_at_a_time);
  const std::size_t n = read_(std::span(buffer_).subspan(n_before));
  buffer_.resize(n_before + n);
  n_bytes_ += static_cast<std::int64_t>(n);
  has_ended_ = n == 0;
  return n > 0;
}

/// Skips the rest of a line that is too long and keeps its beginning.
void LineReader::cut_line(std::size_t start) {
  const std::size_t kept = start + longest_line + 1;
  std::size_t end = std::string::npos;
  do {
    buffer_.resize(kept);
    if (!refill()) return;
    end = buffer_.find('\n', kept);
  } while (end == std::string::npos);
  buffer_.erase(kept, end - kept);
}

/// Returns the end of the line that begins at `start`, which is updated when the buffer moves.
std::size_t LineReader::end_of_line(std::size_t& start) {
  while (true) {
    const std::size_t end = buffer_.find('\n', start);
    if (end != std::string::npos) return end;
    start -= begin_;
    buffer_.erase(0, std::exchange(begin_, 0));  // processed lines
    if (buffer_.size() - start > longest_line + 1) {
      cut_line(start);
    } else if (!refill()) {
      return buffer_.size();
    }
  }
}

std::optional<std::string_view> LineReader::line(std::size_t n_ahead) {
  std::size_t start = begin_, end = end_of_line(start);
  for (; n_ahead > 0; --n_ahead) {
    if (end == buffer_.size()) return std::nullopt;
    start = end + 1;
    end = end_of_line(start);
  }
  if (start == buffer_.size()) return std::nullopt;
  return std::string_view(buffer_).substr(start, std::min(end - start, longest_line + 1));
}

void LineReader::advance() {
  std::size_t start = begin_;
  const std::size_t end = end_of_line(start);
  begin_ = std::min(end + 1, buffer_.size());
  ++number_;
}

}  // namespace rafter::forces
