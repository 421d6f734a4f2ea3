// The loops under the CPU's forward pass, compiled once per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"
#include "library/core/cpu/panels.hpp"

namespace rafter::spectral_ladder::cpu {

using core::round_up_to_panels, core::Panels, core::panel_width, core::Rows;

struct SpectralLoops {
  /// Normalises rows of n values to mean 0 and variance 1, with an epsilon added to the variance. May write `out` past
  /// n values, up to whole panels.
  void (*normalise)(Rows<const float> in, std::int64_t n_rows, std::int64_t n, float epsilon, Rows<float> out);
  /// Computes out = bias + in . matrix, in whole panels. The result of a row does not depend on other rows.
  void (*multiply)(Rows<const float> in, std::int64_t n_rows, const Panels& by, Rows<float> out);
  /// Replaces values[i] by its GELU; n is a multiple of panel_width.
  void (*gelu)(float* values, std::int64_t n);
  /// Returns the mean of (a[i] - b[i])^2.
  float (*mean_squared_error)(const float* a, const float* b, std::int64_t n);
};

RAFTER_DECLARE_ISA_TABLE(SpectralLoops, spectral_loops)

}  // namespace rafter::spectral_ladder::cpu
