// The results of checking rungs without times.
#pragma once

#include <span>
#include <string>

#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

/// Returns one line per rung over all cases of one workload, with the error of the first case that fails.
std::string checked_table(std::span<const CaseReport> reports);

}  // namespace rafter::lab
