// Counters as text: a table per kernel, and the source annotated with its counts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/terminal.hpp"

namespace rafter::simt::report {

/// Returns a table of source lines for every kernel, worst first.
std::string profile_tables(const nlohmann::json& report, base::Style style = base::Style::plain);
/// Returns the counters as CSV: a line for each kernel, source line and kind of access.
std::string profile_csv(const nlohmann::json& report);
/// Returns the source lines around counted accesses, with their counts.
std::string annotated_sources(const nlohmann::json& report);

}  // namespace rafter::simt::report
