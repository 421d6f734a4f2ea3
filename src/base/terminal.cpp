#include "base/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace rafter::base {

base::Style output_style() {
  const char* no_color = std::getenv("NO_COLOR");
  const bool refused = no_color != nullptr && *no_color != '\0';
  return isatty(STDOUT_FILENO) != 0 && !refused ? base::Style::coloured : base::Style::plain;
}

namespace {

/// Returns the width of the terminal; 0 if the file is not a terminal or the width is unknown.
int columns_of(int file) {
  winsize size{};
  return isatty(file) != 0 && ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

int output_columns() {
  constexpr int fewest = 60, most = 100;
  int columns = columns_of(STDOUT_FILENO);
  const char* wanted = std::getenv("COLUMNS");
  if (columns == 0 && wanted != nullptr) columns = std::atoi(wanted);
  return columns > 0 ? std::clamp(columns, fewest, most) : most;
}

ProgressLine::ProgressLine() : on_terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(const std::string& what, std::optional<double> share) {
  const auto now = std::chrono::steady_clock::now();
  if (!on_terminal_ || now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  const std::string done = share ? fmt::format("[{:3.0f}%] ", 100 * *share) : "";
  const int columns = columns_of(STDERR_FILENO);
  const int width =
      (columns > 0 ? columns : 100) - 1 - static_cast<int>(done.size());  // a line that wraps cannot be erased
  fmt::print(stderr, "\r\x1b[K{}{:.{}}", done, what, std::clamp(width, 10, 90));
  std::fflush(stderr);
  visible_ = true;
}

void ProgressLine::clear() {
  if (!visible_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  visible_ = false;
}

std::string wrapped(const std::string& words, const std::string& first, const std::string& indent, int width) {
  std::string result, line = first;
  std::istringstream stream(words);
  bool is_empty = true;
  for (std::string word; stream >> word;) {
    if (!is_empty && line.size() + 1 + word.size() > static_cast<std::size_t>(width)) {
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
