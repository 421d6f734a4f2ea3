// The answers of spectral in float64, on the device where results are compared.
#pragma once

#include "rafter/spectral.hpp"
#include "workbench/lab/data/comparator.hpp"

namespace rafter::spectral_ladder {

/// Returns the tolerance, relative to 1 plus the magnitude. fp32 is the contract's. In the others the rounding errors
/// of the products dominate, 2^-11 and 2^-8 of a factor; what is left of them after two LayerNorms depends on the
/// weights, and is below these bounds for weights as PyTorch initialises them.
constexpr double tolerance_of(SpectralPrecision precision) {
  switch (precision) {
    case SpectralPrecision::fp32: return 1e-5;
    case SpectralPrecision::tf32: return 2e-3;
    case SpectralPrecision::bf16: return 2e-2;
  }
  return 0;
}

/// The expected element: within `tolerance` times 1 plus the magnitude of the answer.
struct NearAnswer {
  static constexpr bool has_device_code = true;
  const double* answer;
  double tolerance;
  constexpr lab::Expectation operator()(std::int64_t i) const {
    const double value = answer[i];
    return {value, tolerance * (1 + (value < 0 ? -value : value))};
  }
};

}  // namespace rafter::spectral_ladder
