// Counters for people: a table per kernel, and the source with its counts beside it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/terminal.hpp"

namespace rafter::simt::report {

/// The lines of every kernel, the worst first.
std::string profile_tables(const nlohmann::json& report, base::Style style = base::Style::plain);
/// The same for programs: a line for each kernel, line of source and kind of access.
std::string profile_csv(const nlohmann::json& report);
std::string annotated_sources(const nlohmann::json& report);

}  // namespace rafter::simt::report
