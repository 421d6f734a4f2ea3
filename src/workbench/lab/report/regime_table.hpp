// The times of rungs in regimes other than the headline's, if requested.
#pragma once

#include <span>
#include <string>

#include "workbench/lab/report/columns.hpp"

namespace rafter::lab {

/// Returns a line for each rung and each value of a swept parameter; "" if no other regime was measured.
std::string regime_table(std::span<const CaseReport> reports, const Parameter* swept, const Roofs& roofs, int width);

}  // namespace rafter::lab
