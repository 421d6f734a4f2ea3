// A comparison as a table, as JSON and as CSV.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/terminal.hpp"
#include "workbench/compare/compare.hpp"

namespace rafter::compare {

/// Returns a table of at most 100 columns.
std::string table(const Comparison& comparison, base::Style style);
nlohmann::json to_json(const Comparison& comparison);
std::string to_csv(const Comparison& comparison);

}  // namespace rafter::compare
