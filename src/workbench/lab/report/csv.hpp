// Results as CSV: a line for each rung of each case, with the contents of its table.
#pragma once

#include <span>
#include <string>

#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

std::string results_csv(std::span<const CaseReport> reports);

}  // namespace rafter::lab
