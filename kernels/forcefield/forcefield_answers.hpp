// The answers of forcefield, in float64, where the results are compared.
#pragma once

#include "workbench/lab/data/comparator.hpp"

namespace rafter::forcefield_ladder {

/// Within `tolerance` of `scale` and the magnitude of the answer.
struct NearAnswer {
  static constexpr bool has_device_code = true;
  const double* answer;
  double tolerance;
  double scale;
  constexpr lab::Expectation operator()(std::int64_t i) const {
    const double value = answer[i];
    return {value, tolerance * (scale + (value < 0 ? -value : value))};
  }
};

}  // namespace rafter::forcefield_ladder
