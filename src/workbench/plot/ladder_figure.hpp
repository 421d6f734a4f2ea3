// Cases as bars: how near each rung comes to the floor.
#pragma once

#include <span>
#include <string>

#include "workbench/draw/figure.hpp"
#include "workbench/plot/measured.hpp"

namespace rafter::plot {

/// A panel for each case, a bar for each rung and peer that was verified: its share of the floor, with its time and how
/// many times faster than the first rung it is.
draw::Figure ladder_figure(std::span<const MeasuredCase> cases, const std::string& machine);

}  // namespace rafter::plot
