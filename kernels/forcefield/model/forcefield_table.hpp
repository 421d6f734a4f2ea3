// Filters as a table: on each of n equal intervals from 0 to the cutoff, a polynomial that has the filter's values and
// derivatives at both ends, and one of degree 5 in the middle, too. Its own derivative is what forces are made of, so
// they stay the gradient of the energy.
#pragma once

#include <cstdint>
#include <vector>

#include "forcefield/model/forcefield_tensors.hpp"

namespace rafter::forcefield_ladder {

/// What a table may be off by: filters and derivatives, each of its greatest magnitude.
inline constexpr double table_tolerance = 1e-6;

/// What a cubic costs less in arithmetic, a quintic costs less in memory: of random filters, 1024 intervals become 128.
enum class TableDegree { cubic = 3, quintic = 5 };

struct FilterTable {
  TableDegree degree = TableDegree::cubic;
  std::int64_t n_intervals = 0;
  double error = 0;  // the greatest found between the intervals' ends
  std::vector<float>
      coefficients{};  // [interval][layer][filter][power][features], of the place in the interval, 0 to 1
};

/// The smallest table that meets the tolerance, or the largest there is with its error. The model is on the host.
FilterTable make_table(const ModelView& model, TableDegree degree = TableDegree::cubic);

}  // namespace rafter::forcefield_ladder
