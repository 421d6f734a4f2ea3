// A ladder as a table that fits 100 columns.
#pragma once

#include <string>

#include "base/terminal.hpp"
#include "lab/measure/report.hpp"

namespace rafter::lab {

/// Heading, one line per rung, and what it says: the op against the floor and the best peer, and every rung that is not
/// verified with its reason.
std::string ladder_table(const CaseReport& report, const Roofs& roofs, base::Style style);

}  // namespace rafter::lab
