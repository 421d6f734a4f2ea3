#include "base/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace rafter::base {

base::Style output_style() {
  const char* no_color = std::getenv("NO_COLOR");
  const bool refused = no_color != nullptr && *no_color != '\0';
  return isatty(STDOUT_FILENO) != 0 && !refused ? base::Style::coloured : base::Style::plain;
}

ProgressLine::ProgressLine() : on_terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(const std::string& what, std::optional<double> share) {
  const auto now = std::chrono::steady_clock::now();
  if (!on_terminal_ || now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  const std::string done = share ? fmt::format("[{:3.0f}%] ", 100 * *share) : "";
  fmt::print(stderr, "\r\x1b[K{}{:.90}", done, what);
  std::fflush(stderr);
  visible_ = true;
}

void ProgressLine::clear() {
  if (!visible_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  visible_ = false;
}

std::string wrapped(const std::string& words, const std::string& first, const std::string& indent, std::size_t width) {
  std::string result, line = first;
  std::istringstream stream(words);
  bool is_empty = true;
  for (std::string word; stream >> word;) {
    if (!is_empty && line.size() + 1 + word.size() > width) {
      result += line + "\n";
      line = indent;
      is_empty = true;
    }
    line += (is_empty ? "" : " ") + word;
    is_empty = false;
  }
  return result + line + "\n";
}

}  // namespace rafter::base
