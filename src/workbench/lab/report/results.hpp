// Results as JSON, from which any table or plot can be made again.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "workbench/lab/measure/report.hpp"
#include "workbench/lab/roofs/run_roofs.hpp"

namespace rafter::lab {

nlohmann::json to_json(const Roofs& roofs);
/// The roofs that the floors rest on, and beside them what was measured at the start and at the end, what raised them,
/// and whether the machine was too busy.
nlohmann::json to_json(const RunRoofs& roofs);
nlohmann::json to_json(const Params& params);

/// {"machine": {...}, "roofs": {...}, "results": [one per rung and case]}; `roofs` as to_json() gives them. With
/// "sweep": {"parameter", "meaning"} where one was given as a list.
nlohmann::json results_json(const nlohmann::json& machine, const nlohmann::json& roofs,
                            std::span<const CaseReport> reports, const Parameter* swept = nullptr);

}  // namespace rafter::lab
