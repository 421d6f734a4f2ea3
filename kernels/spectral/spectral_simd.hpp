// The loops under the CPU's forward pass, compiled per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"
#include "library/core/cpu/panels.hpp"

namespace rafter::spectral_ladder::cpu {

using core::round_up_to_panels, core::Panels, core::panel_width, core::Rows;

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
