// Results as JSON, from which tables and plots can be made again.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "workbench/lab/measure/report.hpp"
#include "workbench/lab/roofs/run_roofs.hpp"

namespace rafter::lab {

nlohmann::json to_json(const Roofs& roofs);
/// Writes the roofs that the floors are based on, the roofs measured at the start and at the end, the rungs that raised
/// them, and whether the machine was too busy.
nlohmann::json to_json(const RunRoofs& roofs);
nlohmann::json to_json(const Params& params);

/// Returns {"machine": {...}, "roofs": {...}, "results": [one per rung and case]} with `roofs` from to_json(). Adds
/// "sweep": {"parameter", "meaning"} if a parameter was swept.
nlohmann::json results_json(const nlohmann::json& machine, const nlohmann::json& roofs,
                            std::span<const CaseReport> reports, const Parameter* swept = nullptr);

}  // namespace rafter::lab
