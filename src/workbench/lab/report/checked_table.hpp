// What checking the rungs of a workload found, where times mean nothing.
#pragma once

#include <span>
#include <string>

#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

/// One line per rung over all cases of one workload, and what is wrong with the first case that is.
std::string checked_table(std::span<const CaseReport> reports);

}  // namespace rafter::lab
