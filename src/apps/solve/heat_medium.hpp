// The diffusivity and the source of a heat run, parsed from its request.
#pragma once

#include "apps/solve/heat_job.hpp"

namespace rafter::solve {

/// Sets the medium of a new run with a known grid and dtype. Throws Error with the cell of an invalid value.
void set_medium(HeatJob& job, const HeatRequest& request);

/// Restores the medium of a resumed run. Throws Error if it differs from the one the run started with.
void restore_medium(HeatJob& job, const HeatRequest& request);

}  // namespace rafter::solve
