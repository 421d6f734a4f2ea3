// rafter solve.
#pragma once

#include "cli/tool.hpp"

namespace rafter::cli {

int solve_heat(const SolveHeatOptions& options);

}  // namespace rafter::cli
