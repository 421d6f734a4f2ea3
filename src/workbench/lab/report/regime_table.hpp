// What rungs take in other regimes than the headline's, when that was asked for.
#pragma once

#include <span>
#include <string>

#include "workbench/lab/report/columns.hpp"

namespace rafter::lab {

/// A line for each rung, and for each value of a swept parameter; nothing where no other regime was measured.
std::string regime_table(std::span<const CaseReport> reports, const Parameter* swept, const Roofs& roofs, int width);

}  // namespace rafter::lab
