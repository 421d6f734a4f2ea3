// The expected values of forcefield in float64, kept in the memory where the results are compared.
#pragma once

#include "workbench/lab/data/comparator.hpp"

namespace rafter::forcefield_ladder {

/// The expected value of a result, with a bound of `tolerance` times (`scale` + its magnitude).
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
