// A target or a prediction: a factor or a time.
#pragma once

#include <string>

namespace rafter::journal {

struct Quantity {
  enum class Kind { factor, time };
  Kind kind = Kind::factor;
  double value = 0;  ///< a time in nanoseconds

  bool is_factor() const { return kind == Kind::factor; }
  std::string text() const;  ///< "5x", "36.0 ms"
};

/// Parses "5x", "1.3x", "36ms", "850 us" or "2s". Throws Error (bad_argument) that names the option.
Quantity parse_quantity(const std::string& option, const std::string& text);

}  // namespace rafter::journal
