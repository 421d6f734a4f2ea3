// Stage profiles as tables that fit 100 columns.
#pragma once

#include <string>

#include "base/terminal.hpp"
#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

/// For each verified rung that has stages: their times, their shares, and what the largest and the smallest could give
/// at most; and who has none. Nothing when no profile was asked for. `swept`: the parameter whose value says which case
/// of a sweep this is, or null.
std::string stage_tables(const CaseReport& report, const Parameter* swept, base::Style style);

}  // namespace rafter::lab
