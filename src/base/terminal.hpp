// What differs between a person at a terminal and a pipe.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace rafter::base {

enum class Style { plain, coloured };

/// Colours on a terminal, unless NO_COLOR is set.
Style output_style();

/// Columns that the standard output has: the terminal's, from 60 to 100. In a pipe as many as $COLUMNS says, or 100.
int output_columns();

/// Breaks words into lines of at most `width` columns, each behind `indent`; the first behind `first`. No word is cut.
std::string wrapped(const std::string& words, const std::string& first, const std::string& indent,
                    int width = output_columns());

/// A line on the terminal that says what is being done; nothing in a pipe.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// `share`: how much is done, of work whose end is known.
  void show(const std::string& what, std::optional<double> share);
  void clear();

 private:
  bool on_terminal_;
  bool visible_ = false;
  std::chrono::steady_clock::time_point shown_{};  ///< at most ten times a second: the timing goes on meanwhile
};

}  // namespace rafter::base
