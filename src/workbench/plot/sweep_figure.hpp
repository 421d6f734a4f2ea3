// Sweeps as a figure.
#pragma once

#include <span>
#include <string>

#include "workbench/draw/figure.hpp"
#include "workbench/plot/sweep.hpp"

namespace rafter::plot {

/// A row of panels for each sweep: the times of the rungs, of the peers (dashed) and the floor; and how many times
/// faster the op, which is the last rung, is than the first rung and than each peer. A curve has a gap where a rung was
/// not verified. Throws Error (bad_argument) when nothing was.
draw::Figure sweep_figure(std::span<const Sweep> sweeps, const std::string& machine);

}  // namespace rafter::plot
