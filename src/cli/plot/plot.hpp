// rafter plot, and rafter run --plot.
#pragma once

#include <functional>

#include "cli/run/commands.hpp"

namespace rafter::cli {

/// Runs whose sweeps are drawn, of the workloads that a run is for; and plots of results that were kept.
Perform plots(const std::function<Catalogue(const RunOptions&)>& catalogue);

}  // namespace rafter::cli
