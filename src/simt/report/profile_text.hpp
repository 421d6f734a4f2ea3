// Counters for people: a table per kernel, and the source with its counts beside it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace rafter::simt::report {

std::string profile_tables(const nlohmann::json& report);
std::string annotated_sources(const nlohmann::json& report);

}  // namespace rafter::simt::report
