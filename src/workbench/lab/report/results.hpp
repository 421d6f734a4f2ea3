// Results as JSON, from which tables and plots can be made again, and as CSV.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "workbench/lab/measure/report.hpp"
#include "workbench/lab/roofs/run_roofs.hpp"

namespace rafter::lab {

nlohmann::json to_json(const Roofs& roofs);
/// Writes the roofs that the floors are based on, the roofs measured at the start and at the end, the floors that rungs
/// beat them, and whether the machine was too busy.
nlohmann::json to_json(const RunRoofs& roofs);
nlohmann::json to_json(const Params& params);

/// Returns {"machine": {...}, "roofs": {...}, "results": [one per rung and case]} with `roofs` from to_json(). Adds
/// "sweep": {"parameter", "meaning"} if a parameter was swept.
nlohmann::json results_json(const nlohmann::json& machine, const nlohmann::json& roofs,
                            std::span<const CaseReport> reports, const Parameter* swept = nullptr);

/// Returns a line for each rung of each case, with the contents of its table.
std::string results_csv(std::span<const CaseReport> reports);

/// Returns a case of a results document as it was measured, or nullopt if it is absent or has unknown rungs. The file
/// has only bytes and operations of its cost, so the floor is the stored one. Throws Error (bad_argument) for results
/// that 'rafter run' did not write.
std::optional<CaseReport> find_report(const nlohmann::json& document, const Workload& workload, const Params& params,
                                      Device device, std::string_view regime);

}  // namespace rafter::lab
