// Matrices in panels: groups of columns stored so that products read the weights sequentially.
#pragma once

#include <cstdint>

namespace rafter::core {

/// The columns of a panel. Panels are [in][panel_width]; rows of results are padded to whole panels.
inline constexpr std::int64_t panel_width = 32;
/// Rounds n up to whole panels.
constexpr std::int64_t round_up_to_panels(std::int64_t n) { return (n + panel_width - 1) / panel_width * panel_width; }

/// Returns the index of the weight from input `in` to output `out` in a matrix with n_in inputs.
constexpr std::int64_t panel_index(std::int64_t n_in, std::int64_t in, std::int64_t out) {
  return (out / panel_width * n_in + in) * panel_width + out % panel_width;
}

/// A view of rows that begin `pitch` elements apart.
template <class T>
struct Rows {
  T* data;
  std::int64_t pitch;

  constexpr Rows from(std::int64_t row) const { return {data + row * pitch, pitch}; }
  constexpr operator Rows<const T>() const { return {data, pitch}; }
};

/// A matrix in panels and the bias of its products.
struct Panels {
  const float* matrix;  // [ceil(n_out / panel_width)][n_in][panel_width]
  const float* bias;    // [n_out rounded up to panels]
  std::int64_t n_in;
  std::int64_t n_out;
};

}  // namespace rafter::core
