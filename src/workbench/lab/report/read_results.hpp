// Results files read again.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

/// A case in a results document, as it was measured; nothing where it is not there, or has rungs that are not known. Of
/// its cost the file has bytes and operations alone, so its floor is the one that it was given. Throws Error
/// (bad_argument) for results that 'rafter run' did not write.
std::optional<CaseReport> find_report(const nlohmann::json& document, const Workload& workload, const Params& params,
                                      Device device, std::string_view regime);

}  // namespace rafter::lab
