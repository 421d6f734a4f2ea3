// Ladders as tables that fit the terminal, or 100 columns.
#pragma once

#include <span>
#include <string>

#include "base/terminal.hpp"
#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

/// Heading, one line per rung, and what it says: the op against the floor and the best peer, and every rung that is not
/// verified with its reason.
std::string ladder_table(const CaseReport& report, const Roofs& roofs, base::Style style,
                         int width = base::output_columns());

/// The same for cases that differ in one parameter: for each of its values the floor and the rungs, one line each, and
/// below them what each case says; what is true of several values is said once.
std::string sweep_table(const Parameter& swept, std::span<const CaseReport> reports, const Roofs& roofs,
                        base::Style style, int width = base::output_columns());

}  // namespace rafter::lab
