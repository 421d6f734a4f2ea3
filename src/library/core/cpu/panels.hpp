// Matrices in panels: their columns in groups that vectors pass down, so that a product reads weights as they lie.
#pragma once

#include <cstdint>

namespace rafter::core {

/// Columns of a matrix that lie beside each other: panels are [in][panel_width], and rows of results whole panels.
inline constexpr std::int64_t panel_width = 32;
constexpr std::int64_t in_panels(std::int64_t n) { return (n + panel_width - 1) / panel_width * panel_width; }

/// Where the weight from input `in` to output `out` lies in a matrix of n_in inputs.
constexpr std::int64_t panel_index(std::int64_t n_in, std::int64_t in, std::int64_t out) {
  return (out / panel_width * n_in + in) * panel_width + out % panel_width;
}

/// Rows of floats, `pitch` apart.
template <class T>
struct Rows {
  T* data;
  std::int64_t pitch;

  constexpr Rows from(std::int64_t row) const { return {data + row * pitch, pitch}; }
  constexpr operator Rows<const T>() const { return {data, pitch}; }
};

/// A matrix in panels, and what is added to its products.
struct Panels {
  const float* matrix;  // [ceil(n_out / panel_width)][n_in][panel_width]
  const float* bias;    // [n_out in panels]
  std::int64_t n_in;
  std::int64_t n_out;
};

}  // namespace rafter::core
