// The loops under the CPU's forward pass, compiled per instruction-set level.
#pragma once

#include <cstdint>

#include "core/isa.hpp"

namespace rafter::spectral_ladder::cpu {

/// Columns of a matrix that lie beside each other: panels are [in][panel_width], and rows of results whole panels.
inline constexpr std::int64_t panel_width = 32;
constexpr std::int64_t in_panels(std::int64_t n) { return (n + panel_width - 1) / panel_width * panel_width; }

/// Rows of floats, `pitch` apart.
template <class T>
struct Rows {
  T* data;
  std::int64_t pitch;
};

/// A matrix in panels, and what is added to its products.
struct Panels {
  const float* matrix;  // [ceil(n_out / panel_width)][n_in][panel_width]
  const float* bias;    // [n_out in panels]
  std::int64_t n_in;
  std::int64_t n_out;
};

struct SpectralLoops {
  /// Rows of n values become ones of mean 0 and variance 1, but for an epsilon that is added to the variance. Of out,
  /// what lies behind n values may be written up to whole panels.
  void (*normalise)(Rows<const float> in, std::int64_t n_rows, std::int64_t n, float epsilon, Rows<float> out);
  /// out = bias + in . matrix, in whole panels. What becomes of a row does not depend on the rows beside it.
  void (*multiply)(Rows<const float> in, std::int64_t n_rows, const Panels& by, Rows<float> out);
  /// values[i] becomes GELU of itself; n is a multiple of panel_width.
  void (*gelu)(float* values, std::int64_t n);
  /// The mean of (a[i] - b[i])^2.
  float (*mean_squared_error)(const float* a, const float* b, std::int64_t n);
};

RAFTER_DECLARE_ISA_TABLE(SpectralLoops, spectral_loops)

}  // namespace rafter::spectral_ladder::cpu
