// Whether a rung gives the right answers.
#pragma once

#include "lab/report.hpp"

namespace rafter::lab {

/// Runs the rung on every input set over a poisoned output and holds the answers against the reference, the guard zones
/// and the inputs against what they were.
Measurement verify_rung(const Rung& rung, Case& work, const Stream& stream);

/// Input sets that fit in memory, at most `wanted`; throws Error (out_of_memory) when not even one does.
int n_input_sets_that_fit(const Workload& workload, const Params& params, Device device, int wanted);

}  // namespace rafter::lab
