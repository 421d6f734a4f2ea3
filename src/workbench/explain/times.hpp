// Reads measured GPU times from a results file.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "workbench/explain/facts.hpp"

namespace rafter::explain {

/// Fills in `times` of the kernel from the last verified rung of its name on a GPU, if the results have one.
void add_times(Facts& facts, const nlohmann::json& results);

/// Reads a results file; throws Error (io, bad_argument) unless it has results.
nlohmann::json read_times(const std::filesystem::path& file);

}  // namespace rafter::explain
