// The answers of spectral, in float64, where the results are compared.
#pragma once

#include "rafter/spectral.hpp"
#include "workbench/lab/data/comparator.hpp"

namespace rafter::spectral_ladder {

/// What a result may be off by, of 1 and its magnitude. fp32 is the contract's. Of the others the products' rounding
/// errors are the greater part, 2^-11 and 2^-8 of a factor; what is left of them behind two LayerNorms depends on the
/// weights, and is less than these for weights as PyTorch initialises them.
constexpr double tolerance_of(SpectralPrecision precision) {
  switch (precision) {
    case SpectralPrecision::fp32: return 1e-5;
    case SpectralPrecision::tf32: return 2e-3;
    case SpectralPrecision::bf16: return 2e-2;
  }
  return 0;
}

/// Within `tolerance` of 1 and the magnitude of the answer.
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
