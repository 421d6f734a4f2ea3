// Output to a terminal or to a pipe.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace rafter::base {

enum class Style { plain, coloured };

/// Returns colours for a terminal, unless NO_COLOR is set; none for a pipe.
Style output_style();

/// Returns the width of the standard output: that of the terminal, from 60 to 100. For a pipe: $COLUMNS, or 100.
int output_columns();

/// Wraps words into lines of at most `width` columns, each after `indent`, the first after `first`. Does not split
/// words.
std::string wrapped(const std::string& words, const std::string& first, const std::string& indent,
                    int width = output_columns());

/// A progress line on the terminal; prints nothing to a pipe.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows the line. `share` is the fraction completed, if known.
  void show(const std::string& what, std::optional<double> share);
  void clear();

 private:
  bool on_terminal_;
  bool visible_ = false;
  std::chrono::steady_clock::time_point
      shown_{};  ///< updated at most ten times a second, because it runs during timing
};

}  // namespace rafter::base
