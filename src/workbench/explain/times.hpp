// Times that a GPU measured, from a results file.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "workbench/explain/facts.hpp"

namespace rafter::explain {

/// Fills in `times` of the kernel, where the results have a verified rung of its name on a GPU: the last one.
void add_times(Facts& facts, const nlohmann::json& results);

/// Throws Error (io, bad_argument) unless the file holds results.
nlohmann::json read_times(const std::filesystem::path& file);

}  // namespace rafter::explain
