// Filters as a table: on each of n equal intervals from 0 to the cutoff, a polynomial with the filter's values and
// derivatives at both ends; a polynomial of degree 5 also has them in the middle. Forces use the polynomial's own
// derivative, so they are the exact gradient of the energy.
#pragma once

#include <cstdint>
#include <vector>

#include "forcefield/model/forcefield_tensors.hpp"

namespace rafter::forcefield_ladder {

/// The largest error of a table: of filters and of derivatives, each relative to its greatest magnitude.
inline constexpr double table_tolerance = 1e-6;

/// The polynomial's degree. A cubic needs less arithmetic, a quintic less memory: for random filters, 128 intervals
/// instead of 1024.
enum class TableDegree { cubic = 3, quintic = 5 };

struct FilterTable {
  TableDegree degree = TableDegree::cubic;
  std::int64_t n_intervals = 0;
  double error = 0;                   // the largest error found inside intervals
  std::vector<float> coefficients{};  // [interval][layer][filter][power][features]; the variable is the position in the
                                      // interval, 0 to 1
};

/// Returns the smallest table that meets the tolerance, or the largest possible one, with its error. The model is in
/// host memory.
FilterTable make_table(const ModelView& model, TableDegree degree = TableDegree::cubic);

}  // namespace rafter::forcefield_ladder
