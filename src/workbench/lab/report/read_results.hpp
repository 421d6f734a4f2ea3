// Reads results files.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

/// Returns a case of a results document as it was measured, or nullopt if it is absent or has unknown rungs. The file
/// has only bytes and operations of its cost, so the floor is the stored one. Throws Error (bad_argument) for results
/// that 'rafter run' did not write.
std::optional<CaseReport> find_report(const nlohmann::json& document, const Workload& workload, const Params& params,
                                      Device device, std::string_view regime);

}  // namespace rafter::lab
