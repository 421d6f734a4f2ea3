// Shapes of arrays in messages. A header alone, for the library, too.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace rafter::base {

/// As NumPy shows it: "(3, 86, 86)", "(3,)".
inline std::string show_shape(std::span<const std::int64_t> shape) {
  std::string text;
  for (const std::int64_t extent : shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace rafter::base
