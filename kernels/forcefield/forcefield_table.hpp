// Filters as a table: on each of n equal intervals from 0 to the cutoff, the cubic that has the filter's values and
// derivatives at both ends. Its own derivative is what forces are made of, so they stay the gradient of the energy.
#pragma once

#include <cstdint>
#include <vector>

#include "forcefield/forcefield_tensors.hpp"

namespace rafter::forcefield_ladder {

/// What a table may be off by: filters and derivatives, each of its greatest magnitude.
inline constexpr double table_tolerance = 1e-6;

struct FilterTable {
  std::int64_t n_intervals = 0;
  double error = 0;  // the greatest found between the intervals' ends
  std::vector<float>
      coefficients{};  // [interval][layer][filter][power][features], of the place in the interval, 0 to 1
};

/// The smallest table that meets the tolerance, or the largest there is with its error. The model is on the host.
FilterTable make_table(const ModelView& model);

}  // namespace rafter::forcefield_ladder
