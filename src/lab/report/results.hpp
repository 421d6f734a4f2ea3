// Results as JSON, from which any table or plot can be made again.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "lab/report/report.hpp"

namespace rafter::lab {

nlohmann::json to_json(const Roofs& roofs);
nlohmann::json to_json(const Params& params);

/// {"machine": {...}, "roofs": {...}, "results": [one per rung and case]}
nlohmann::json results_json(const nlohmann::json& machine, const Roofs& roofs, std::span<const CaseReport> reports);

}  // namespace rafter::lab
