// Counters for people: a table per kernel, and the source with its counts beside it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/terminal.hpp"

namespace rafter::simt::report {

/// The lines of every kernel, the worst first.
std::string profile_tables(const nlohmann::json& report, base::Style style = base::Style::plain);
std::string annotated_sources(const nlohmann::json& report);

}  // namespace rafter::simt::report
