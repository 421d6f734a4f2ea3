// Stage profiles as tables that fit 100 columns.
#pragma once

#include <string>

#include "base/terminal.hpp"
#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

/// Returns for each verified rung with stages their times, their shares, and the most that removing the largest and the
/// smallest could give; also lists the rungs without stages. Returns "" if no profile was requested. `swept` is the
/// parameter that identifies the case of a sweep, or null.
std::string stage_tables(const CaseReport& report, const Parameter* swept, base::Style style);

}  // namespace rafter::lab
