// The roofline: what rungs reach, over the operations that a byte of memory traffic pays for.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "workbench/draw/figure.hpp"
#include "workbench/plot/measured.hpp"

namespace rafter::plot {

/// A panel for each workload: the measured roofs of memory and of the unit that does most of its operations, and a
/// point for each rung of each case. Throws Error (bad_argument) where no case has operations, or the results no roofs.
draw::Figure roofline_figure(const nlohmann::json& results, std::span<const MeasuredCase> cases,
                             const std::string& machine);

}  // namespace rafter::plot
