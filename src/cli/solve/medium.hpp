// What a heat run goes through, from the words of `rafter solve heat`: its diffusivity and its source.
#pragma once

#include "cli/options.hpp"
#include "cli/solve/plan.hpp"

namespace rafter::cli {

/// Of a new run, whose grid and dtype are known. Throws Error, with the cell for values that cannot be.
void set_medium(HeatJob& job, const SolveHeatOptions& options);

/// Of a run that goes on: the same, or it is refused.
void restore_medium(HeatJob& job, const SolveHeatOptions& options);

}  // namespace rafter::cli
