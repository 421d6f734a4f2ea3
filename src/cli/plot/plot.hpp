// rafter plot, and rafter run --plot.
#pragma once

#include "cli/run/commands.hpp"

namespace rafter::cli {

/// Runs whose sweeps are drawn, and plots of results that were kept.
Perform plots(const Workloads& workloads);

}  // namespace rafter::cli
