// Ladders as tables that fit the terminal, or 100 columns.
#pragma once

#include <span>
#include <string>

#include "base/terminal.hpp"
#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

/// Returns the table of a ladder: heading, one line per rung, the op compared with the floor and the best peer, and the
/// reason for every rung that is not verified.
std::string ladder_table(const CaseReport& report, const Roofs& roofs, base::Style style,
                         int width = base::output_columns());

/// Returns the table of cases that differ in one parameter: the floor and the rungs for each value, one line each,
/// followed by the sentences of each case; a sentence that applies to several values is printed once.
std::string sweep_table(const Parameter& swept, std::span<const CaseReport> reports, const Roofs& roofs,
                        base::Style style, int width = base::output_columns());

}  // namespace rafter::lab
